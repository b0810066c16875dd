import KeepsakeArchive

/// Values in a row.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let encoder: NodeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elements.count }

  func encode(_ value: Bool) throws { append(.bool(value)) }
  func encode(_ value: String) throws { append(.string(value)) }
  func encode(_ value: Double) throws { append(.double(value)) }
  func encode(_ value: Float) throws { append(.float(value)) }
  func encode(_ value: Int) throws { append(ArchivedValue(value)) }
  func encode(_ value: Int8) throws { append(ArchivedValue(value)) }
  func encode(_ value: Int16) throws { append(ArchivedValue(value)) }
  func encode(_ value: Int32) throws { append(ArchivedValue(value)) }
  func encode(_ value: Int64) throws { append(ArchivedValue(value)) }
  func encode(_ value: UInt) throws { append(ArchivedValue(value)) }
  func encode(_ value: UInt8) throws { append(ArchivedValue(value)) }
  func encode(_ value: UInt16) throws { append(ArchivedValue(value)) }
  func encode(_ value: UInt32) throws { append(ArchivedValue(value)) }
  func encode(_ value: UInt64) throws { append(ArchivedValue(value)) }

  func encodeNil() throws { append(.null) }

  func encode(_ value: some Encodable) throws {
    let node = EncodingNode()
    try encoder.nested(node, at: PathKey(count)).encode(value)
    encoder.node.append(node)
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

  private func append(_ value: ArchivedValue) {
    encoder.node.append(EncodingNode(value))
  }

  private func nested() -> NodeEncoder {
    let node = EncodingNode()
    let key = PathKey(count)
    encoder.node.append(node)
    return encoder.nested(node, at: key)
  }
}
