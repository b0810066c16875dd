import KeepsakeArchive

struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: KeyedPlace

  var codingPath: [any CodingKey] { place.encoder.codingPath }

  /// The method for each number and for truth values.
  @inline(__always)
  func encode<Scalar: CodableScalar>(_ value: Scalar, forKey key: Key) throws {
    place.put(value.storedBits, Scalar.archiveTag, key)
  }

  func encode(_ value: String, forKey key: Key) throws { place.put(value, key) }

  func encodeNil(forKey key: Key) throws { place.put(0, .null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try encode(value, forKey: key, omitsNil: false)
  }

  @inline(__always)
  func encode(_ value: some Encodable, forKey key: Key, omitsNil: Bool) throws {
    guard place.assembler.value.isCurrent(place.serial) else {
      return try place.encodeLater(value, key, omitsNil: omitsNil)
    }
    let next = place.level.next
    next.key = key
    try next.encodeInside(value)
    place.assembler.value.end(forKey: key.stringValue, omitsNil: omitsNil)
  }

  // The protocol's default methods refuse integers of 128 bits.
  func encode(_ value: Int128, forKey key: Key) throws {
    try encode(value, forKey: key, omitsNil: false)
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try encode(value, forKey: key, omitsNil: false)
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

  // Optional values are left out if they are nil. The key keeps a slot in the record, so a nil does not make another
  // shape (Spec/archive.md, 5.3).

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { putIfPresent(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try putAnyIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    try putAnyIfPresent(value, key)
  }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try putAnyIfPresent(value, key)
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    guard let value else { return place.putAbsent(.string, key) }
    place.put(value, key, omitsNil: true)
  }

  @inline(__always)
  private func putAnyIfPresent<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    guard let value else { return place.putAbsent(place.level.session.tag(of: Value.self), key) }
    try encode(value, forKey: key, omitsNil: true)
  }

  @inline(__always)
  private func putIfPresent<Scalar: CodableScalar>(_ value: Scalar?, _ key: Key) {
    guard let value else { return place.putAbsent(Scalar.archiveTag, key) }
    place.put(value.storedBits, Scalar.archiveTag, key, omitsNil: true)
  }
}

struct UnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  private var assembler: SharedAssembler { encoder.level.assembler }

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int {
    encoder.tree?.count ?? assembler.value.elementCount(of: encoder.serial)
  }

  /// The method for each number and for truth values.
  @inline(__always)
  func encode<Scalar: CodableScalar>(_ value: Scalar) throws {
    append(value.storedBits, Scalar.archiveTag)
  }

  func encode(_ value: String) throws {
    if !assembler.value.append(value, .string, to: encoder.serial) { appendLater(.text(value)) }
  }

  func encodeNil() throws { append(0, .null) }

  func encode(_ value: some Encodable) throws { try encodeAny(value) }

  @inline(__always)
  private func encodeAny(_ value: some Encodable) throws {
    guard assembler.value.isCurrent(encoder.serial) else {
      guard let tree = encoder.tree else { return outOfTurn() }
      return tree.append(try tree.staged(value, at: PathKey(count)))
    }
    let next = encoder.level.next
    if next.key != nil { next.key = nil }
    try next.encodeInside(value)
    assembler.value.endElement()
  }

  func encode(_ value: Int128) throws { try encodeAny(value) }
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func append(_ bits: UInt64, _ tag: ArchiveTag) {
    if !assembler.value.append(bits, tag, to: encoder.serial) { appendLater(.bits(bits, tag)) }
  }

  private func appendLater(_ value: StagedValue) {
    if let tree = encoder.tree { tree.append(value) } else { outOfTurn() }
  }

  private func nested() -> ValueEncoder {
    if let tree = encoder.tree {
      return tree.nested(at: PathKey(count)) { tree.append(.tree($0)) }.encoder
    }
    let next = encoder.level.next
    if !next.isTooDeep, let serial = assembler.value.beginNestedElement(of: encoder.serial) {
      next.key = nil
      return ValueEncoder(level: next, serial: serial, tree: nil)
    }
    let nested = encoder.giveUp(PathKey(count)).encoder
    assembler.value.skipElement(of: encoder.serial)
    return nested
  }

  private func outOfTurn() {
    encoder.outOfTurn()
    assembler.value.skipElement(of: encoder.serial)
  }
}

struct SingleValueContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  /// The method for each number and for truth values.
  @inline(__always)
  func encode<Scalar: CodableScalar>(_ value: Scalar) throws {
    try set(value.storedBits, Scalar.archiveTag, value)
  }

  func encode(_ value: String) throws {
    if !encoder.level.assembler.value.set(value, .string, of: encoder.serial) {
      try setLater(.text(value), value)
    }
  }

  func encodeNil() throws { try set(0, .null, Any?.none) }

  func encode(_ value: some Encodable) throws { try encodeAny(value) }

  private func encodeAny(_ value: some Encodable) throws {
    if let tree = encoder.tree { return try tree.encode(value) }
    try encoder.level.encode(value, inPlaceOf: encoder)
  }

  func encode(_ value: Int128) throws { try encodeAny(value) }
  func encode(_ value: UInt128) throws { try encodeAny(value) }

  private func set<Value>(_ bits: UInt64, _ tag: ArchiveTag, _ value: Value) throws {
    if !encoder.level.assembler.value.set(bits, 0, tag, of: encoder.serial) {
      try setLater(.bits(bits, tag), value)
    }
  }

  private func setLater(_ staged: StagedValue, _ value: Any) throws {
    if let tree = encoder.tree { try tree.set(staged, for: value) } else { encoder.outOfTurn() }
  }
}
