import KeepsakeArchive

/// One object of a saved state: a row of the index, while the state is saved or restored.
///
/// The row holds everything that is known of the object. The columns of Spec/restoration.md, section 1, are made from
/// the rows only where bytes are written. Rows are many and are copied when their array grows, so numbers are stored
/// in four bytes each, as in the columns.
struct ObjectRow: Sendable {
  /// The role of an object for the parent in its row.
  enum Role: UInt8, Sendable {
    /// A node that a reference reached, or the root of a window.
    case node = 0
    case contained = 1
    case presented = 2
    case view = 3
    /// A registered object.
    case object = 4

    var kind: ReportedObject.Kind {
      switch self {
      case .node, .contained, .presented: .node
      case .view: .view
      case .object: .object
      }
    }
  }

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    /// The object failed to encode its state, or lost it because of its size; only its place was saved.
    static let stateless = Flags(rawValue: 1)
    /// The record was kept from an earlier archive, because no object claimed it there.
    static let unclaimed = Flags(rawValue: 2)
    /// The record names the template that the node was made from.
    static let template = Flags(rawValue: 4)
  }

  /// The progress of a row in a restore.
  enum Progress: UInt8, Sendable {
    /// The row has no object yet.
    case waiting
    case created, partlyRestored, restored
    case dropped
    /// The row was left out because the application declined it.
    case declined
    /// No save writes such a row (Spec/restoration.md, section 1).
    case malformed
  }

  /// An optional number from zero, in four bytes: 0 means nil, as in the columns.
  private struct OptionalNumber {
    private var stored: UInt32 = 0

    var value: Int? {
      get { stored == 0 ? nil : Int(stored) - 1 }
      set { stored = newValue.map { UInt32(clamping: $0 + 1) } ?? 0 }
    }

    init(_ value: Int?) { self.value = value }
  }

  var identifier: String
  /// The object itself; nil once the session has ended, since a report retains no object.
  var participant: Participant?
  /// The path of the object as a prefix: set once an object below it needs it, and when an alias gives the object
  /// another path than the index.
  var prefix: RestorationPath.Prefix?
  private var parentNumber: OptionalNumber
  private var typeOfRecord = OptionalNumber(nil)
  private var size: UInt32 = 0
  /// The number of siblings with the same identifier before it, when siblings may share one.
  var ordinal: UInt32
  /// The place among the contained nodes of the parent; rows of equal rank are in their order.
  var rank: UInt32 = 0
  /// The number of the restoration class among the names of classes, from 1; 0 for no class.
  var classNumber: UInt32 = 0
  /// The record with the object's encoded values.
  var record: ArchiveObjectID?
  var role: Role
  var flags: Flags = []
  var progress = Progress.waiting
  /// The origin of a restored row's object.
  var source: ReportedObject.Source?
  /// True when an alias moves the object into another container.
  var isMoved = false
  private var componentCount: UInt16

  /// The row of the nearest ancestor that was saved.
  var parent: Int? {
    get { parentNumber.value }
    set { parentNumber.value = newValue }
  }

  /// The number of the type in the save or the archive; nil while the record has not been read.
  var typeNumber: Int? {
    get { typeOfRecord.value }
    set { typeOfRecord.value = newValue }
  }

  /// The number of components of the path.
  var depth: Int { Int(componentCount) }

  var byteCount: Int {
    get { Int(size) }
    set { size = UInt32(clamping: newValue) }
  }

  var hasObject: Bool { participant != nil }

  /// Whether the row has this very object.
  func stands(for object: AnyObject) -> Bool {
    switch participant {
    case .node(let node): node === object
    case .view(let view): view === object
    case .object(let other): other === object
    case nil: false
    }
  }

  /// Sets the object that a restore has found or made.
  mutating func setParticipant(_ participant: Participant, from source: ReportedObject.Source) {
    self.participant = participant
    self.source = source
    progress = .created
  }
}

extension ObjectRow {
  // The memberwise initializer is used, because setting the fields one by one costs two more copies on the way into
  // an array.
  init(
    _ identifier: String, as role: Role, in parent: Int?, depth: Int, ordinal: UInt32 = 0,
    record: ArchiveObjectID? = nil, typeNumber: Int? = nil,
    _ participant: consuming Participant? = nil
  ) {
    self.init(
      identifier: identifier, participant: participant, parentNumber: OptionalNumber(parent),
      typeOfRecord: OptionalNumber(typeNumber), ordinal: ordinal, record: record, role: role,
      componentCount: UInt16(clamping: depth))
  }

  /// A row that a restore leaves out.
  init(malformed identifier: String, as role: Role, _ record: ArchiveObjectID?) {
    self.init(identifier, as: role, in: nil, depth: 1, record: record)
    progress = .malformed
  }
}

extension [ObjectRow] {
  /// The path of a row that is not malformed.
  mutating func path(_ row: Int) -> RestorationPath {
    if let prefix = self[row].prefix {
      return RestorationPath(prefix.identifier, below: prefix.parent)
    }
    return RestorationPath(self[row].identifier, below: self[row].parent.map { prefix($0) })
  }

  private mutating func prefix(_ row: Int) -> RestorationPath.Prefix {
    if let prefix = self[row].prefix { return prefix }
    let prefix = path(row).prefix
    self[row].prefix = prefix
    return prefix
  }
}
