import KeepsakeArchive

/// One level of nesting, at which values are decoded one after the other.
///
/// Making a decoder or a keyed container takes longer than reading a small value with it. So the next value of a level,
/// also in later calls, uses the decoder and the containers again. A container that the type kept goes on reading its
/// own value.
final class DecodingLevel: KeptContainers<KeyedSource> {
  let session: DecodingSession
  private var parent: DecodingLevel?
  private var below: DecodingLevel?
  /// The decoder of the value that is decoded here.
  private var decoder: NodeDecoder?
  /// The key of the value, unless it is an element.
  private var key: (any CodingKey)?
  private var index = 0
  /// The type of the value, if it decodes itself.
  var decodedType: Any.Type?
  /// Whether a value was decoded here since ``settle()``.
  private var isInUse = false
  /// The last of those that the present value asked for.
  private var opened: KeptContainer<KeyedSource>?

  /// The level of an archive's one value, or one below another.
  fileprivate init(session: DecodingSession, parent: DecodingLevel?) {
    self.session = session
    self.parent = parent
  }

  /// The level of the values in a container of this one.
  var next: DecodingLevel {
    if let below { return below }
    let level = DecodingLevel(session: session, parent: self)
    below = level
    return level
  }

  /// The steps from the archive's one value to the value that is decoded at this level, outermost first.
  var steps: [Step] {
    var steps: [Step] = []
    var level: DecodingLevel? = self
    while let current = level {
      let isElement = current.parent != nil && current.key == nil
      steps.append(
        Step(type: current.decodedType, name: current.key?.stringValue, isElement: isElement))
      level = current.parent
    }
    steps.reverse()
    return steps
  }

  /// The path to the value that is decoded here.
  var codingPath: [any CodingKey] { codingPath(to: nil) }

  /// The path to the value under a key in that value; to the value itself without a key.
  ///
  /// Some types try one kind of value after the other, with an error and its path for each that is not stored.
  func codingPath(to key: (any CodingKey)?) -> [any CodingKey] {
    var depth = key == nil ? 0 : 1
    var level = self
    while let parent = level.parent { (level, depth) = (parent, depth + 1) }
    var path: [any CodingKey] = []
    path.reserveCapacity(depth)
    appendPath(to: &path)
    if let key { path.append(key) }
    return path
  }

  /// Appends the keys of the levels above and of this one; there are as many as the limit of nesting allows.
  private func appendPath(to path: inout [any CodingKey]) {
    guard let parent else { return }
    parent.appendPath(to: &path)
    path.append(key ?? PathKey(index))
  }

  /// A decoder of the next value, under a key.
  func decoder(of value: ValueView, at key: some CodingKey) -> NodeDecoder {
    if isInUse { settle() }
    self.key = key
    return decoder(of: value)
  }

  /// A decoder of the next value, at an index.
  func decoder(of value: ValueView, atIndex index: Int) -> NodeDecoder {
    if isInUse { settle() }
    if key != nil { key = nil }
    self.index = index
    return decoder(of: value)
  }

  /// A decoder of the next value.
  func decoder(of value: ValueView) -> NodeDecoder {
    isInUse = true
    decodedType = nil
    if let decoder {
      decoder.value = value
      return decoder
    }
    let fresh = NodeDecoder(value, at: self)
    decoder = fresh
    return fresh
  }

  /// Leaves the decoder of the last value, and containers of it, to those who kept them.
  private func settle() {
    isInUse = false
    below?.settleIfInUse()
    while let container = opened {
      opened = container.openedBefore
      (container.openedBefore, container.isOpened) = (nil, false)
      if !container.isFree {
        container.place.with { $0.kept = decoder }
        leave(container)
      }
    }
    if !isKnownUniquelyReferenced(&decoder) {
      decoder?.keep(codingPath)
      decoder = nil
    }
  }

  private func settleIfInUse() {
    if isInUse { settle() }
  }
}

extension DecodingLevel {
  private static let pool = ObjectPool()
  /// So many levels are left to the next call.
  private static var mostLevels: Int { 16 }

  /// The level of an archive's one value, new or as another call left it.
  static func begin(
    _ userInfo: [CodingUserInfoKey: any Sendable], _ archive: Archive,
    _ missingKeys: MissingKeys? = nil
  ) -> DecodingLevel {
    let level = pool.take() as? DecodingLevel ?? fresh()
    level.attach()
    level.session.begin(userInfo, archive, missingKeys)
    return level
  }

  /// A level that no call has had.
  ///
  /// One that is never ended has to be such a level: the containers of others hold them until their end.
  static func fresh() -> DecodingLevel { DecodingLevel(session: DecodingSession(), parent: nil) }

  /// Ends a call, and leaves the level to the next one; what was kept by others goes on without it.
  static func end(_ level: inout DecodingLevel) {
    level.settleIfInUse()
    if level.detach(mostLevels), isKnownUniquelyReferenced(&level), level.session.end() {
      pool.give(level)
    } else {
      level.giveUp()
    }
  }

  /// Prepares the containers of this level and those below for another call, which no type has kept.
  private func attach() {
    for container in containers { container.place.with { $0.attachedLevel = self } }
    below?.parent = self
    below?.attach()
  }

  /// Lets go of the references that hold this level and those below from there; false if others hold them too.
  private func detach(_ mostLevels: Int) -> Bool {
    guard containers.allSatisfy({ $0.isFree }) else { return false }
    for container in containers { container.place.with { $0.attachedLevel = nil } }
    key = nil
    decoder = nil
    if below == nil { return true }
    guard mostLevels > 0, below?.detach(mostLevels - 1) == true else { return false }
    below?.parent = nil
    return isKnownUniquelyReferenced(&below)
  }

  /// Lets go of the levels below and of what holds this one.
  private func giveUp() {
    below?.parent = self
    below?.giveUp()
    below = nil
    decoder = nil
    leaveContainers()
  }
}

extension DecodingLevel {
  /// A free container of keys of a type, to read the present value.
  func container(of keys: ObjectIdentifier) -> KeptContainer<KeyedSource>? {
    guard let container = freeContainer(for: keys) else { return nil }
    open(container)
    return container
  }

  /// Keeps a container that the present value asked for.
  func keepOpened(_ container: KeptContainer<KeyedSource>) {
    keep(container)
    open(container)
  }

  private func open(_ container: KeptContainer<KeyedSource>) {
    // A value may let go of one and ask for it again.
    if container.isOpened { return }
    (container.openedBefore, container.isOpened) = (opened, true)
    opened = container
  }
}

/// The record that a keyed container reads from; another one when the container is used again.
final class KeyedSource {
  var record: RecordView
  /// The level; nil while the container is free and waits for another call.
  var attachedLevel: DecodingLevel?
  /// The decoder of the record, if it is no longer that of the value which is decoded at the level.
  var kept: NodeDecoder?

  init(_ record: RecordView, _ level: DecodingLevel, kept: NodeDecoder?) {
    self.record = record
    attachedLevel = level
    self.kept = kept
  }

  /// The level, or one that has no values.
  var level: DecodingLevel { attachedLevel ?? DecodingLevel.fresh() }

  var codingPath: [any CodingKey] { kept?.codingPath ?? level.codingPath }

  /// A default for a key that the record lacks.
  func defaultValue(forKey key: String) throws -> ValueView? {
    kept == nil ? try level.defaultValue(forKey: key) : nil
  }

  /// A decoder of a value of the record.
  @inline(__always)
  func nested(_ value: ValueView, at key: some CodingKey) -> NodeDecoder {
    kept?.nested(value, at: key) ?? level.next.decoder(of: value, at: key)
  }

  /// A value of the record, with the place for errors.
  func reader(_ value: ValueView, _ key: any CodingKey) -> ValueReader {
    ValueReader(value: value, level: level, path: kept?.codingPath, key: key)
  }
}
