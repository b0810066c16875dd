import KeepsakeArchive

extension SaveSession {
  /// Encodes one object of the work-list, after what it contains has joined the list.
  func encodeObject(ofRow row: Int, into writer: inout ArchiveWriter) throws {
    let work = rows.collect(row)
    let participant = work.participant
    var template: String?
    switch participant {
    case .node(let node):
      template = node.restorationTemplate
      if let restorationClass = node.restorationClass {
        setClass(savedClass(restorationClass), row)
      }
    case .object(let object):
      guard let restorationClass = object.objectRestorationClass else { break }
      let name = restorationClass.restorationClassName
      let isRegistered = registry.objectRestorationClass(named: name) != nil
      setClass(SavedClass(number: number(ofClassNamed: name), isRegistered: isRegistered), row)
    case .view: break
    }
    try writeRecord(of: work, row, template: template, &writer)
    rows.byteCounts.append(UInt32(clamping: writer.lastObjectByteCount))
  }

  private func setClass(_ saved: SavedClass, _ row: Int) {
    rows.index.classes[row] = saved.number
    guard !saved.isRegistered else { return }
    let path = rows.index.path(row)
    let name = rows.index.classNames[Int(saved.number) - 1]
    rows.report(
      .unregisteredClass, at: path,
      "The restoration class \(name) of \(path) is not registered, so the next launch cannot "
        + "restore it; register it with the RestorationRegistry.")
  }

  private func writeRecord(
    of work: SavedRows.Work, _ row: Int, template: String?, _ writer: inout ArchiveWriter
  ) throws {
    let object = work.participant.object
    if work.requiresSuperclassCall { isSuperclassCallConfirmed = false }
    let id = Self.id(ofRow: row)
    do {
      try writer.writeObject(id, typeName: work.typeName, template: template) { values in
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
      try writer.writeObject(id, typeName: work.typeName, template: template) { _ in }
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
