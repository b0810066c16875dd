import KeepsakeArchive

extension SaveSession {
  /// Encodes one object of the work-list, after what it contains has joined the list.
  func encodeObject(ofRow row: Int, into writer: inout ArchiveWriter) throws {
    let work = rows.collect(row)
    try writeRecord(of: work, row, &writer)
    rows.byteCounts.append(UInt32(clamping: writer.lastObjectByteCount))
  }

  private func writeRecord(
    of work: SavedRows.Work, _ row: Int, _ writer: inout ArchiveWriter
  ) throws {
    let object = work.participant.object
    if work.requiresSuperclassCall { isSuperclassCallConfirmed = false }
    let id = Self.id(ofRow: row)
    do {
      try writer.writeObject(id, typeName: work.typeName, template: work.template) { values in
        try RestorationEncoder.withCoder(over: &values, session: self) { coder in
          try object.encodeRestorableState(with: &coder)
        }
      }
      if work.requiresSuperclassCall, !isSuperclassCallConfirmed {
        reportMissingSuperclassCall(row)
      }
    } catch {
      // The object loses its own state, but keeps its place, so that what it contains is saved.
      rows.truncate(to: work.count)
      markStateless(row)
      let path = rows.index.path(row)
      rows.report(
        .encodingFailed, at: path,
        "The state of \(path) was not saved, because it could not be encoded: \(error)")
      try writer.writeObject(id, typeName: work.typeName, template: work.template) { _ in }
    }
  }

  private func reportMissingSuperclassCall(_ row: Int) {
    let path = rows.index.path(row)
    rows.report(
      .missingSuperclassCall, at: path,
      "The built-in state of \(path) was not saved, because encodeRestorableState(with:) of "
        + "\(rows.typeName(row)) does not call super; let it do so.")
  }
}
