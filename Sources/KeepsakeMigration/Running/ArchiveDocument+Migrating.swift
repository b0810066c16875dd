package import KeepsakeArchive
package import KeepsakeDocuments

// The parts of a document that only a migration needs.

extension ArchiveDocument {
  /// Counts the references to each object, by reading the whole archive; throws when one leads to no object.
  package func referenceCounts() throws(ArchiveError) -> [ArchiveObjectID: Int] {
    var counts: [ArchiveObjectID: Int] = [:]
    for id in objectIDs {
      let record = try object(id)
      do throws(ArchiveError) {
        try record.forEachReference { (reference) throws(ArchiveError) in
          if let target = try resolve(reference) { counts[target, default: 0] += 1 }
        }
      } catch {
        throw error.inObject(id)
      }
    }
    return counts
  }

  /// Visits the objects in which this document differs from an earlier copy of it, in the order of the ids.
  ///
  /// The closure gets nil as the earlier record of an inserted object, and as the present record of a removed object.
  /// The removal of an object also changes the references to it. The objects with these references are not visited, the
  /// removed object is. The time is in proportion to the objects changed since the archive was opened.
  package func forEachChange(
    since earlier: ArchiveDocument,
    _ body: (ArchiveObjectID, _ old: DynamicRecord?, _ new: DynamicRecord?) throws -> Void
  ) throws {
    var numbers = Set(changed.keys)
    numbers.formUnion(removed.keys)
    for number in numbers.sorted() {
      let id = ArchiveObjectID(number)
      let old = earlier.contains(id) ? try earlier.object(id) : nil
      let new = contains(id) ? try object(id) : nil
      if old != new { try body(id, old, new) }
    }
  }

  /// True when the objects are exactly those of the archive, unchanged.
  package var hasStoredObjects: Bool {
    changed.isEmpty && removed.isEmpty && Int(lastNumber) == base?.objectCount
  }

  /// Writes the archive again while ``hasStoredObjects``: the closure gets each object, and writes it as the next one.
  ///
  /// Beside the archive, its memory does not grow with the number of objects.
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
  package func write(_ record: DynamicRecord, to writer: inout ArchiveWriter) throws {
    if record.holdsReferences {
      try record.forEachReference { (id) throws(ArchiveError) in try requireStored(id) }
    }
    try writer.write(record)
  }

  /// Checks that a reference leads to one of the archive's objects while ``hasStoredObjects``.
  func requireStored(_ id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue >= 1, Int(id.rawValue) <= objectCount else {
      throw ArchiveError(.noSuchObject, "the document has no object \(id)")
    }
  }
}
