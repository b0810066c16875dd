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
    try next { container, index in
      try container.elements.text(at: index) ?? container.nested(at: index).string()
    }
  }

  /// The method for each number and for truth values.
  @inline(__always)
  mutating func decode<Scalar: CodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    try next { container, index in
      if let stored = container.elements.scalar(at: index), let scalar = Scalar(converting: stored)
      {
        return scalar
      }
      return try container.nested(at: index).scalar()
    }
  }

  // The protocol's default methods refuse integers of 128 bits.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try any() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try any() }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try any() }

  @inline(__always)
  private mutating func any<Value: Decodable>() throws -> Value {
    try next { container, index in
      let decoder = container.decoder
      return try decoder.element(
        container.elements, index, decoder.reading(of: Value.self), as: Value.self)
    }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next { try $0.nested(at: $1).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.nested(at: $1).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0.nested(at: $1) } }

  /// Reads the next element; the index advances only when that succeeds.
  @inline(__always)
  private mutating func next<Decoded>(_ read: (Self, Int) throws -> Decoded) throws -> Decoded {
    guard currentIndex < elements.count else { throw pastEnd(Decoded.self) }
    let decoded = try read(self, currentIndex)
    currentIndex += 1
    return decoded
  }

  private func nested(at index: Int) -> NodeDecoder {
    decoder.nested(elements[index], atIndex: index)
  }

  private func pastEnd(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [PathKey(currentIndex)],
        debugDescription: "The array has only \(elements.count) elements."))
  }
}
