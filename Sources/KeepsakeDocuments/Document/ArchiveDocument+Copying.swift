package import KeepsakeArchive

extension ArchiveDocument {
  /// True when the objects are exactly those of the archive, unchanged.
  package var hasStoredObjects: Bool {
    changed.isEmpty && removed.isEmpty && Int(lastNumber) == base?.objectCount
  }

  /// Writes the document's archive again, object by object, while ``hasStoredObjects``.
  ///
  /// - Parameters:
  ///   - limits: How large the archive and its parts may become.
  ///   - body: Gets each object, and writes it as the next one.
  /// - Returns: The bytes of the archive.
  /// - Throws: An error of `body`; `ArchiveError` as ``encoded(order:limits:)`` does.
  /// - Complexity: In proportion to the size of the archive. Beside the archive it takes no memory
  ///   that grows with the number of objects.
  package func rewritten(
    limits: ArchiveLimits,
    _ body: (borrowing ObjectDecoder, inout ArchiveWriter) throws -> Void
  ) throws -> [UInt8] {
    guard let base, let rootID, let root = try resolve(rootID) else {
      throw ArchiveError(.noSuchObject, "the document has no root")
    }
    var writer = ArchiveWriter(values: archiveValues, limits: limits)
    writer.expect(byteCount: base.byteCount)
    try base.forEachObject { object in
      do {
        try body(object, &writer)
      } catch let error as ArchiveError {
        throw error.inObject(object.objectID)
      }
    }
    writer.conditionalObjects = try conditionalObjects
    return try writer.finish(root: root)
  }

  /// Writes a record as the next object of ``rewritten(limits:_:)``.
  package func write(_ record: ArchivedRecord, to writer: inout ArchiveWriter) throws {
    if record.holdsReferences {
      let objectCount = objectCount
      try record.forEachReference { (id) throws(ArchiveError) in
        try requireStored(id, of: objectCount)
      }
    }
    try writer.write(record)
  }

  /// Checks that the objects exist that a value refers to.
  package func checkReferences(of value: ArchivedValue) throws(ArchiveError) {
    let objectCount = objectCount
    try value.forEachReference { (id) throws(ArchiveError) in
      try requireStored(id, of: objectCount)
    }
  }
}

/// Checks that a reference leads to one of the document's objects.
private func requireStored(_ id: ArchiveObjectID, of count: Int) throws(ArchiveError) {
  guard id.rawValue >= 1, Int(id.rawValue) <= count else {
    throw ArchiveError(.noSuchObject, "the document has no object \(id)")
  }
}
