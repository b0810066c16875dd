import KeepsakeArchive

extension SaveSession {
  /// Works off the list, and then what is registered and was not referred to.
  func encodeObjects(with coder: inout RestorationEncoder) throws {
    var row = 0
    var type = SavedType()
    // What is asked of the session is checked each time, and this is not needed before the end.
    var byteCounts: [UInt32] = []
    repeat {
      while let work = rows.collect(row) {
        if work.typeNumber != type.number { type = rows.type(work.typeNumber) }
        try encode(work, row, type, with: &coder)
        byteCounts.append(UInt32(clamping: coder.writer.lastObjectByteCount))
        row += 1
      }
      for object in registered { _ = reference(to: object) }
    } while row < rows.count
    rows.byteCounts = byteCounts
  }

  /// Encodes one object of the work-list, after what it contains has joined the list.
  private func encode(
    _ work: borrowing SavedRows.Work, _ row: Int, _ type: borrowing SavedType,
    with coder: inout RestorationEncoder
  ) throws {
    let id = Self.id(ofRow: row)
    if type.requiresSuperclassCall { isSuperclassCallConfirmed = false }
    do {
      let object = try coder.writer.beginObject(
        id, typeName: type.name, template: work.template)
      do {
        try work.object.encodeRestorableState(with: &coder)
      } catch {
        coder.writer.dropObject(object)
        throw error
      }
      try coder.writer.endObject(object)
      if type.requiresSuperclassCall, !isSuperclassCallConfirmed {
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
      try coder.writeObject(id, typeName: type.name, template: work.template) { _ in }
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
