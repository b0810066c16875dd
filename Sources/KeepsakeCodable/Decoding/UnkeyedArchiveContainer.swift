import KeepsakeArchive

struct UnkeyedArchiveContainer: UnkeyedDecodingContainer {
  private let elements: ArrayView
  private let decoder: NodeDecoder
  private(set) var currentIndex = 0

  init(elements: ArrayView, decoder: NodeDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < elements.count else { throw pastEnd(Any?.self) }
    guard elements.isNil(at: currentIndex) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: String.Type) throws -> String {
    if currentIndex < elements.count, let text = elements.text(at: currentIndex) {
      currentIndex += 1
      return text
    }
    let text = try current(type).string()
    currentIndex += 1
    return text
  }

  /// The method for each number and for truth values.
  @inline(__always)
  mutating func decode<Scalar: CodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    if currentIndex < elements.count, let stored = elements.scalar(at: currentIndex),
      let scalar = Scalar(converting: stored)
    {
      currentIndex += 1
      return scalar
    }
    let scalar: Scalar = try current(Scalar.self).scalar()
    currentIndex += 1
    return scalar
  }

  // The protocol's default methods refuse integers of 128 bits.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try any() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try any() }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try any() }

  @inline(__always)
  private mutating func any<Value: Decodable>() throws -> Value {
    guard currentIndex < elements.count else { throw pastEnd(Value.self) }
    let value = try decoder.element(
      elements, currentIndex, decoder.reading(of: Value.self), as: Value.self)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Reads the next element; the index advances only when that succeeds.
  @inline(__always)
  private mutating func next<Decoded>(
    _ read: (NodeDecoder) throws -> Decoded
  ) throws -> Decoded {
    guard currentIndex < elements.count else { throw pastEnd(Decoded.self) }
    let decoded = try read(decoder.nested(elements[currentIndex], atIndex: currentIndex))
    currentIndex += 1
    return decoded
  }

  private func current(_ type: Any.Type) throws -> ValueReader {
    guard currentIndex < elements.count else { throw pastEnd(type) }
    return decoder.reader.element(elements[currentIndex], at: currentIndex)
  }

  private func pastEnd(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [PathKey(currentIndex)],
        debugDescription: "The array has only \(elements.count) elements."))
  }
}
