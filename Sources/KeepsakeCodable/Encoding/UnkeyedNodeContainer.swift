import KeepsakeArchive

/// Values in a row.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.entries.count }

  func encode(_ value: Bool) throws { append(.bool(value)) }
  func encode(_ value: String) throws { append(.string(value)) }
  func encode(_ value: Double) throws { append(.double(value)) }
  func encode(_ value: Float) throws { append(.float(value)) }
  func encode(_ value: Int) throws { append(.int(value)) }
  func encode(_ value: Int8) throws { append(.int8(value)) }
  func encode(_ value: Int16) throws { append(.int16(value)) }
  func encode(_ value: Int32) throws { append(.int32(value)) }
  func encode(_ value: Int64) throws { append(.int64(value)) }
  func encode(_ value: UInt) throws { append(.uint(value)) }
  func encode(_ value: UInt8) throws { append(.uint8(value)) }
  func encode(_ value: UInt16) throws { append(.uint16(value)) }
  func encode(_ value: UInt32) throws { append(.uint32(value)) }
  func encode(_ value: UInt64) throws { append(.uint64(value)) }

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
