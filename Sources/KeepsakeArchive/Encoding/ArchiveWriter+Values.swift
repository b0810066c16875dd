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
  ///   - typeName: The stable name of the objects' type; not empty. There is no default, since a value
  ///     type needs no name of its own where it is nested in an object.
  ///   - schemaVersion: The version of the type's set of keys.
  /// - Throws: ``ArchiveError`` for a key written twice, a reserved key or an exceeded limit; the
  ///   values before stay written.
  @inlinable
  public mutating func writeObjects<Value: ArchiveRecord>(
    _ values: [Value], typeName: String, schemaVersion: UInt32 = Value.archiveSchemaVersion
  ) throws(ArchiveError) {
    try values.forEachInPlace { value throws(ArchiveError) in
      let record = try beginObject(typeName: typeName, schemaVersion: schemaVersion)
      value.encode(with: &encoder)
      try endRecord(record)
    }
  }
}
