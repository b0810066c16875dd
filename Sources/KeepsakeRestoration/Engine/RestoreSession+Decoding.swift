import KeepsakeArchive

extension RestoreSession {
  /// Restores everything, in the order of Spec/restoration.md, section 3.
  ///
  /// - Returns: What became of each object, or the refusal of the delegate or of the archive.
  func restore() -> RestoreReport {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(ArchiveError) {
      var finder = ObjectFinder(archive)
      let application = RestorationDecoder(
        values: try open(index.application, with: &finder), session: self)
      if let refusal = ask(application) { return RestoreReport(.refused(refusal)) }
      createObjects(&finder)
      decodeObjects(&finder)
      decodeApplication(application)
      finishObjects(rows.participants, decoded.isRestored)
      reportUnattached()
      return restoreReport(duration: clock.now - start)
    } catch {
      return RestoreReport(
        .refused(.damaged("Nothing was restored, because the state is malformed: \(error)")))
    }
  }

  private func ask(_ application: borrowing RestorationDecoder) -> RestoreReport.Refusal? {
    do {
      if try delegate.shouldRestoreState(with: application) { return nil }
      return .declined("Nothing was restored, because the application declined.")
    } catch {
      return .declined(
        "Nothing was restored, because the application failed while it decided: \(error)")
    }
  }

  private func decodeObjects(_ finder: inout ObjectFinder) {
    let attachments = Attachments(of: index)
    // No row gets another object from here on.
    let participants = rows.participants
    var outcome = Decoded(count: index.count)
    for row in 0..<index.count {
      guard let participant = participants[row] else { continue }
      do {
        try decode(participant, row, attachments, &outcome, &finder)
      } catch {
        report(
          .decodingFailed, at: path(row),
          "\(path(row)) keeps its default state, because it could not decode: \(error)")
      }
    }
    decoded = outcome
  }

  private func decode(
    _ participant: Participant, _ row: Int, _ attachments: borrowing Attachments,
    _ outcome: inout Decoded, _ finder: inout ObjectFinder
  ) throws {
    let object = participant.object
    let values = try open(index.objects[row], with: &finder)
    let permission = outcome.records.permission(
      for: object, row, typeName: values.typeName, byteCount: values.byteCount, registry)
    guard permission.isGranted else { return reportClassMismatch(of: object, row, values.typeName) }
    if attachments.hasAny(row), case .node(let node) = participant {
      attach(attachments, of: row, to: node)
    }
    if index.flags(row).contains(.stateless) { return }
    let typeName = permission.typeRequiringSuperclassCall
    if typeName != nil { isSuperclassCallConfirmed = false }
    try object.decodeRestorableState(with: RestorationDecoder(values: values, session: self))
    outcome.isRestored[row] = true
    if let typeName, !isSuperclassCallConfirmed {
      report(
        .missingSuperclassCall, at: path(row),
        "The built-in state of \(path(row)) was not restored, because decodeRestorableState(with:) "
          + "of \(typeName) does not call super; let it do so.")
    }
  }

  private func reportClassMismatch(
    of object: any RestorableObject, _ row: Int, _ savedTypeName: String
  ) {
    report(
      .classMismatch, at: path(row),
      "\(path(row)) keeps its default state, because a \(type(of: object).restorationTypeName) was "
        + "returned and a \(savedTypeName) had been saved; return that type, a subclass of it whose "
        + "superclass is registered, or register an alias.")
  }

  /// Puts back what a node contained and presented, before it decodes its own state.
  private func attach(
    _ attachments: borrowing Attachments, of row: Int, to node: any RestorableNode
  ) {
    let children = rows.children(of: row, attachments)
    if !children.isEmpty { node.attachRestoredChildren(children) }
    if let presented = attachments.presented(by: row),
      let presentedNode = rows.unmovedNode(presented)
    {
      node.attachRestoredPresentedNode(presentedNode)
    }
  }

  private func finishObjects(_ participants: [Participant?], _ isRestored: [Bool]) {
    for row in 0..<participants.count where isRestored[row] {
      participants[row]?.object.applicationFinishedRestoringState()
    }
  }

  private func decodeApplication(_ application: borrowing RestorationDecoder) {
    do {
      try delegate.didDecodeRestorableState(with: application)
    } catch {
      report(.decodingFailed, "The application could not decode its own values: \(error)")
    }
  }
}
