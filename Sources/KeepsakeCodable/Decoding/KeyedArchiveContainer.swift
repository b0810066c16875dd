import KeepsakeArchive

/// The values of one record under their keys.
struct KeyedArchiveContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let record: StoredRecord
  private let decoder: NodeDecoder

  init(record: StoredRecord, decoder: NodeDecoder) {
    self.record = record
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// What stands in a scope or under a reserved key belongs to no `Codable` type.
  var allKeys: [Key] { record.keyNames.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { record.value(forKey: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try reader(key).value.isNil }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try string(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try reader(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try reader(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try nested(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoderOrNull(PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { decoderOrNull(key) }

  private func nested(_ key: Key) throws -> NodeDecoder {
    decoder.nested(try stored(key), at: key)
  }

  private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
    let value = try stored(key)
    // The place is needed for errors alone.
    return try value.exactly() ?? ValueReader(value: value, decoder: decoder, key: key).integer()
  }

  private func string(_ key: Key) throws -> String {
    let value = try stored(key)
    return try value.text ?? ValueReader(value: value, decoder: decoder, key: key).string()
  }

  private func reader(_ key: Key) throws -> ValueReader {
    ValueReader(value: try stored(key), decoder: decoder, key: key)
  }

  private func stored(_ key: Key) throws -> StoredValue {
    guard let value = record.value(forKey: key.stringValue) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "There is no value under \(key.stringValue)."))
    }
    return value
  }

  /// A decoder of nil where the superclass wrote nothing, as JSON's and property lists' have it.
  private func decoderOrNull(_ key: any CodingKey) -> NodeDecoder {
    decoder.nested(record.value(forKey: key.stringValue) ?? decoder.value.absent, at: key)
  }
}
