import KeepsakeArchive

/// The values of one record under their keys.
struct KeyedArchiveContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: NodeDecoder
  private let keys: [ArchiveKey]
  private let values: [ArchiveKey: ArchivedValue]

  init(record: ArchivedRecord, decoder: NodeDecoder) {
    self.decoder = decoder
    // What stands in a scope or under a reserved key belongs to no `Codable` type.
    let fields = record.fields.filter { $0.scope.isEmpty && !$0.key.isReserved }
    keys = fields.map(\.key)
    values = Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { keys.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { values[ArchiveKey(key.stringValue)] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try nested(key).value.isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try nested(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try nested(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try nested(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try nested(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try nested(key).integer() }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try nested(key).integer() }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try nested(key).integer() }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try nested(key).integer() }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try nested(key).integer() }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try nested(key).integer() }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try nested(key).integer() }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try nested(key).integer() }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try nested(key).integer() }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try nested(key).integer() }

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
    guard let value = values[ArchiveKey(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "There is no value under \(key.stringValue)."))
    }
    return decoder.nested(value, at: key)
  }

  /// A decoder of nil where the superclass wrote nothing, as JSON's and property lists' have it.
  private func decoderOrNull(_ key: any CodingKey) -> NodeDecoder {
    decoder.nested(values[ArchiveKey(key.stringValue)] ?? .null, at: key)
  }
}
