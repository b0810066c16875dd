import KeepsakeArchive

/// One value, without a key.
struct SingleValueNodeContainer: SingleValueEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool) throws { try set(.bool(value), value) }
  func encode(_ value: String) throws { try set(.string(value), value) }
  func encode(_ value: Double) throws { try set(.double(value), value) }
  func encode(_ value: Float) throws { try set(.float(value), value) }
  func encode(_ value: Int) throws { try set(.int(value), value) }
  func encode(_ value: Int8) throws { try set(.int8(value), value) }
  func encode(_ value: Int16) throws { try set(.int16(value), value) }
  func encode(_ value: Int32) throws { try set(.int32(value), value) }
  func encode(_ value: Int64) throws { try set(.int64(value), value) }
  func encode(_ value: UInt) throws { try set(.uint(value), value) }
  func encode(_ value: UInt8) throws { try set(.uint8(value), value) }
  func encode(_ value: UInt16) throws { try set(.uint16(value), value) }
  func encode(_ value: UInt32) throws { try set(.uint32(value), value) }
  func encode(_ value: UInt64) throws { try set(.uint64(value), value) }

  func encodeNil() throws { try set(.null, Any?.none as Any) }

  func encode(_ value: some Encodable) throws { try encoder.encode(value) }

  private func set(_ staged: StagedValue, _ value: Any) throws {
    try encoder.set(staged, for: value)
  }
}
