import KeepsakeArchive

struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: KeyedPlace

  var codingPath: [any CodingKey] { place.encoder.codingPath }

  func encode(_ value: Bool, forKey key: Key) throws { put(value ? 1 : 0, .bool, key) }
  func encode(_ value: Double, forKey key: Key) throws { put(value.bitPattern, .double, key) }
  func encode(_ value: Float, forKey key: Key) throws { put(UInt64(value.bitPattern), .float, key) }
  func encode(_ value: Int, forKey key: Key) throws { put(bits(value), Int.archiveTag, key) }
  func encode(_ value: Int8, forKey key: Key) throws { put(bits(value), .int8, key) }
  func encode(_ value: Int16, forKey key: Key) throws { put(bits(value), .int16, key) }
  func encode(_ value: Int32, forKey key: Key) throws { put(bits(value), .int32, key) }
  func encode(_ value: Int64, forKey key: Key) throws { put(bits(value), .int64, key) }
  func encode(_ value: UInt, forKey key: Key) throws { put(bits(value), UInt.archiveTag, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { put(bits(value), .uint8, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { put(bits(value), .uint16, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { put(bits(value), .uint32, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { put(bits(value), .uint64, key) }

  func encode(_ value: String, forKey key: Key) throws {
    if !place.assembler.put(value, .string, forKey: key.stringValue, of: place.serial) {
      place.putLater(.string(value), key)
    }
  }

  func encodeNil(forKey key: Key) throws { put(0, .null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try encode(value, forKey: key, omitsNil: false)
  }

  @inline(__always)
  func encode(_ value: some Encodable, forKey key: Key, omitsNil: Bool) throws {
    guard place.assembler.isCurrent(place.serial) else {
      return try place.encodeLater(value, key, omitsNil: omitsNil)
    }
    let next = place.level.next
    next.key = key
    try next.encodeInside(value)
    place.assembler.end(forKey: key.stringValue, omitsNil: omitsNil)
  }

  // The protocol's default methods refuse integers of 128 bits.
  func encode(_ value: Int128, forKey key: Key) throws { try encodeAny(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try encodeAny(value, key) }

  private func encodeAny(_ value: some Encodable, _ key: Key) throws {
    try encode(value, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    place.nested(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    place.nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { place.nested(PathKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { place.nested(key) }

  private func put(_ bits: UInt64, _ tag: ArchiveTag, _ key: Key) {
    if !place.assembler.put(bits, tag, forKey: key.stringValue, of: place.serial) {
      place.putLater(.word(bits, 0, tag), key)
    }
  }
}

struct UnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  private var assembler: RecordAssembler {
    @inline(__always)
    _read { yield encoder.level.assembler }
    @inline(__always)
    nonmutating _modify { yield &encoder.level.assembler }
  }

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int {
    encoder.tree?.count ?? assembler.elementCount(of: encoder.serial)
  }

  func encode(_ value: Bool) throws { append(value ? 1 : 0, .bool) }
  func encode(_ value: Double) throws { append(value.bitPattern, .double) }
  func encode(_ value: Float) throws { append(UInt64(value.bitPattern), .float) }
  func encode(_ value: Int) throws { append(bits(value), Int.archiveTag) }
  func encode(_ value: Int8) throws { append(bits(value), .int8) }
  func encode(_ value: Int16) throws { append(bits(value), .int16) }
  func encode(_ value: Int32) throws { append(bits(value), .int32) }
  func encode(_ value: Int64) throws { append(bits(value), .int64) }
  func encode(_ value: UInt) throws { append(bits(value), UInt.archiveTag) }
  func encode(_ value: UInt8) throws { append(bits(value), .uint8) }
  func encode(_ value: UInt16) throws { append(bits(value), .uint16) }
  func encode(_ value: UInt32) throws { append(bits(value), .uint32) }
  func encode(_ value: UInt64) throws { append(bits(value), .uint64) }

  func encode(_ value: String) throws {
    if !assembler.append(value, .string, to: encoder.serial) { appendLater(.string(value)) }
  }

  func encodeNil() throws { append(0, .null) }

  func encode(_ value: some Encodable) throws {
    guard assembler.isCurrent(encoder.serial) else {
      guard let tree = encoder.tree else { return outOfTurn() }
      return tree.append(try tree.staged(value, at: PathKey(count)))
    }
    let next = encoder.level.next
    if next.key != nil { next.key = nil }
    try next.encodeInside(value)
    assembler.endElement()
  }

  func encode(_ value: Int128) throws { try encodeAny(value) }
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  private func encodeAny(_ value: some Encodable) throws { try encode(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func append(_ bits: UInt64, _ tag: ArchiveTag) {
    if !assembler.append(bits, tag, to: encoder.serial) { appendLater(.word(bits, 0, tag)) }
  }

  private func appendLater(_ value: StagedValue) {
    if let tree = encoder.tree { tree.append(value) } else { outOfTurn() }
  }

  private func nested() -> ValueEncoder {
    if let tree = encoder.tree {
      return tree.nested(at: PathKey(count)) { tree.append(.tree($0)) }.encoder
    }
    let next = encoder.level.next
    if !next.isTooDeep, let serial = assembler.beginNestedElement(of: encoder.serial) {
      next.key = nil
      return ValueEncoder(level: next, serial: serial, tree: nil)
    }
    let nested = encoder.giveUp(PathKey(count)).encoder
    assembler.skipElement(of: encoder.serial)
    return nested
  }

  private func outOfTurn() {
    encoder.outOfTurn()
    assembler.skipElement(of: encoder.serial)
  }
}

struct SingleValueContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: Bool) throws { try set(value ? 1 : 0, .bool, value) }
  func encode(_ value: Double) throws { try set(value.bitPattern, .double, value) }
  func encode(_ value: Float) throws { try set(UInt64(value.bitPattern), .float, value) }
  func encode(_ value: Int) throws { try set(bits(value), Int.archiveTag, value) }
  func encode(_ value: Int8) throws { try set(bits(value), .int8, value) }
  func encode(_ value: Int16) throws { try set(bits(value), .int16, value) }
  func encode(_ value: Int32) throws { try set(bits(value), .int32, value) }
  func encode(_ value: Int64) throws { try set(bits(value), .int64, value) }
  func encode(_ value: UInt) throws { try set(bits(value), UInt.archiveTag, value) }
  func encode(_ value: UInt8) throws { try set(bits(value), .uint8, value) }
  func encode(_ value: UInt16) throws { try set(bits(value), .uint16, value) }
  func encode(_ value: UInt32) throws { try set(bits(value), .uint32, value) }
  func encode(_ value: UInt64) throws { try set(bits(value), .uint64, value) }

  func encode(_ value: String) throws {
    if !encoder.level.assembler.set(value, .string, of: encoder.serial) {
      try setLater(.string(value), value)
    }
  }

  func encodeNil() throws { try set(0, .null, Any?.none) }

  func encode(_ value: some Encodable) throws {
    if let tree = encoder.tree { return try tree.encode(value) }
    try encoder.level.encode(value, inPlaceOf: encoder)
  }

  func encode(_ value: Int128) throws { try encodeAny(value) }
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  private func encodeAny(_ value: some Encodable) throws { try encode(value) }

  private func set<Value>(_ bits: UInt64, _ tag: ArchiveTag, _ value: Value) throws {
    if !encoder.level.assembler.set(bits, 0, tag, of: encoder.serial) {
      try setLater(.word(bits, 0, tag), value)
    }
  }

  private func setLater(_ staged: StagedValue, _ value: Any) throws {
    if let tree = encoder.tree { try tree.set(staged, for: value) } else { encoder.outOfTurn() }
  }
}

/// The bits of an integer of up to 64 bits.
@inline(__always)
private func bits(_ value: some FixedWidthInteger) -> UInt64 { UInt64(truncatingIfNeeded: value) }
