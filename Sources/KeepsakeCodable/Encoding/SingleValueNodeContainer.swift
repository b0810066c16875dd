import KeepsakeArchive

/// One value, without a key.
struct SingleValueNodeContainer: SingleValueEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool) throws { try set(value, value) }
  func encode(_ value: String) throws { try set(value, value) }
  func encode(_ value: Double) throws { try set(value, value) }
  func encode(_ value: Float) throws { try set(value, value) }
  func encode(_ value: Int) throws { try set(value, value) }
  func encode(_ value: Int8) throws { try set(value, value) }
  func encode(_ value: Int16) throws { try set(value, value) }
  func encode(_ value: Int32) throws { try set(value, value) }
  func encode(_ value: Int64) throws { try set(value, value) }
  func encode(_ value: UInt) throws { try set(value, value) }
  func encode(_ value: UInt8) throws { try set(value, value) }
  func encode(_ value: UInt16) throws { try set(value, value) }
  func encode(_ value: UInt32) throws { try set(value, value) }
  func encode(_ value: UInt64) throws { try set(value, value) }

  func encodeNil() throws { try set(codedNil, Any?.none as Any) }

  func encode(_ value: some Encodable) throws { try encoder.encode(value) }

  private func set(_ archived: any ArchiveValue, _ value: Any) throws {
    try encoder.set(archived, for: value)
  }
}
