import KeepsakeArchive

final class EncodingLevel: KeptContainers<KeyedPlace>, ReusedLevel {
  let session: EncodingSession
  /// The assembler, which writes the values into the archive.
  let assembler: SharedAssembler
  let depth: Int
  /// True when a reader of the archive would refuse a value at this depth.
  ///
  /// The limit also bounds the stack for a value that contains itself.
  let isTooDeep: Bool
  var key: (any CodingKey)?
  var parent: EncodingLevel?
  var below: EncodingLevel?

  private init(_ session: EncodingSession, depth: Int, parent: EncodingLevel?) {
    self.session = session
    self.parent = parent
    self.depth = depth
    assembler = session.assembler
    isTooDeep = depth >= session.limits.nestingDepth
  }

  convenience init(below parent: EncodingLevel) {
    self.init(parent.session, depth: parent.depth + 1, parent: parent)
  }

  var pathKey: (any CodingKey)? {
    key ?? assembler.value.elementCount(aroundLevel: depth).map { PathKey($0) }
  }
}

extension EncodingLevel {
  private static let pool = ObjectPool()

  /// The level of a top-level value: a pooled one with the same limits, or a new one.
  static func begin(
    _ userInfo: [CodingUserInfoKey: any Sendable], _ limits: ArchiveLimits
  ) -> EncodingLevel {
    guard let level = pool.take() as? EncodingLevel, level.session.limits == limits else {
      return fresh(userInfo, limits)
    }
    level.attach()
    level.session.begin(userInfo)
    return level
  }

  /// A new level.
  ///
  /// A caller that does not end its level must take a new one: the containers of a pooled level keep it alive until
  /// ``end(_:)`` detaches them.
  static func fresh(
    _ userInfo: [CodingUserInfoKey: any Sendable], _ limits: ArchiveLimits
  ) -> EncodingLevel {
    let session = EncodingSession(limits: limits)
    session.begin(userInfo)
    return EncodingLevel(session, depth: 0, parent: nil)
  }

  static func end(_ level: inout EncodingLevel) { end(&level, pool: pool) }

  func endSession() -> Bool { session.end() }

  func leaveCoder() {}

  /// Clears the plan roots that the containers of this level and of the levels below have cached.
  func forgetRoots() {
    for container in containers { container.place.with { $0.root = KeyedPlace.unknownRoot } }
    below?.forgetRoots()
  }
}

extension EncodingLevel {
  /// Begins a value in the container of the level above and encodes it; the caller ends it, but not after an error.
  @inline(__always)
  func encodeInside(_ value: some Encodable) throws {
    let serial = assembler.value.begin()
    do {
      try encode(value, of: serial)
    } catch {
      assembler.value.drop()
      throw error
    }
  }

  /// Encodes a value at this level, which was begun in the assembler.
  func encode<Value: Encodable>(_ value: Value, of serial: Int) throws {
    let type = session.type(Value.self)
    if case .native(let kind) = type.form { return encodeNative(kind, value, of: serial) }
    if isTooDeep { throw session.tooDeep(value, at: codingPath) }
    let way = session.way(of: type)
    if way == .asTree { return try encodeAgain(value) }
    if way == .withContainers { assembler.value.expectNested() }
    do {
      try encode(value, type.form, by: ValueEncoder(level: self, serial: serial, tree: nil))
      if assembler.value.isCurrent(serial) {
        if assembler.value.exceedsShape { return try encodeAgain(value) }
        if !session.knowsTag(type) { session.noteTag(of: Value.self) }
        if way == .direct, assembler.value.hasNested {
          session.note(.withContainers, of: Value.self)
        }
        return
      }
    } catch {
      if assembler.value.isOpen(serial) { throw error }
    }
    // The value wrote to several containers alternately, or broke a rule.
    try encodeAgain(value)
    session.note(way == .direct ? .withContainers : .asTree, of: Value.self)
  }

  /// Takes back the value that was begun last, and encodes it as a tree.
  func encodeAgain<Value: Encodable>(_ value: Value) throws {
    assembler.value.drop()
    _ = assembler.value.begin()
    let tree = ValueTree(path: codingPath, depth: depth, level: self)
    try tree.encode(value)
    _ = tree.write(to: &assembler.value)
    session.noteTag(of: Value.self)
  }

  /// Encodes a value as the value that `encoder` was made for.
  func encode<Value: Encodable>(_ value: Value, inPlaceOf encoder: ValueEncoder) throws {
    try encode(value, session.type(Value.self).form, by: encoder)
  }

  @inline(__always)
  private func encode<Value: Encodable>(
    _ value: Value, _ form: EncodedType.Form, by encoder: ValueEncoder
  ) throws {
    let serial = encoder.serial
    switch form {
    case .itself: try value.encode(to: encoder)
    case .text:
      let text = identical(value, as: String.self)
      accept(assembler.value.set(text, .string, of: serial), serial)
    case .texts:
      accept(assembler.value.set(identical(value, as: [String].self), of: serial), serial)
    case .scalar(let kind):
      accept(assembler.value.set(kind.bits(of: value), 0, kind.archiveTag, of: serial), serial)
    case .row(let kind): accept(kind.set(row: value, to: &assembler.value, of: serial), serial)
    case .native(let kind): encodeNative(kind, value, of: serial)
    case .kind(let kind): try encoder.encode(value, as: kind)
    }
  }

  private func encodeNative<Native: NativeValue, Value>(
    _ kind: Native.Type, _ value: Value, of serial: Int
  ) {
    accept(kind.write(value, to: &assembler.value, of: serial), serial)
  }

  /// Takes the result of a write.
  ///
  /// A value that was already written is encoded again as a tree, which reports the error.
  func accept(_ isDone: Bool, _ serial: Int) {
    if !isDone { session.giveUp(serial) }
  }
}
