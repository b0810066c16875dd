import KeepsakeArchive

/// One object of a saved state: a row of the index, while the state is saved or restored.
///
/// All that is known of the object is here. The columns of Spec/restoration.md, section 1, are made of
/// the rows where bytes are written, and nowhere else. Rows are many and are copied when their array
/// grows, so numbers are stored in four bytes each, as in the columns.
struct ObjectRow: Sendable {
  /// What an object is to the parent that its row names.
  enum Role: UInt8, Sendable {
    /// A node that something refers to, or the root of a window.
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
    /// The object failed to encode its state or lost it for its size; only its place was saved.
    static let stateless = Flags(rawValue: 1)
    /// The record was kept from an earlier archive, since nobody claimed it there.
    static let orphan = Flags(rawValue: 2)
    /// The record names the template that the node was made from.
    static let template = Flags(rawValue: 4)
  }

  /// What became of a row in a restore.
  enum Progress: UInt8, Sendable {
    /// It has no object yet.
    case waiting
    case created, partlyRestored, restored
    case dropped
    /// It was left out because the application did not want it back.
    case declined
    /// It is not what a save writes (Spec/restoration.md, section 1).
    case malformed
  }

  /// A number from zero, or none, in four bytes; as in the columns, 0 stands for none.
  private struct OptionalNumber {
    private var stored: UInt32 = 0

    var value: Int? {
      get { stored == 0 ? nil : Int(stored) - 1 }
      set { stored = newValue.map { UInt32(clamping: $0 + 1) } ?? 0 }
    }

    init(_ value: Int?) { self.value = value }
  }

  var identifier: String
  /// The object itself; `nil` once the session has ended, as a report keeps no object alive.
  var participant: Participant?
  /// The path of the object as the beginning of others: once something below it has asked, and where an
  /// alias gives it another path than the index says.
  var prefix: RestorationPath.Prefix?
  private var parentNumber: OptionalNumber
  private var typeOfRecord = OptionalNumber(nil)
  private var size: UInt32 = 0
  /// How many siblings with the same identifier come first, where siblings may share one.
  var ordinal: UInt32
  /// The place among the contained nodes of the parent; rows of equal rank are in their order.
  var rank: UInt32 = 0
  /// The number of the restoration class among the names of classes, from 1; 0 for none.
  var classNumber: UInt32 = 0
  /// The record that holds what the object encoded.
  var record: ArchiveObjectID?
  var role: Role
  var flags: Flags = []
  var progress = Progress.waiting
  /// Where the object of a restored row came from.
  var source: ReportedObject.Source?
  /// Whether an alias puts the object into another container.
  var isMoved = false
  private var componentCount: UInt16

  /// The row of the nearest ancestor that was saved.
  var parent: Int? {
    get { parentNumber.value }
    set { parentNumber.value = newValue }
  }

  /// The number of the type among those of the save, or of the archive; `nil` while the record was not read.
  var typeNumber: Int? {
    get { typeOfRecord.value }
    set { typeOfRecord.value = newValue }
  }

  /// The number of components of the path.
  var depth: Int { Int(componentCount) }

  /// The size of the record.
  var byteCount: Int {
    get { Int(size) }
    set { size = UInt32(clamping: newValue) }
  }

  /// Whether the row has an object.
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

  /// Takes over the object that a restore has found or made.
  mutating func adopt(_ participant: Participant, from source: ReportedObject.Source) {
    self.participant = participant
    self.source = source
    progress = .created
  }
}

extension ObjectRow {
  // It uses the initialiser that Swift makes: a value of so many fields, put together one by one, is copied twice
  // more on its way into an array.
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
