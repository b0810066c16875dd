extension ObjectDecoder {
  /// Reads the nested record, or the nil, under a key.
  ///
  /// It is here so that a result of an optional type is asked for as one: the method for records
  /// would be taken for it, and refuse the nil.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  /// - Returns: The value, or nil when a nil is stored.
  /// - Throws: ``ArchiveError`` when the key is absent, no record is stored, or a part of it is not as
  ///   the type expects.
  @inlinable
  public func decode<T: ArchiveRecord>(
    _ type: T?.Type = T?.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    let slot = slotIndex(of: key)
    if slot >= 0 {
      let row = row(ArchiveSlot(slot))
      if row.tag == .record, !isNil(row) { return try decode(T.self, forKey: key) }
    }
    return try decodeSlowly(type, forKey: key, slot: slot)
  }
}
