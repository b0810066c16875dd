package import KeepsakeArchive

// A walk through the value at a place, which reads the bytes of that value and no others.

extension ValuePlace {
  /// Walks through the value; an object is a record without a type.
  package func walk(_ visitor: inout some ArchivedValueVisitor) throws {
    guard isObject else { return try withValue { value in try value.walk(&visitor) } }
    let container = ArchivedContainer.record(typeName: "", schemaVersion: 0)
    try visitor.begin(container)
    try withObject { object in try object.walkFields(&visitor) }
    try visitor.end(container)
  }

  /// Passes the elements of an array or a set to a closure, one after the other.
  ///
  /// - Returns: False for a value that has no elements which can be read.
  package func forEachElement(_ body: (borrowing ValueDecoder) throws -> Void) throws -> Bool {
    if isObject { return false }
    return try withValue { value in try value.forEachElement(body) }
  }

  /// The kind and the width of the value, in words.
  package var typeDescription: String {
    get throws { isObject ? tag.description : try withValue { $0.typeDescription } }
  }

  private func withValue<Result>(
    _ body: (borrowing ValueDecoder) throws -> Result
  ) throws -> Result {
    do {
      return try lend(in: archive.part(range), to: body)
    } catch let error as ArchiveError {
      throw error.inObject(objectID)
    }
  }

  private func withObject(_ body: (borrowing ObjectDecoder) throws -> Void) throws {
    do {
      let (part, record) = try archive.openedObject(objectID.rawValue)
      try ObjectDecoder.lend(record, objectID, in: part, to: body)
    } catch let error as ArchiveError {
      throw error.inObject(objectID)
    }
  }
}
