import KeepsakeArchive

/// What all encoders of one call share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
  let nestingDepth: Int
  private let assembler: RecordAssembler

  /// The first mistake in a call that cannot throw.
  private(set) var failure: EncodingError?
  /// Whether something was written to a value that was complete: then only a tree of the whole is
  /// what the app meant.
  private(set) var needsTree = false
  /// The types of which a value could not be written while it encoded itself.
  var irregularTypes: Set<ObjectIdentifier> = []
  private var steps: [ObjectIdentifier: Int] = [:]

  init(
    userInfo: [CodingUserInfoKey: any Sendable], nestingDepth: Int, assembler: RecordAssembler
  ) {
    self.userInfo = userInfo
    self.nestingDepth = nestingDepth
    self.assembler = assembler
  }

  /// Encodes the one value of an archive.
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
      let root = NodeEncoder(path: [], depth: 0, session: self)
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
