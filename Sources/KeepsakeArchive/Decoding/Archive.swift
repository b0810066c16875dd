/// An opened archive, in memory or in a source that is read where it is needed.
///
/// Opening reads the header, the archive values, the tail and the tables of the footer, but no object; each object is found and checked when it is asked for. An
/// archive is a value of immutable bytes and may be read from several threads.
///
/// ```swift
/// let archive = try Archive(bytes)
/// let window = try archive.object(archive.rootID)
/// let title = try window.decode(String.self, forKey: "title")
/// ```
public struct Archive: Sendable {
  @usableFromInline let storage: ArchiveStorage

  /// What the archive says about itself: who wrote it, when, and for which interface.
  public let reserved: ReservedValues

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the archive.
  ///   - limits: How much the archive may ask for.
  /// - Throws: ``ArchiveError`` when the bytes are no archive, are cut short, or contradict the
  ///   format where opening looks (Spec/archive.md, section 7).
  /// - Complexity: In proportion to the footer's tables, not to the number of objects.
  public init(_ bytes: [UInt8], limits: ArchiveLimits = .default) throws(ArchiveError) {
    storage = try ArchiveStorage(bytes, limits: limits)
    reserved = try ReservedValues(storage.index.values, of: ByteRegion(bytes))
  }

  /// The number of objects; their ids are 1 to this number.
  public var objectCount: Int { storage.frame.objectCount }

  /// The object that the archive was written from.
  public var rootID: ArchiveObjectID { ArchiveObjectID(storage.frame.root) }

  /// The size of the archive in bytes.
  public var byteCount: Int { storage.frame.byteCount }

  /// The objects that conditional references stand for, in the order of their numbers from 1.
  ///
  /// Nil where the object is not part of the archive.
  ///
  /// - Throws: ``ArchiveError`` when the list names an object that does not exist.
  public var conditionalObjects: [ArchiveObjectID?] {
    get throws(ArchiveError) {
      var objects: [ArchiveObjectID?] = []
      objects.reserveCapacity(storage.frame.conditionalCount)
      for number in 0..<storage.frame.conditionalCount {
        objects.append(try storage.conditionalObject(UInt32(number + 1)))
      }
      return objects
    }
  }

  /// Opens one object.
  ///
  /// - Parameter id: The object.
  /// - Returns: A decoder that reads the object's keys on demand.
  /// - Throws: ``ArchiveError`` when there is no such object, or its record contradicts the format.
  /// - Complexity: A binary search of the segment directory, then the keys of the object's shape.
  public func object(_ id: ArchiveObjectID) throws(ArchiveError) -> ObjectDecoder {
    try storage.requireObject(id)
    let (part, record) = try storage.openedObject(id.rawValue)
    return ObjectDecoder(record, id, keeping: part)
  }
}
