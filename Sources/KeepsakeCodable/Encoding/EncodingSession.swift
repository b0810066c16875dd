import KeepsakeArchive

/// What all encoders of one call share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
  let limits: ArchiveLimits
  private let assembler: RecordAssembler

  /// The first mistake in a call that cannot throw.
  private(set) var failure: EncodingError?
  /// Whether something was written to a value that was complete: then only a tree of the whole is
  /// what the app meant.
  private(set) var needsTree = false
  private let types = TypeTable<EncodedType>()

  init(
    userInfo: [CodingUserInfoKey: any Sendable], limits: ArchiveLimits, assembler: RecordAssembler
  ) {
    self.userInfo = userInfo
    self.limits = limits
    self.assembler = assembler
  }

  /// Encodes a value that lies in none other.
  func encode(_ value: some Encodable) throws {
    let level = EncodingLevel(session: self, assembler: assembler)
    defer { level.detach() }
    do {
      try level.encode(value, of: assembler.begin())
    } catch {
      if !needsTree { throw error }
    }
    if needsTree {
      assembler.drop()
      _ = assembler.begin()
      let root = ValueTree(path: [], depth: 0, level: level)
      defer { root.detach() }
      try root.encode(value)
      _ = root.write(to: assembler)
    }
    if let failure { throw failure }
  }

  /// How values of a type are written.
  @inline(__always)
  func type<Value: Encodable>(_ type: Value.Type) -> EncodedType {
    types.row(of: ObjectIdentifier(type)) { EncodedType(type) }
  }

  /// The tag of a value that is left out (Spec/archive.md, 5.3): that of its type, or of the first value of
  /// the type in the archive.
  func tag<Value: Encodable>(of type: Value.Type) -> ArchiveTag { self.type(type).tag }

  /// Takes note of the tag of the first value of a type.
  func note<Value: Encodable>(_ tag: ArchiveTag, of type: Value.Type) {
    var row = self.type(type)
    if tag == .null || row.tag != .null { return }
    row.tag = tag
    types.set(row, for: ObjectIdentifier(type))
  }

  /// Takes note of a type of which a value could not be written while it encoded itself.
  func noteIrregular<Value: Encodable>(_ type: Value.Type) {
    var row = self.type(type)
    row.isIrregular = true
    types.set(row, for: ObjectIdentifier(type))
  }

  /// Takes note that a value cannot be written while it encodes itself.
  func giveUp(_ serial: Int) {
    if assembler.isAbandoned(serial) { return }
    if assembler.isOpen(serial) { assembler.abandon(serial) } else { needsTree = true }
  }

  /// Keeps a mistake until encoding ends.
  func fail(_ error: EncodingError) {
    if failure == nil { failure = error }
  }

  /// Takes note that a value was written to after it had gone into the archive.
  func writtenLate() { needsTree = true }
}

/// How values of a type are written.
struct EncodedType {
  enum Form {
    /// By the type's own `encode(to:)`.
    case itself
    case native(NativeKind)
    case row(NumberRow)
    case array(any ArrayOfValues.Type)
    /// In an order that follows from what the collection holds.
    case hashOrdered(any HashOrderedCollection.Type)
  }

  let form: Form
  /// What the first value was stored as, if the type alone does not say it; `null` before that.
  var tag = ArchiveTag.null
  /// Whether a value was met that could not be written while it encoded itself.
  var isIrregular = false

  init<Value: Encodable>(_ type: Value.Type) {
    if let kind = NativeKind(type) {
      form = .native(kind)
      tag = kind.tag
    } else if !isOneWord(type) {
      form = .itself
    } else if let row = NumberRow(type) {
      form = .row(row)
      tag = .array
    } else if let array = type as? any ArrayOfValues.Type {
      form = .array(array)
      tag = .array
    } else if let collection = type as? any HashOrderedCollection.Type {
      form = .hashOrdered(collection)
    } else {
      form = .itself
    }
  }
}

extension EncodingError {
  static func tooDeep(_ value: Any, limit: Int, at path: [any CodingKey]) -> Self {
    misuse(
      "Values are nested deeper than \(limit) levels. Raise the limit if the data is legitimate.",
      of: value, at: path)
  }

  static func misuse(_ description: String, of value: Any, at path: [any CodingKey]) -> Self {
    .invalidValue(value, Context(codingPath: path, debugDescription: description))
  }
}
