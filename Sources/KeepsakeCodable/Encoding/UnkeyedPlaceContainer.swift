import KeepsakeArchive

/// Values in a row, written as they come.
struct UnkeyedPlaceContainer: UnkeyedEncodingContainer {
  let level: EncodingLevel
  let serial: Int

  var codingPath: [any CodingKey] { level.codingPath }
  var count: Int { level.assembler.elementCount(of: serial) }

  func encode(_ value: Bool) throws { append(value ? 1 : 0, .bool) }
  func encode(_ value: String) throws {
    if !level.assembler.append(value, .string, to: serial) { outOfTurn() }
  }
  func encode(_ value: Double) throws { append(value.bitPattern, .double) }
  func encode(_ value: Float) throws { append(UInt64(value.bitPattern), .float) }
  func encode(_ value: Int) throws { append(bits(value), .int64) }
  func encode(_ value: Int8) throws { append(bits(value), .int8) }
  func encode(_ value: Int16) throws { append(bits(value), .int16) }
  func encode(_ value: Int32) throws { append(bits(value), .int32) }
  func encode(_ value: Int64) throws { append(bits(value), .int64) }
  func encode(_ value: UInt) throws { append(UInt64(value), .uint64) }
  func encode(_ value: UInt8) throws { append(UInt64(value), .uint8) }
  func encode(_ value: UInt16) throws { append(UInt64(value), .uint16) }
  func encode(_ value: UInt32) throws { append(UInt64(value), .uint32) }
  func encode(_ value: UInt64) throws { append(value, .uint64) }

  func encodeNil() throws { append(0, .null) }

  func encode(_ value: some Encodable) throws {
    let assembler = level.assembler
    guard serial == assembler.serial else { return outOfTurn() }
    let next = level.next
    if next.key != nil { next.key = nil }
    let inner = assembler.begin()
    do {
      try next.encode(value, of: inner)
    } catch {
      assembler.drop()
      throw error
    }
    assembler.endElement()
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func append(_ bits: UInt64, _ tag: ArchiveTag) {
    if !level.assembler.append(bits, tag, to: serial) { outOfTurn() }
  }

  private func nested() -> NodeEncoder {
    let encoder = PlaceEncoder(level: level, serial: serial).giveUp(PathKey(count))
    level.assembler.skipElement(of: serial)
    return encoder
  }

  private func outOfTurn() {
    level.session.giveUp(serial)
    level.assembler.skipElement(of: serial)
  }
}
