// Lists of values, one object for each.

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
    // It was checked at opening that the archive has room for so many.
    values.reserveCapacity(objectCount)
    // As forEachObject does, without a closure.
    var cursor = try ObjectCursor(storage)
    while let record = try cursor.next() { values.append(try Value(from: cursor.lend(record))) }
    return values
  }
}
