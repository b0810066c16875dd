import KeepsakeArchive

/// One value, without a key.
struct SingleValueNodeContainer: SingleValueEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool) throws { try set(.bool(value), value) }
  func encode(_ value: String) throws { try set(.string(value), value) }
  func encode(_ value: Double) throws { try set(.double(value), value) }
  func encode(_ value: Float) throws { try set(.float(value), value) }
  func encode(_ value: Int) throws { try set(.integer(value, .int64), value) }
  func encode(_ value: Int8) throws { try set(.integer(value, .int8), value) }
  func encode(_ value: Int16) throws { try set(.integer(value, .int16), value) }
  func encode(_ value: Int32) throws { try set(.integer(value, .int32), value) }
  func encode(_ value: Int64) throws { try set(.integer(value, .int64), value) }
  func encode(_ value: UInt) throws { try set(.integer(value, .uint64), value) }
  func encode(_ value: UInt8) throws { try set(.integer(value, .uint8), value) }
  func encode(_ value: UInt16) throws { try set(.integer(value, .uint16), value) }
  func encode(_ value: UInt32) throws { try set(.integer(value, .uint32), value) }
  func encode(_ value: UInt64) throws { try set(.integer(value, .uint64), value) }

  func encodeNil() throws { try set(.null, Any?.none as Any) }

  func encode(_ value: some Encodable) throws { try encoder.encode(value) }

  private func set(_ staged: StagedValue, _ value: Any) throws {
    try encoder.set(staged, for: value)
  }
}
