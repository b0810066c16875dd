// Lists of values, one object for each.

extension ArchiveWriter {
  /// Writes values one after the other, each as an object of its own.
  ///
  /// The fastest way to write a list: nothing is copied or called between a value and its record.
  /// The objects get the ids from ``nextObjectID`` on. Read them with
  /// ``Archive/decodeObjects(_:)``.
  ///
  /// ```swift
  /// var writer = ArchiveWriter()
  /// try writer.writeObjects(entries, typeName: "Entry")
  /// let bytes = try writer.finish(root: ArchiveObjectID(1))
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values; none writes nothing.
  ///   - typeName: The stable name of the objects' type; not empty.
  ///   - schemaVersion: The version of the type's set of keys.
  /// - Throws: ``ArchiveError`` for a key written twice, a reserved key or an exceeded limit; the
  ///   values before stay written.
  @inlinable
  public mutating func writeObjects<Value: ArchiveRecord>(
    _ values: [Value], typeName: String = Value.archiveTypeName,
    schemaVersion: UInt32 = Value.archiveSchemaVersion
  ) throws(ArchiveError) {
    try values.forEachInPlace { value throws(ArchiveError) in
      let record = try beginObject(typeName: typeName, schemaVersion: schemaVersion)
      value.encode(with: &encoder)
      try endRecord(record)
    }
  }
}

extension Archive {
  /// Reads all objects, in their order, as values of one type.
  ///
  /// For archives of a list, as ``ArchiveWriter/writeObjects(_:typeName:schemaVersion:)`` writes
  /// them. Use ``forEachObject(_:)`` for objects of several types or to read a part of each.
  ///
  /// - Parameter type: The type to read.
  /// - Returns: The values.
  /// - Throws: ``ArchiveError`` when a record contradicts the format or is not as the type expects.
  /// - Complexity: In proportion to the bytes of the archive.
  @inlinable
  public func decodeObjects<Value: ArchiveRecord>(
    _ type: Value.Type = Value.self
  ) throws(ArchiveError) -> [Value] {
    var values: [Value] = []
    // What an archive says of its number of objects is believed only as far as its bytes reach.
    values.reserveCapacity(min(objectCount, byteCount / 8))
    // As forEachObject does, without a closure.
    var cursor = try ObjectCursor(storage)
    while let record = try cursor.next() { values.append(try Value(from: cursor.lend(record))) }
    return values
  }
}
