import KeepsakeArchive

/// One level of nesting, at which values are encoded one after the other.
///
/// A level is made when a value first nests that deep, and is reused by all later values, also of later calls.
final class EncodingLevel: KeptContainers<KeyedPlace> {
  let session: EncodingSession
  let shared: SharedAssembler
  let depth: Int
  /// The key of the value in the container of the level above; nil in an array.
  var key: (any CodingKey)?
  /// True when a reader of the archive would refuse a value at this depth.
  ///
  /// The limit also bounds the stack for a value that contains itself.
  let isTooDeep: Bool
  private var parent: EncodingLevel?
  private var child: EncodingLevel?

  init(session: EncodingSession, shared: SharedAssembler, parent: EncodingLevel? = nil) {
    self.session = session
    self.shared = shared
    self.parent = parent
    depth = parent.map { $0.depth + 1 } ?? 0
    isTooDeep = depth >= session.limits.nestingDepth
  }

  /// The assembler, which writes the values into the archive.
  var assembler: RecordAssembler {
    @inline(__always)
    _read { yield shared.value }
    @inline(__always)
    _modify { yield &shared.value }
  }

  /// The level of the values in a container of this one.
  var next: EncodingLevel {
    if let child { return child }
    let level = EncodingLevel(session: session, shared: shared, parent: self)
    child = level
    return level
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
  private static let pool = ObjectPool()
  /// When a call made deeper levels than this, none of its levels are kept for the next call.
  private static var mostLevels: Int { 16 }

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
    let shared = SharedAssembler()
    let session = EncodingSession(limits: limits, shared: shared)
    session.begin(userInfo)
    return EncodingLevel(session: session, shared: shared)
  }

  /// Ends a call, and keeps the level for the next one unless the app still has an encoder or a container of it.
  static func end(_ level: inout EncodingLevel) {
    if level.detach(), isKnownUniquelyReferenced(&level), level.session.end() {
      pool.give(level)
    } else {
      level.giveUp()
    }
  }

  /// Attaches the containers of this level and of the levels below, which are all free, for another call.
  private func attach() {
    for container in containers { container.place.with { $0.attachedLevel = self } }
    child?.parent = self
    child?.attach()
  }

  /// Releases the references that containers and lower levels have to this level; false when the levels cannot be
  /// kept, because the app still holds a container or they are too deep.
  private func detach() -> Bool {
    guard containers.allSatisfy({ $0.isFree }) else { return false }
    for container in containers { container.place.with { $0.attachedLevel = nil } }
    key = nil
    if child == nil { return true }
    guard depth < Self.mostLevels, child?.detach() == true else { return false }
    child?.parent = nil
    return isKnownUniquelyReferenced(&child)
  }

  /// Clears the plan roots that the containers of this level and of the levels below have cached.
  func forgetRoots() {
    for container in containers { container.place.with { $0.root = KeyedPlace.unknownRoot } }
    child?.forgetRoots()
  }

  /// Releases the levels below and the containers, which refer to this level.
  private func giveUp() {
    child?.parent = self
    child?.giveUp()
    child = nil
    leaveContainers()
  }
}

extension EncodingLevel {
  /// Begins a value in the container of the level above and encodes it; the caller ends it, but not after an error.
  @inline(__always)
  func encodeInside(_ value: some Encodable) throws {
    let serial = assembler.begin()
    do {
      try encode(value, of: serial)
    } catch {
      assembler.drop()
      throw error
    }
  }

  /// Encodes a value at this level, which was begun in the assembler.
  func encode<Value: Encodable>(_ value: Value, of serial: Int) throws {
    let type = session.type(Value.self)
    if case .native(let kind) = type.form { return encodeNative(kind, value, of: serial) }
    if isTooDeep { throw tooDeep(value) }
    let way = session.way(of: type)
    if way == .asTree {
      try encodeAsTree(value)
      return session.noteTag(of: Value.self)
    }
    if way == .withContainers { assembler.expectNested() }
    do {
      try encode(value, type.form, by: ValueEncoder(level: self, serial: serial, tree: nil))
      if assembler.isCurrent(serial) {
        if assembler.exceedsShape {
          assembler.drop()
          _ = assembler.begin()
          try encodeAsTree(value)
          return session.noteTag(of: Value.self)
        }
        if !session.knowsTag(type) { session.noteTag(of: Value.self) }
        if way == .direct, assembler.hasNested { session.note(.withContainers, of: Value.self) }
        return
      }
    } catch {
      if assembler.isOpen(serial) { throw error }
    }
    // The value wrote to several containers alternately, or broke a rule. It is encoded again as a tree.
    assembler.drop()
    _ = assembler.begin()
    session.note(way == .direct ? .withContainers : .asTree, of: Value.self)
    try encodeAsTree(value)
    session.noteTag(of: Value.self)
  }

  private func encodeAsTree(_ value: some Encodable) throws {
    let tree = ValueTree(path: codingPath, depth: depth, level: self)
    defer { tree.detach() }
    try tree.encode(value)
    _ = tree.write(to: &assembler)
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
    case .scalar(let kind):
      accept(assembler.set(kind.bits(of: value), 0, kind.archiveTag, of: serial), serial)
    case .native(let kind): encodeNative(kind, value, of: serial)
    case .optional(let type): try encodeOptional(type, value, of: serial)
    case .texts: accept(assembler.set(identical(value, as: [String].self), of: serial), serial)
    case .row(let kind): accept(kind.set(row: value, to: &assembler, of: serial), serial)
    case .array(let type): try encodeArray(type, value, of: serial)
    case .hashOrdered(let type): try encoder.encode(value, inOrderAs: type)
    }
  }

  private func encodeNative<Native: NativeValue, Value>(
    _ kind: Native.Type, _ value: Value, of serial: Int
  ) {
    accept(kind.write(value, to: &assembler, of: serial), serial)
  }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.limits.nestingDepth, at: codingPath)
  }

  /// Takes the result of a write.
  ///
  /// A value that was already written is encoded again as a tree, which reports the error.
  func accept(_ isDone: Bool, _ serial: Int) {
    if !isDone { session.giveUp(serial) }
  }
}
