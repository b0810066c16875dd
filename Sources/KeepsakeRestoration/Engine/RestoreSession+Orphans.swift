import KeepsakeArchive

extension RestoreSession {
  /// The records that nobody claimed and that are kept for one more launch.
  ///
  /// What the application declined is none of them, nor what lies below it, nor what was kept before.
  func orphans() -> Orphans {
    var orphans = Orphans()
    for index in records.indices {
      let record = records[index]
      orphans.formerPaths[record.id] = record.path
      guard record.object == nil, !record.fields.isOrphan, !isDeclined(index),
        let object = try? archive.object(record.id), let contents = try? object.dynamicRecord()
      else { continue }
      orphans.records.append(
        Orphan(
          path: record.path, typeName: record.typeName, schemaVersion: object.schemaVersion,
          template: record.template, fields: record.fields, record: contents))
    }
    return orphans
  }

  private func isDeclined(_ index: Int) -> Bool {
    var next: Int? = index
    // A chain of parents in a hostile archive may be a ring.
    for _ in 0...RestorationPath.maximumCount {
      guard let current = next else { return false }
      if records[current].isDeclined { return true }
      next = self.index(of: records[current].fields.parent)
    }
    return true
  }
}
