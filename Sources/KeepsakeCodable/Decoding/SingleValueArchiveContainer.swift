import KeepsakeArchive

struct SingleValueArchiveContainer: SingleValueDecodingContainer {
  let decoder: NodeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value.isNil }

  func decode(_ type: Bool.Type) throws -> Bool { try decoder.reader.bool() }
  func decode(_ type: String.Type) throws -> String {
    try decoder.value.text ?? decoder.reader.string()
  }
  func decode(_ type: Double.Type) throws -> Double { try decoder.reader.double() }
  func decode(_ type: Float.Type) throws -> Float { try decoder.reader.float() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try decoder.decode(type)
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    try decoder.value.scalar?.integer(as: Integer.self) ?? decoder.reader.integer()
  }
}

// Integers of 128 bits are decoded by the generic method, as in the keyed container.

extension SingleValueArchiveContainer {
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny() }

  private func decodeAny<Decoded: Decodable>() throws -> Decoded { try decode(Decoded.self) }
}
