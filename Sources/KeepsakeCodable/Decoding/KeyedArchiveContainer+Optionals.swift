import KeepsakeArchive

// Optional values: a single look-up finds whether there is a value.

extension KeyedArchiveContainer {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try ifPresent(key) { try decode(type, forKey: key) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    if let text = record.text(forKey: key.stringValue) { return text }
    return try ifPresent(key) { try decode(type, forKey: key) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    if let bits = record.bits(.double, forKey: key.stringValue) { return Double(bitPattern: bits) }
    return try ifPresent(key) { try decode(type, forKey: key) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try ifPresent(key) { try decode(type, forKey: key) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try narrowInt(key) ?? integerIfPresent(key, .int64)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try integerIfPresent(key, .int8)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try integerIfPresent(key, .int16)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try integerIfPresent(key, .int32)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try integerIfPresent(key, .int64)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try narrowUInt(key) ?? integerIfPresent(key, .uint64)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try integerIfPresent(key, .uint8)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try integerIfPresent(key, .uint16)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try integerIfPresent(key, .uint32)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try integerIfPresent(key, .uint64)
  }

  func decodeIfPresent<Decoded: Decodable>(
    _ type: Decoded.Type, forKey key: Key
  ) throws -> Decoded? {
    guard let value = record.value(forKey: key.stringValue) else {
      try checkSpelling(key)
      return nil
    }
    if value.isNil { return nil }
    return try source.nested(value, at: key).decode(type)
  }

  @inline(__always)
  private func integerIfPresent<Integer: FixedWidthInteger>(
    _ key: Key, _ tag: ArchiveTag
  ) throws -> Integer? {
    if let bits = record.bits(tag, forKey: key.stringValue) {
      return Integer(truncatingIfNeeded: bits)
    }
    return try ifPresent(key) { try integer(key, tag) }
  }

  /// Reads a value; nil when the key is absent, or a nil is stored under it.
  @inline(__always)
  private func ifPresent<Value>(_ key: Key, _ read: () throws -> Value) throws -> Value? {
    switch record.isNil(forKey: key.stringValue) {
    case false?: return try read()
    case true?: return nil
    case nil:
      try checkSpelling(key)
      return nil
    }
  }
}
