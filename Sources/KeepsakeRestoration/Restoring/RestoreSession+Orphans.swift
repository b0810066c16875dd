import KeepsakeArchive

extension RestoreSession {
  /// The most components that the paths of kept records have together: a hostile archive can chain its
  /// records so that their paths outgrow it.
  private static let componentLimit = 1 << 18

  /// The records that nobody claimed and that are kept for one more launch.
  ///
  /// What the application declined is none of them, nor what lies below it, nor what was kept before.
  mutating func unclaimedRecords() -> Orphans {
    var orphans = Orphans()
    var componentCount = 0
    var isDeclined = Array(repeating: false, count: rows.count)
    for row in rows.indices {
      let inherited = rows[row].parent.map { isDeclined[$0] } ?? false
      isDeclined[row] = inherited || rows[row].progress == .declined
      guard rows[row].progress == .dropped, !isDeclined[row], !rows[row].flags.contains(.orphan),
        componentCount + rows[row].depth <= Self.componentLimit,
        let id = rows[row].record, let object = try? archive.object(id),
        let contents = try? object.dynamicRecord()
      else { continue }
      let template = try? object.decodeIfPresent(String.self, forKey: .template)
      componentCount += rows[row].depth
      orphans.records.append(
        Orphan(
          path: path(row), role: rows[row].role, ordinal: rows[row].ordinal,
          className: className(row), isStateless: rows[row].flags.contains(.stateless),
          template: template, record: contents))
    }
    guard !orphans.records.isEmpty else { return orphans }
    for row in rows.indices where rows[row].progress != .malformed {
      if let id = rows[row].record { orphans.formerPaths[id] = path(row) }
    }
    return orphans
  }
}
