/// Opens many objects of an archive by their numbers, mostly in their order: a segment is searched only when
/// the next object is in another one.
package struct ObjectFinder {
  let storage: ArchiveStorage
  /// The segment of the last object.
  private var segment: SegmentLayout?
  /// A cache of the records that were lent, by the numbers of their objects.
  ///
  /// Only an archive whose objects are all in memory has one.
  let known: FixedStorage<OpenedRecord?>?

  /// A finder for callers that look up each object several times.
  package init(_ archive: Archive) {
    storage = archive.storage
    known =
      storage.foundObjectCount == archive.objectCount
      ? FixedStorage(repeating: nil, count: archive.objectCount + 1) : nil
  }

  /// A finder for callers that look up each object once.
  init(_ storage: ArchiveStorage) {
    self.storage = storage
    known = nil
  }

  /// The record of an object, opened, and the storage that holds it.
  mutating func openedObject(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    try storage.openedObject(number, near: &segment)
  }
}

extension ArchiveStorage {
  /// Checks that an id is that of an object.
  package func requireObject(_ id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue >= 1, Int(id.rawValue) <= frame.objectCount else {
      throw ArchiveError(
        .noSuchObject, "there is no object \(id); the number of objects is \(frame.objectCount)")
    }
  }
}
