import KeepsakeArchive

/// One level of nesting, at which values are decoded one after the other.
///
/// Making a decoder or a keyed container takes longer than reading a small value with it. So the next value of a
/// level, also in later calls, reuses the decoder and the containers. A container that a type kept is not reused, and
/// still reads its value.
final class DecodingLevel: KeptContainers<KeyedSource> {
  let session: DecodingSession
  private var parent: DecodingLevel?
  private var below: DecodingLevel?
  private var decoder: NodeDecoder?
  /// The key of the value, unless it is an element.
  private var key: (any CodingKey)?
  private var index = 0
  /// The type of the value, if it decodes itself.
  var decodedType: Any.Type?
  /// True when a value was decoded here since ``settle()``.
  private var isInUse = false
  /// The container that the current value opened last.
  private var opened: KeptContainer<KeyedSource>?

  /// Makes the level of a top-level value, or the level below another one.
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

  /// The steps from the top-level value to the value that is decoded at this level, outermost first.
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

  var codingPath: [any CodingKey] { codingPath(to: nil) }

  /// The path to a key in the current value, or to the value itself when `key` is nil.
  ///
  /// It must be fast: some types try one kind of value after the other, and each failure makes an error with a path.
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

  /// Appends the keys of the levels above and of this one; the limit of nesting bounds their number.
  private func appendPath(to path: inout [any CodingKey]) {
    guard let parent else { return }
    parent.appendPath(to: &path)
    path.append(key ?? PathKey(index))
  }

  /// The decoder of the level, set to the next value, under a key.
  func decoder(of value: ValueView, at key: some CodingKey) -> NodeDecoder {
    if isInUse { settle() }
    self.key = key
    return decoder(of: value)
  }

  /// The decoder of the level, set to the next value, at an index.
  func decoder(of value: ValueView, atIndex index: Int) -> NodeDecoder {
    if isInUse { settle() }
    if key != nil { key = nil }
    self.index = index
    return decoder(of: value)
  }

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

  /// Detaches the decoder and the containers of the last value if its type kept them, so that they are not reused.
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
  /// When a call made deeper levels than this, none of its levels are kept for the next call.
  private static var mostLevels: Int { 16 }

  /// The level of a top-level value: a pooled one or a new one.
  static func begin(_ call: DecodingSession.Call) -> DecodingLevel {
    let level = pool.take() as? DecodingLevel ?? fresh()
    level.attach()
    level.session.call = call
    return level
  }

  /// A new level.
  ///
  /// A caller that does not end its level must take a new one: the containers of a pooled level keep it alive until
  /// ``end(_:)`` detaches them.
  static func fresh() -> DecodingLevel { DecodingLevel(session: DecodingSession(), parent: nil) }

  /// Ends a call, and keeps the level for the next one; decoders and containers that the app kept work without it.
  static func end(_ level: inout DecodingLevel) {
    level.settleIfInUse()
    if level.detach(mostLevels), isKnownUniquelyReferenced(&level), level.session.end() {
      pool.give(level)
    } else {
      level.giveUp()
    }
  }

  /// Attaches the containers of this level and of the levels below, which are all free, for another call.
  private func attach() {
    for container in containers { container.place.with { $0.attachedLevel = self } }
    below?.parent = self
    below?.attach()
  }

  /// Releases the references that containers and lower levels have to this level; false when the levels cannot be
  /// kept, because the app still holds a container or they are too deep.
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

  /// Releases the levels below and the containers, which refer to this level.
  private func giveUp() {
    below?.parent = self
    below?.giveUp()
    below = nil
    decoder = nil
    leaveContainers()
  }
}

extension DecodingLevel {
  /// A free container for keys of a type, to read the current value.
  func container(of keys: ObjectIdentifier) -> KeptContainer<KeyedSource>? {
    guard let container = freeContainer(for: keys) else { return nil }
    open(container)
    return container
  }

  func keepOpened(_ container: KeptContainer<KeyedSource>) {
    keep(container)
    open(container)
  }

  private func open(_ container: KeptContainer<KeyedSource>) {
    // A value may release a container and open it again.
    if container.isOpened { return }
    (container.openedBefore, container.isOpened) = (opened, true)
    opened = container
  }
}
