import KeepsakeArchive

extension SaveSession {
  /// Writes the records that nobody claimed at the last restore, after those of all objects.
  ///
  /// What a live object has the path of gives way to it, and what has lost its parent is gone.
  func writeOrphans(into writer: inout ArchiveWriter) throws {
    guard !orphans.records.isEmpty else { return }
    var rowsByPath: [RestorationPath: Int] = [:]
    for row in 0..<rows.count {
      let path = rows.path(row)
      if rowsByPath[path] == nil { rowsByPath[path] = row }
    }
    var kept: [Orphan] = []
    for orphan in orphans.records where rowsByPath[orphan.path] == nil {
      let parent = orphan.path.parent.map { rowsByPath[$0] }
      if let parent, parent == nil { continue }
      rowsByPath[orphan.path] = rows.count
      rows.addOrphan(row(for: orphan, in: parent ?? nil))
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

  private func row(for orphan: Orphan, in parent: Int?) -> ObjectRow {
    // No container is handed what was kept: it is only for what exists again by itself.
    let role = orphan.role.kind == .node ? .node : orphan.role
    var row = ObjectRow(
      orphan.path.identifier, as: role, in: parent, depth: orphan.path.count,
      ordinal: orphan.ordinal, record: Self.id(ofRow: rows.count))
    row.flags = [.orphan]
    if orphan.isStateless { row.flags.insert(.stateless) }
    if orphan.template != nil { row.flags.insert(.template) }
    if let name = orphan.className {
      row.classNumber = UInt32(rows.classNames.number(of: name) + 1)
    }
    return row
  }
}
