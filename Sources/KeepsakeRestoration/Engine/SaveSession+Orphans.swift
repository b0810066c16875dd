import KeepsakeArchive

extension SaveSession {
  /// Writes the records that nobody claimed at the last restore, behind those of all objects.
  ///
  /// What a live object has the path of gives way to it, and what has lost its parent is gone.
  func writeOrphans(into writer: inout ArchiveWriter) throws {
    guard !orphans.records.isEmpty else { return }
    var rowsByPath: [RestorationPath: Int] = [:]
    var paths: [RestorationPath] = []
    for row in 0..<rows.index.count {
      let path =
        rows.index.parent(row).map { paths[$0].appending(rows.index.identifiers[row]) }
        ?? RestorationPath(root: rows.index.identifiers[row])
      paths.append(path)
      if rowsByPath[path] == nil { rowsByPath[path] = row }
    }
    var kept: [Orphan] = []
    for orphan in orphans.records where rowsByPath[orphan.path] == nil {
      let parent = orphan.path.parent.map { rowsByPath[$0] }
      if let parent, parent == nil { continue }
      rowsByPath[orphan.path] = rows.index.count
      append(orphan, in: parent ?? nil)
      kept.append(orphan)
    }
    for orphan in kept {
      try orphan.write(as: writer.nextObjectID, into: &writer) { former in
        orphans.formerPaths[former].flatMap { rowsByPath[$0] }.map(Self.id(ofRow:))
      }
      rows.report(
        .unclaimed, at: orphan.path,
        "The state of \(orphan.path), which nobody claimed at the last launch, is kept for one more."
      )
    }
  }

  private func append(_ orphan: Orphan, in parent: Int?) {
    let row = rows.index.count
    // No container is handed what was kept: it is only for what exists again by itself.
    let role = orphan.role.kind == .node ? .node : orphan.role
    rows.index.append(orphan.path.identifier, as: role, in: parent, ordinal: orphan.ordinal)
    rows.index.flags[row] = StateIndex.Flags.orphan.rawValue
    if orphan.isStateless { markStateless(row) }
    if let name = orphan.className { rows.index.classes[row] = rows.number(ofClassNamed: name) }
  }
}
