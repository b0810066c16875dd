// Methods that read all objects of an archive, one after the other.

extension Archive {
  /// Opens the objects one after the other and passes each to a closure.
  ///
  /// This is the fastest way to read all objects, or one value of each: the decoder is borrowed for the call, so
  /// nothing is counted or allocated for it.
  ///
  /// - Parameter body: Reads an object.
  /// - Throws: ``ArchiveError`` when a record contradicts the format; an error of `body`.
  /// - Complexity: In proportion to the number of objects. If the archive is in a source, one segment at a time is in
  ///   memory.
  @inlinable
  @inline(__always)
  public func forEachObject(
    _ body: (borrowing ObjectDecoder) throws -> Void
  ) throws {
    var cursor = try ObjectCursor(storage)
    // The decoder is borrowed and cannot be kept: the cursor keeps what it refers to.
    while let record = try cursor.next() { try body(cursor.lend(record)) }
  }

  /// Reads all objects, in their order, as values of one type.
  ///
  /// Use it for archives of a list, as ``ArchiveWriter/writeObjects(_:typeName:schemaVersion:)`` writes them, and
  /// ``forEachObject(_:)`` for objects of several types or to read a part of each.
  ///
  /// - Parameter type: The type to read.
  /// - Returns: The values.
  /// - Throws: ``ArchiveError`` when a record contradicts the format or is not as the type expects.
  /// - Complexity: In proportion to the bytes of the archive.
  @inlinable
  public func decodeObjects<Value: ArchiveDecodableRecord>(
    _ type: Value.Type = Value.self
  ) throws(ArchiveError) -> [Value] {
    // This is the loop of `forEachObject` without a closure.
    var cursor = try ObjectCursor(storage)
    var values: [Value] = []
    values.reserveCapacity(storage.initialCapacity(ofStride: MemoryLayout<Value>.stride))
    repeat {
      while cursor.rest > 0 {
        // The array at most doubles, so that its memory stays in proportion to the values that were read.
        let room = max(values.capacity &- values.count, values.count, 1)
        try values.append(addingCapacity: min(cursor.rest, room)) { output throws(ArchiveError) in
          while !output.isFull, cursor.rest > 0, let record = try cursor.next() {
            output.append(try Value(from: cursor.lend(record)))
          }
        }
      }
    } while try cursor.nextSegment()
    return values
  }
}
