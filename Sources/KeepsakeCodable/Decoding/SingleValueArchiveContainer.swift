import KeepsakeArchive

struct SingleValueArchiveContainer: SingleValueDecodingContainer {
  let decoder: NodeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value.isNil }

  func decode(_ type: String.Type) throws -> String {
    try decoder.value.text ?? decoder.string()
  }

  /// The method for each number and for truth values.
  @inline(__always)
  func decode<Scalar: CodableScalar>(_ type: Scalar.Type) throws -> Scalar {
    if let scalar = decoder.value.scalar, let value = Scalar(converting: scalar) { return value }
    return try decoder.scalar()
  }

  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try decoder.decode(type)
  }

  // The protocol's default methods refuse integers of 128 bits.
  func decode(_ type: Int128.Type) throws -> Int128 { try decoder.decode(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.decode(type) }
}
