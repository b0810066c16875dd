import KeepsakeArchive

extension SaveSession {
  /// Writes the records that nobody claimed at the last restore, behind those of all objects.
  ///
  /// What a live object has the path of gives way to it, and what has lost its parent is gone.
  ///
  /// - Returns: The number of records.
  func writeOrphans(into writer: inout ArchiveWriter) throws -> Int {
    guard !orphans.records.isEmpty else { return 0 }
    var newIDs: [RestorationPath: ArchiveObjectID] = [:]
    for (index, item) in items.enumerated() where newIDs[item.path] == nil {
      newIDs[item.path] = Self.id(ofItemAt: index)
    }
    var kept: [Orphan] = []
    for orphan in orphans.records where newIDs[orphan.path] == nil {
      if let parent = orphan.path.parent, newIDs[parent] == nil { continue }
      newIDs[orphan.path] = Self.id(ofItemAt: items.count + kept.count)
      kept.append(orphan)
    }
    for (index, orphan) in kept.enumerated() {
      try orphan.write(as: Self.id(ofItemAt: items.count + index), into: &writer) { former in
        orphans.formerPaths[former].flatMap { newIDs[$0] }
      }
      report(
        .unclaimed, at: orphan.path,
        "The state of \(orphan.path), which nobody claimed at the last launch, is kept for one more."
      )
    }
    return kept.count
  }
}
