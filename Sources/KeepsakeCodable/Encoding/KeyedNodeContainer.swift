import KeepsakeArchive

/// Values under keys.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) throws { put(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) throws { put(.double(value), key) }
  func encode(_ value: Float, forKey key: Key) throws { put(.float(value), key) }
  func encode(_ value: Int, forKey key: Key) throws { put(.integer(value, .int64), key) }
  func encode(_ value: Int8, forKey key: Key) throws { put(.integer(value, .int8), key) }
  func encode(_ value: Int16, forKey key: Key) throws { put(.integer(value, .int16), key) }
  func encode(_ value: Int32, forKey key: Key) throws { put(.integer(value, .int32), key) }
  func encode(_ value: Int64, forKey key: Key) throws { put(.integer(value, .int64), key) }
  func encode(_ value: UInt, forKey key: Key) throws { put(.integer(value, .uint64), key) }
  func encode(_ value: UInt8, forKey key: Key) throws { put(.integer(value, .uint8), key) }
  func encode(_ value: UInt16, forKey key: Key) throws { put(.integer(value, .uint16), key) }
  func encode(_ value: UInt32, forKey key: Key) throws { put(.integer(value, .uint32), key) }
  func encode(_ value: UInt64, forKey key: Key) throws { put(.integer(value, .uint64), key) }

  func encodeNil(forKey key: Key) throws { put(.null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.put(try encoder.staged(value, at: key), forKey: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(PathKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func put(_ value: StagedValue, _ key: Key) {
    encoder.put(value, forKey: key.stringValue)
  }

  /// An encoder of what is under a key: what a container filled there before, or something new.
  private func nested(_ key: any CodingKey) -> NodeEncoder {
    if let known = encoder.container(forKey: key.stringValue) { return known }
    return encoder.nested(at: key) { encoder.put(.node($0), forKey: key.stringValue) }
  }
}
