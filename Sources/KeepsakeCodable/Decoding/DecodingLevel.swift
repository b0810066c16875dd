import KeepsakeArchive

/// One level of nesting, at which values are decoded one after the other.
///
/// Making a decoder or a keyed container takes longer than reading a small value with it. So the next value of a
/// level, also in later calls, reuses the decoder and the containers. A container that a type kept is not reused, and
/// still reads its value.
final class DecodingLevel: KeptContainers<KeyedSource>, ReusedLevel {
  let session: DecodingSession
  var parent: DecodingLevel?
  var below: DecodingLevel?
  private var decoder: NodeDecoder?
  /// The key of the value, unless it is an element.
  var key: (any CodingKey)?
  private var index = 0
  /// The type of the value, if it decodes itself.
  var decodedType: Any.Type?
  /// True when a value was decoded here since ``settle()``.
  private var isInUse = false
  /// The container that the current value opened last.
  private var opened: KeptContainer<KeyedSource>?

  private init(_ session: DecodingSession, parent: DecodingLevel?) {
    self.session = session
    self.parent = parent
  }

  convenience init(below parent: DecodingLevel) { self.init(parent.session, parent: parent) }

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

  var pathKey: (any CodingKey)? { parent == nil ? nil : key ?? PathKey(index) }

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
    if let below, below.isInUse { below.settle() }
    while let container = opened {
      opened = container.openedBefore
      (container.openedBefore, container.isOpened) = (nil, false)
      if !container.isFree { container.place.with { $0.kept = decoder } }
    }
    if !isKnownUniquelyReferenced(&decoder) {
      decoder?.keep(codingPath)
      decoder = nil
    }
  }
}

extension DecodingLevel {
  private static let pool = ObjectPool()

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
  static func fresh() -> DecodingLevel { DecodingLevel(DecodingSession(), parent: nil) }

  /// Ends a call; decoders and containers that the app kept work without it.
  static func end(_ level: inout DecodingLevel) {
    if level.isInUse { level.settle() }
    end(&level, pool: pool)
  }

  func endSession() -> Bool { session.end() }

  func leaveCoder() { decoder = nil }
}

extension DecodingLevel {
  /// A free container for keys of a type, to read a record that is the current value.
  @inline(__always)
  func container(
    of keys: ObjectIdentifier, reading record: RecordView
  ) -> KeptContainer<KeyedSource>? {
    guard let container = freeContainer(for: keys) else { return nil }
    container.place.with { source in
      source.record = record
      if source.kept != nil { source.kept = nil }
    }
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
