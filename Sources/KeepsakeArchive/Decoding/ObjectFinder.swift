/// Opens many objects of an archive by their ids, for an engine that asks for them mostly in their
/// order: the segment is searched only when the next object lies in another one.
package struct ObjectFinder {
  private let archive: Archive
  private var finder: RecordFinder

  /// Begins with no segment.
  package init(_ archive: Archive) {
    self.archive = archive
    finder = RecordFinder(archive.storage)
  }

  /// Lends the decoder of an object, for as long as the caller keeps the archive.
  ///
  /// The decoder does not keep the archive itself, which for a small object would cost as much as to
  /// read it; it must not be given to anybody who can keep it.
  package mutating func lentObject(_ id: ArchiveObjectID) throws(ArchiveError) -> ObjectDecoder {
    guard id.rawValue >= 1, Int(id.rawValue) <= archive.objectCount else {
      // An error, in the words of the archive.
      return try archive.object(id)
    }
    let (part, record) = try finder.openedObject(id.rawValue)
    return ObjectDecoder(
      record, objectID: id, depth: 1, view: part.view, storage: BorrowedReference(part),
      graph: nil, owner: part === archive.storage ? nil : part)
  }
}
