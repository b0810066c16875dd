import KeepsakeArchive

/// Reads the values under the keys of a record, or of a dictionary as if it were one (Spec/archive.md, section 9).
struct KeyedArchiveContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: KeyedSource

  var codingPath: [any CodingKey] { source.codingPath }

  /// The keys at the top of the record; those in scopes and reserved ones belong to no `Codable` type.
  var allKeys: [Key] {
    var keys: [Key] = []
    source.forEachKey { name, number in
      if let number, let key = Key(intValue: number) {
        keys.append(key)
      } else if let key = Key(stringValue: name) {
        keys.append(key)
      }
    }
    return keys
  }

  /// The bytes of the name decide: nothing can be thrown here.
  func contains(_ key: Key) -> Bool { source.value(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try source.stored(key).isNil }

  /// The method for each number and for truth values.
  @inline(__always)
  func decode<Scalar: CodableScalar>(_ type: Scalar.Type, forKey key: Key) throws -> Scalar {
    try source.scalar(key) ?? source.nested(source.stored(key), at: key).scalar()
  }

  // The protocol's default methods refuse integers of 128 bits.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try any(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try any(key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try any(key)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try source.record?.text(forKey: key.stringValue) ?? any(key)
  }

  @inline(__always)
  private func any<Value: Decodable>(_ key: Key) throws -> Value {
    try source.nested(source.stored(key), at: key).decode(Value.self)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try find(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try find(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try find(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try find(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try find(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try find(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try find(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try find(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try find(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try find(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try find(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try find(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try find(key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try findAny(key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try findAny(key)
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try findAny(key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try source.record?.text(forKey: key.stringValue) ?? findAny(key)
  }

  @inline(__always)
  private func find<Scalar: CodableScalar>(_ key: Key) throws -> Scalar? {
    try source.scalar(key) ?? findAny(key)
  }

  @inline(__always)
  private func findAny<Value: Decodable>(_ key: Key) throws -> Value? {
    guard let value = try source.valueIfPresent(key) else { return nil }
    return try source.nested(value, at: key).decode(Value.self)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try source.nested(source.stored(key), at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try source.nested(source.stored(key), at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try source.decoderOrNull(PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try source.decoderOrNull(key) }
}
