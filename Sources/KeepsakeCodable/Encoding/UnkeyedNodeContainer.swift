import KeepsakeArchive

/// Values in a row.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encode(_ value: Bool) throws { append(.bool(value)) }
  func encode(_ value: String) throws { append(.string(value)) }
  func encode(_ value: Double) throws { append(.double(value)) }
  func encode(_ value: Float) throws { append(.float(value)) }
  func encode(_ value: Int) throws { append(.integer(value, .int64)) }
  func encode(_ value: Int8) throws { append(.integer(value, .int8)) }
  func encode(_ value: Int16) throws { append(.integer(value, .int16)) }
  func encode(_ value: Int32) throws { append(.integer(value, .int32)) }
  func encode(_ value: Int64) throws { append(.integer(value, .int64)) }
  func encode(_ value: UInt) throws { append(.integer(value, .uint64)) }
  func encode(_ value: UInt8) throws { append(.integer(value, .uint8)) }
  func encode(_ value: UInt16) throws { append(.integer(value, .uint16)) }
  func encode(_ value: UInt32) throws { append(.integer(value, .uint32)) }
  func encode(_ value: UInt64) throws { append(.integer(value, .uint64)) }

  func encodeNil() throws { append(.null) }

  func encode(_ value: some Encodable) throws {
    encoder.append(try encoder.staged(value, at: PathKey(count)))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested() }

  private func append(_ value: StagedValue) {
    encoder.append(value)
  }

  private func nested() -> NodeEncoder {
    encoder.nested(at: PathKey(count)) { encoder.append(.node($0)) }
  }
}
