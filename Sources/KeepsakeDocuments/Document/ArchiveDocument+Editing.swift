public import KeepsakeArchive

extension ArchiveDocument {
  /// Adds an object.
  ///
  /// - Parameter record: Its type, whose name must not be empty, and its values.
  /// - Returns: Its id in this document.
  /// - Throws: `ArchiveError` with `limitExceeded` when there are 4,294,967,294 objects.
  public mutating func insert(_ record: ArchivedRecord) throws(ArchiveError) -> ArchiveObjectID {
    guard lastNumber < .max - 1 else {
      throw ArchiveError.tooManyObjects
    }
    lastNumber += 1
    changed[lastNumber] = record
    return ArchiveObjectID(lastNumber)
  }

  /// Edits an object in place.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - body: Changes it.
  /// - Throws: The error of `body`, and then the object is as it was; `ArchiveError` when there is
  ///   no such object.
  public mutating func update(
    _ id: ArchiveObjectID, _ body: (inout ArchivedRecord) throws -> Void
  ) throws {
    var record = try object(id)
    do {
      try body(&record)
    } catch let error as ArchiveError {
      throw error.inObject(id)
    }
    changed[id.rawValue] = record
  }

  /// Puts another record in place of an object's; references to the object stay.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - record: Its new type and values.
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object.
  package mutating func replaceObject(
    _ id: ArchiveObjectID, with record: ArchivedRecord
  ) throws(ArchiveError) {
    try require(id)
    changed[id.rawValue] = record
  }

  /// Removes an object that nothing refers to any more.
  ///
  /// A reference that is left over is an error when the document is written; to change them all,
  /// use ``remove(_:replacingReferencesWith:)``.
  ///
  /// - Parameter id: The object.
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object.
  public mutating func remove(_ id: ArchiveObjectID) throws(ArchiveError) {
    try require(id)
    removed[id.rawValue] = .error
    changed[id.rawValue] = nil
  }

  /// Removes an object, and changes all references to it.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - other: The object that references are to lead to from now on, or nil for none.
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object, or `other` does not
  ///   exist or is the same.
  /// - Complexity: O(1); the references are changed when the document is written.
  public mutating func remove(
    _ id: ArchiveObjectID, replacingReferencesWith other: ArchiveObjectID?
  ) throws(ArchiveError) {
    try require(id)
    if let other {
      try require(other)
      guard other != id else {
        throw ArchiveError(.noSuchObject, "object \(id) cannot take its own place")
      }
    }
    removed[id.rawValue] = other.map { .object($0.rawValue) } ?? Replacement.none
    changed[id.rawValue] = nil
    if rootID == id { rootID = other }
  }

  /// The number of references to each object.
  ///
  /// - Returns: The counts of objects that are referred to at all.
  /// - Throws: `ArchiveError` when there is a reference to an object that does not exist, or stored
  ///   bytes contradict the format.
  /// - Complexity: In proportion to the size of the archive.
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

  /// Visits the objects in which this document differs from an earlier state of it.
  ///
  /// An object in which only references were changed by a removal of what they lead to is not among
  /// them: the removed object is.
  ///
  /// - Parameters:
  ///   - earlier: A copy of the document from before it was edited.
  ///   - body: Gets the id of an object, its record then, nil when it was inserted since, and its
  ///     record now, nil when it was removed; in the order of the ids.
  /// - Throws: The error of `body`; `ArchiveError` when stored bytes contradict the format.
  /// - Complexity: In proportion to the objects changed since the archive was opened.
  package func forEachChange(
    since earlier: ArchiveDocument,
    _ body: (ArchiveObjectID, _ old: ArchivedRecord?, _ new: ArchivedRecord?) throws -> Void
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
}
