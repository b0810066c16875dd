import KeepsakeArchive

// Optional values that are left out if they are nil. The key keeps a slot in the record, so a nil does not make
// another shape (Spec/archive.md, 5.3).

extension KeyedContainer {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    putIfPresent(value.map { $0 ? 1 : 0 }, .bool, key)
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    putIfPresent(value.map { $0.bitPattern }, .double, key)
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    putIfPresent(value.map { UInt64($0.bitPattern) }, .float, key)
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, Int.archiveTag, key)
  }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .int8, key)
  }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .int16, key)
  }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .int32, key)
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .int64, key)
  }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, UInt.archiveTag, key)
  }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .uint8, key)
  }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .uint16, key)
  }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .uint32, key)
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    putIfPresent(value.map { bits($0) }, .uint64, key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    guard let value else { return putAbsent(.string, key) }
    let name = key.stringValue
    if !place.assembler.put(value, .string, forKey: name, of: place.serial, omitsNil: true) {
      place.putLater(.string(value), key, omitsNil: true)
    }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return putAbsent(place.level.session.tag(of: Value.self), key) }
    try encode(value, forKey: key, omitsNil: true)
  }

  // The protocol's default methods refuse integers of 128 bits.
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    guard let value else { return putAbsent(.int128, key) }
    try encode(value, forKey: key, omitsNil: true)
  }

  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    guard let value else { return putAbsent(.uint128, key) }
    try encode(value, forKey: key, omitsNil: true)
  }

  private func putIfPresent(_ bits: UInt64?, _ tag: ArchiveTag, _ key: Key) {
    guard let bits else { return putAbsent(tag, key) }
    let name = key.stringValue
    if !place.assembler.put(bits, tag, forKey: name, of: place.serial, omitsNil: true) {
      place.putLater(.word(bits, 0, tag), key, omitsNil: true)
    }
  }

  private func putAbsent(_ tag: ArchiveTag, _ key: Key) {
    if !place.assembler.putAbsent(tag, forKey: key.stringValue, of: place.serial) {
      place.putLater(.absent(tag), key, omitsNil: true)
    }
  }
}

@inline(__always)
private func bits(_ value: some FixedWidthInteger) -> UInt64 { UInt64(truncatingIfNeeded: value) }
