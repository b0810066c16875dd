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
  /// The types of which a value could not be written while it encoded itself.
  var irregularTypes: Set<ObjectIdentifier> = []
  private var steps: [ObjectIdentifier: Int] = [:]
  /// What the first value of each type was stored as.
  private var tags: [ObjectIdentifier: ArchiveTag] = [:]
  /// Types that encode themselves in one order, each in a place that follows from its address; another
  /// type of the same place takes it.
  private var orderedTypes = [ObjectIdentifier?](repeating: nil, count: 64)

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

  /// Where the plan begins for records with such keys.
  func steps<Key: CodingKey>(of type: Key.Type) -> Int {
    let identifier = ObjectIdentifier(type)
    if let known = steps[identifier] { return known }
    let first = assembler.makeSteps()
    steps[identifier] = first
    return first
  }

  /// The tag of a value that is left out (Spec/archive.md, 5.3): that of its type, or of the first value of
  /// the type in the archive.
  func tag<Value>(of type: Value.Type) -> ArchiveTag {
    let identifier = ObjectIdentifier(type)
    if let known = tags[identifier] { return known }
    guard let tag = StagedValue.nativeTag(of: type) else { return .null }
    tags[identifier] = tag
    return tag
  }

  /// Whether the tag of the values of a type is not known.
  func lacksTag(_ type: ObjectIdentifier) -> Bool { tags[type] == nil }

  /// Takes note of the tag of the first value of a type.
  func note(_ tag: ArchiveTag, of type: ObjectIdentifier) {
    if tag != .null, tags[type] == nil { tags[type] = tag }
  }

  /// Whether a type is known to encode itself in one order.
  func isKnownToBeOrdered(_ type: Any.Type) -> Bool {
    orderedTypes[EncodingSession.place(of: type)] == ObjectIdentifier(type)
  }

  /// Takes note that a type encodes itself in one order.
  func noteOrdered(_ type: Any.Type) {
    orderedTypes[EncodingSession.place(of: type)] = ObjectIdentifier(type)
  }

  private static func place(of type: Any.Type) -> Int {
    Int(bitPattern: ObjectIdentifier(type)) >> 4 & 63
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
