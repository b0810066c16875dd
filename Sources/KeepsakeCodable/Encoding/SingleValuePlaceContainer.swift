import KeepsakeArchive

/// One value, without a key, written at once.
struct SingleValuePlaceContainer: SingleValueEncodingContainer {
  let encoder: PlaceEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool) throws { set(value ? 1 : 0, .bool) }
  func encode(_ value: String) throws {
    if !encoder.level.assembler.set(value, .string, of: encoder.serial) { encoder.outOfTurn() }
  }
  func encode(_ value: Double) throws { set(value.bitPattern, .double) }
  func encode(_ value: Float) throws { set(UInt64(value.bitPattern), .float) }
  func encode(_ value: Int) throws { set(bits(value), .int64) }
  func encode(_ value: Int8) throws { set(bits(value), .int8) }
  func encode(_ value: Int16) throws { set(bits(value), .int16) }
  func encode(_ value: Int32) throws { set(bits(value), .int32) }
  func encode(_ value: Int64) throws { set(bits(value), .int64) }
  func encode(_ value: UInt) throws { set(UInt64(value), .uint64) }
  func encode(_ value: UInt8) throws { set(UInt64(value), .uint8) }
  func encode(_ value: UInt16) throws { set(UInt64(value), .uint16) }
  func encode(_ value: UInt32) throws { set(UInt64(value), .uint32) }
  func encode(_ value: UInt64) throws { set(value, .uint64) }

  func encodeNil() throws { set(0, .null) }

  func encode(_ value: some Encodable) throws {
    try encoder.level.encode(value, inPlaceOf: encoder)
  }

  private func set(_ bits: UInt64, _ tag: ArchiveTag) {
    if !encoder.level.assembler.set(bits, tag, of: encoder.serial) { encoder.outOfTurn() }
  }
}
