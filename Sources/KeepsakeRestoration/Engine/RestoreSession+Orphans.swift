import KeepsakeArchive

extension RestoreSession {
  /// The records that nobody claimed and that are kept for one more launch.
  ///
  /// What the application declined is none of them, nor what lies below it, nor what was kept before.
  ///
  /// No more are kept than have 262,144 components of paths together: a hostile archive can chain its
  /// records so that their paths outgrow it.
  func orphans() -> Orphans {
    var orphans = Orphans()
    guard rows.hasDropped else { return orphans }
    var componentCount = 0
    var isDeclined = Array(repeating: false, count: index.count)
    for row in 0..<index.count {
      let inherited = index.parent(row).map { $0 < row && isDeclined[$0] } ?? false
      isDeclined[row] = inherited || rows.progress[row].isDeclined
      guard rows.participants[row] == nil, rows.progress[row].state != .malformed, !isDeclined[row],
        !index.flags(row).contains(.orphan),
        componentCount + Int(rows.progress[row].depth) <= 1 << 18, let role = index.role(row),
        let id = index.objects[row].objectID, let object = try? archive.object(id),
        let contents = try? object.dynamicRecord()
      else { continue }
      let template = try? object.decodeIfPresent(String.self, forKey: .template)
      componentCount += Int(rows.progress[row].depth)
      orphans.records.append(
        Orphan(
          path: path(row), role: role, ordinal: index.ordinals[row],
          className: index.className(row), isStateless: index.flags(row).contains(.stateless),
          template: template, record: contents))
    }
    guard !orphans.records.isEmpty else { return orphans }
    for row in 0..<index.count {
      if let id = index.objects[row].objectID, rows.progress[row].state != .malformed {
        orphans.formerPaths[id] = path(row)
      }
    }
    return orphans
  }
}
