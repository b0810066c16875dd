import KeepsakeArchive

/// One level of nesting, at which values are encoded one after the other.
///
/// Levels are made once and used again: there are as many as values are deep.
final class EncodingLevel {
  let session: EncodingSession
  let assembler: RecordAssembler
  let depth: Int
  /// The key of the value in the container of the level above, unless that is a row.
  var key: (any CodingKey)?
  /// The last type here that has no other way into the archive than its own `encode(to:)`.
  var plainType: ObjectIdentifier?
  /// The last such type that a value here handed itself on to.
  private var plainInnerType: ObjectIdentifier?
  /// Whether the archive's reader would refuse what is encoded here.
  ///
  /// The limit also bounds the stack that a value which contains itself would use up.
  let isTooDeep: Bool
  private let parent: EncodingLevel?
  private var child: EncodingLevel?

  /// The keyed container that a value here had last, and what it writes to.
  ///
  /// To make one takes longer than to write through it, so it is used again when its user has let go
  /// of it.
  let container = ReusableReference()
  /// The type of its keys, and where the plan begins for these.
  var containerKeys: ObjectIdentifier?
  var containerSteps = 0
  var place: KeyedPlace?

  init(session: EncodingSession, assembler: RecordAssembler, parent: EncodingLevel? = nil) {
    self.session = session
    self.assembler = assembler
    self.parent = parent
    depth = parent.map { $0.depth + 1 } ?? 0
    isTooDeep = depth >= session.nestingDepth
  }

  /// The level of the values in a container of this one.
  var next: EncodingLevel {
    if let child { return child }
    let level = EncodingLevel(session: session, assembler: assembler, parent: self)
    child = level
    return level
  }

  /// Lets go of the levels below, which hold this one.
  func detach() {
    child?.detach()
    child = nil
    container.letGo()
    place = nil
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var level: EncodingLevel? = self
    while let current = level {
      if let key = current.key {
        path.append(key)
      } else if let index = assembler.elementCount(aroundLevel: current.depth) {
        path.append(PathKey(index))
      }
      level = current.parent
    }
    path.reverse()
    return path
  }
}

extension EncodingLevel {
  /// Encodes a value at this level, for which a place was begun in the assembler.
  func encode<Value: Encodable>(_ value: Value, of serial: Int) throws {
    let type = ObjectIdentifier(Value.self)
    if plainType != type {
      if let native = StagedValue(native: value) { return accept(native, serial) }
      if isTooDeep { throw tooDeep(value) }
      if encodeRow(value, of: serial) { return }
      if session.irregularTypes.contains(type) { return try encodeAsTree(value) }
      plainType = type
    }
    do {
      try value.encode(to: PlaceEncoder(level: self, serial: serial))
      if assembler.serial == serial { return }
    } catch {
      if assembler.serial == serial { throw error }
    }
    // The value filled containers in turns, or broke a rule: that needs the tree.
    plainType = nil
    session.irregularTypes.insert(type)
    assembler.drop()
    _ = assembler.begin()
    try encodeAsTree(value)
  }

  private func encodeAsTree(_ value: some Encodable) throws {
    let node = NodeEncoder(path: codingPath, depth: depth, session: session)
    defer { node.detach() }
    try node.encode(value)
    _ = node.write(to: assembler)
  }

  /// Encodes a value in the place of another, which hands itself on.
  func encode<Value: Encodable>(_ value: Value, inPlaceOf encoder: PlaceEncoder) throws {
    if plainInnerType != ObjectIdentifier(Value.self) {
      if let native = StagedValue(native: value) { return accept(native, encoder.serial) }
      if encodeRow(value, of: encoder.serial) { return }
      plainInnerType = ObjectIdentifier(Value.self)
    }
    try value.encode(to: encoder)
  }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.nestingDepth, at: codingPath)
  }

  private func accept(_ value: StagedValue, _ serial: Int) {
    accept(value.write(to: assembler, of: serial), serial)
  }

  /// A value that is written where there is one already needs the error that the tree has for it.
  func accept(_ isDone: Bool, _ serial: Int) {
    if !isDone { session.giveUp(serial) }
  }
}
