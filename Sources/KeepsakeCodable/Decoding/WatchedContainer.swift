import KeepsakeArchive

/// A keyed container that records each requested key, and reads from another container.
struct WatchedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let container: KeyedDecodingContainer<Key>
  let names: AskedKeys.Names

  var codingPath: [any CodingKey] { container.codingPath }

  var allKeys: [Key] {
    names.addList()
    return container.allKeys
  }

  func contains(_ key: Key) -> Bool { asking(key).contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try asking(key).decodeNil(forKey: key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try asking(key).decode(type, forKey: key)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try asking(key).decode(type, forKey: key)
  }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try asking(key).decode(type, forKey: key)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }

  func decodeIfPresent<Decoded: Decodable>(
    _ type: Decoded.Type, forKey key: Key
  ) throws -> Decoded? {
    try asking(key).decodeIfPresent(type, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try asking(key).nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try asking(key).nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder {
    names.add(PathKey.super.stringValue)
    return try container.superDecoder()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try asking(key).superDecoder(forKey: key)
  }

  /// Records a key, and returns the container to read it from.
  private func asking(_ key: Key) -> KeyedDecodingContainer<Key> {
    names.add(key.stringValue)
    return container
  }
}
