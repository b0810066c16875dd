/// Opens many objects of an archive by their numbers, for those who ask for them mostly in their order:
/// the segment is searched only when the next object lies in another one.
package struct ObjectFinder {
  let storage: ArchiveStorage
  /// The segment that held the last one.
  private var segment: SegmentLayout?
  /// The records that were lent, by the numbers of their objects; of an archive of which all are in memory.
  let known: FixedStorage<OpenedRecord?>?

  /// Begins with no segment, for somebody who asks for each object more than once.
  package init(_ archive: Archive) {
    storage = archive.storage
    known =
      storage.foundObjectCount == archive.objectCount
      ? FixedStorage(repeating: nil, count: archive.objectCount + 1) : nil
  }

  /// Begins with no segment, for somebody who asks for each object once.
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

extension ObjectDecoder {
  /// The number of the record's type in the archive, for those who compare the types of many.
  package var typeNumber: Int { Int(shape.type) }
}

extension ArchiveStorage {
  /// Checks that an id is that of an object.
  func requireObject(_ id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue >= 1, Int(id.rawValue) <= frame.objectCount else {
      throw ArchiveError(
        .noSuchObject, "there is no object \(id); the number of objects is \(frame.objectCount)")
    }
  }
}
