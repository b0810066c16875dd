import KeepsakeArchive

/// Values under keys, written as they come.
struct KeyedPlaceContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: KeyedPlace

  var codingPath: [any CodingKey] { place.level.codingPath }

  func encode(_ value: Bool, forKey key: Key) throws { put(value ? 1 : 0, .bool, key) }
  func encode(_ value: String, forKey key: Key) throws {
    if !place.assembler.put(value, .string, forKey: key.stringValue, of: place.serial) {
      place.outOfTurn()
    }
  }
  func encode(_ value: Double, forKey key: Key) throws { put(value.bitPattern, .double, key) }
  func encode(_ value: Float, forKey key: Key) throws {
    put(UInt64(value.bitPattern), .float, key)
  }
  func encode(_ value: Int, forKey key: Key) throws { put(bits(value), .int64, key) }
  func encode(_ value: Int8, forKey key: Key) throws { put(bits(value), .int8, key) }
  func encode(_ value: Int16, forKey key: Key) throws { put(bits(value), .int16, key) }
  func encode(_ value: Int32, forKey key: Key) throws { put(bits(value), .int32, key) }
  func encode(_ value: Int64, forKey key: Key) throws { put(bits(value), .int64, key) }
  func encode(_ value: UInt, forKey key: Key) throws { put(UInt64(value), .uint64, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { put(UInt64(value), .uint8, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { put(UInt64(value), .uint16, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { put(UInt64(value), .uint32, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { put(value, .uint64, key) }

  func encodeNil(forKey key: Key) throws { put(0, .null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let assembler = place.assembler
    guard place.serial == assembler.serial else { return place.outOfTurn() }
    let next = place.level.next
    next.key = key
    let inner = assembler.begin()
    do {
      try next.encode(value, of: inner)
    } catch {
      assembler.drop()
      throw error
    }
    assembler.end(forKey: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.giveUp(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.giveUp(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.giveUp(PathKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.giveUp(key) }

  private var encoder: PlaceEncoder { PlaceEncoder(level: place.level, serial: place.serial) }

  private func put(_ bits: UInt64, _ tag: ArchiveTag, _ key: Key) {
    if !place.assembler.put(bits, tag, forKey: key.stringValue, of: place.serial) {
      place.outOfTurn()
    }
  }
}

/// The bits of a signed integer.
func bits(_ value: some FixedWidthInteger) -> UInt64 {
  UInt64(truncatingIfNeeded: value)
}
