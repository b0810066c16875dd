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

  mutating func decode(_ type: Bool.Type) throws -> Bool { try nextScalar { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String {
    if currentIndex < elements.count, let text = elements.text(at: currentIndex) {
      currentIndex += 1
      return text
    }
    return try nextScalar { try $0.string() }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    if let bits = nextBits(.double) { return Double(bitPattern: bits) }
    return try nextScalar { try $0.double() }
  }
  mutating func decode(_ type: Float.Type) throws -> Float { try nextScalar { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(.int64) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(.int8) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(.int16) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(.int32) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(.int64) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(.uint64) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(.uint8) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(.uint16) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(.uint32) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(.uint64) }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    guard currentIndex < elements.count else { throw pastEnd(type) }
    let decoded = try decoder.element(
      elements, currentIndex, decoder.reading(of: type), as: type)
    currentIndex += 1
    return decoded
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

  /// Reads the next element when it has exactly this tag; nil otherwise.
  private mutating func nextBits(_ tag: ArchiveTag) -> UInt64? {
    guard currentIndex < elements.count, let bits = elements.bits(tag, at: currentIndex)
    else { return nil }
    currentIndex += 1
    return bits
  }

  @inline(__always)
  private mutating func integer<Integer: FixedWidthInteger>(_ tag: ArchiveTag) throws -> Integer {
    if let bits = nextBits(tag) { return Integer(truncatingIfNeeded: bits) }
    return try nextScalar { try $0.integer() }
  }

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

  private mutating func nextScalar<Decoded>(
    _ read: (ValueReader) throws -> Decoded
  ) throws -> Decoded {
    let decoded = try read(current(Decoded.self))
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

// Integers of 128 bits are decoded by the generic method, as in the keyed container.

extension UnkeyedArchiveContainer {
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny() }

  private mutating func decodeAny<Decoded: Decodable>() throws -> Decoded {
    try decode(Decoded.self)
  }
}
