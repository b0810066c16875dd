package import KeepsakeArchive

/// The tree of a saved state, read without restoring anything: for inspectors and tests.
///
/// ```swift
/// for entry in SavedStateOutline(archive)?.entries ?? [] {
///   print(
///     entry.path, try archive.object(entry.objectID).typeName)
/// }
/// ```
package struct SavedStateOutline: Sendable {
  /// One object of the state.
  package struct Entry: Sendable {
    /// The record with the object's encoded values.
    package let objectID: ArchiveObjectID
    /// The restoration path.
    package let path: RestorationPath
    /// The kind of the object.
    package let kind: ReportedObject.Kind
    /// True when its parent presents it.
    package let isPresented: Bool
    /// The index of the parent among the entries, which is smaller than this entry's own; `nil` for a root.
    package let parentIndex: Int?
  }

  /// The objects, in the order in which they were saved; parents before their children.
  package let entries: [Entry]
  /// The record of the application itself, if it has one.
  package let applicationID: ArchiveObjectID?

  /// Reads the index of a saved state (Spec/restoration.md, section 1); nil when the archive holds no saved state.
  ///
  /// Rows that a restore would leave out as malformed are left out here too.
  ///
  /// - Complexity: O(*n*) in the number of objects.
  package init?(_ archive: Archive) {
    guard let index = try? StateIndex(of: archive) else { return nil }
    var rows = index.rows
    applicationID = index.application.objectID
    var entries: [Entry] = []
    var places: [Int?] = []
    for row in rows.indices {
      let parent = rows[row].parent
      guard rows[row].progress != .malformed, let id = rows[row].record,
        parent == nil || parent.flatMap({ places[$0] }) != nil
      else {
        places.append(nil)
        continue
      }
      places.append(entries.count)
      entries.append(
        Entry(
          objectID: id, path: rows.path(row), kind: rows[row].role.kind,
          isPresented: rows[row].role == .presented,
          parentIndex: parent.flatMap { places[$0] }))
    }
    self.entries = entries
  }
}
