import KeepsakeArchive

extension SaveSession {
  /// An archive and what became of each object.
  struct EncodedState {
    let archive: [UInt8]
    let report: SaveReport
  }

  private struct Declined: Error {}

  /// Encodes the application and everything that its windows show, in the order of
  /// Spec/restoration.md, section 3.
  ///
  /// - Returns: The archive with its report, or `nil` when the delegate declined.
  func encode(
    _ delegate: any RestorationDelegate, registry: RestorationRegistry, reserved: ReservedValues,
    budget: RestorationBudget
  ) throws(RestorationError) -> EncodedState? {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      var writer = ArchiveWriter(reserved: reserved)
      try writer.writeObject(Self.applicationID, typeName: RecordFields.applicationTypeName) {
        try encodeApplication(delegate, with: &$0)
      }
      try encodeItems(registry: registry, into: &writer)
      ignoresSnapshot = ignoresSnapshot || isTopmostNodeUnidentified(delegate)
      let orphanCount = try writeOrphans(into: &writer)
      try writer.writeObject(
        Self.id(ofItemAt: items.count + orphanCount), typeName: RecordFields.summaryTypeName
      ) { values in
        var fields = RecordFields(kind: .summary)
        fields.ignoresSnapshot = ignoresSnapshot
        values.withScope(RecordFields.scope) { fields.encode(with: &$0) }
      }
      let archive = try shed(
        try writer.finish(root: Self.applicationID), reserved: reserved, budget: budget)
      let report = try report(on: archive, duration: clock.now - start)
      return EncodedState(archive: archive, report: report)
    } catch is Declined {
      return nil
    } catch let error as ArchiveError {
      throw RestorationError(
        .encodingFailed, "The application's state was not saved: \(error.description)")
    } catch {
      throw RestorationError(
        .callbackFailed,
        "The state was not saved, because the application's delegate failed: \(error)")
    }
  }

  private func encodeApplication(
    _ delegate: any RestorationDelegate, with values: inout ObjectEncoder
  ) throws {
    try RestorationEncoder.withCoder(over: &values, session: self) { coder in
      guard try delegate.shouldSaveState(with: &coder) else { throw Declined() }
      try delegate.willEncodeRestorableState(with: &coder)
    }
    var fields = RecordFields(kind: .application)
    for window in delegate.restorationWindows {
      fields.children.append(window.restorationRootNode.flatMap { savedID(of: $0, in: nil) })
    }
    values.withScope(RecordFields.scope) { fields.encode(with: &$0) }
  }

  /// Works off the list, and then what is registered and was not referred to.
  private func encodeItems(
    registry: RestorationRegistry, into writer: inout ArchiveWriter
  ) throws {
    var index = 0
    repeat {
      while index < items.count {
        try encodeItem(at: index, registry: registry, into: &writer)
        index += 1
      }
      for object in registered { _ = reference(to: object) }
    } while index < items.count
  }

  /// Whether the node that the user sees on top of all others is left out of the archive.
  private func isTopmostNodeUnidentified(_ delegate: any RestorationDelegate) -> Bool {
    guard var top = delegate.restorationWindows.first?.restorationRootNode else { return false }
    for _ in 0..<RestorationPath.maximumCount {
      guard let next = top.restorationPresentedNode ?? top.restorationChildren.last else { break }
      top = next
    }
    return (top.restorationIdentifier ?? "").isEmpty
  }

  private func report(
    on archive: [UInt8], duration: Duration
  ) throws(ArchiveError) -> SaveReport {
    let records = try Archive(archive)
    var objects: [ReportedObject] = []
    for (index, item) in items.enumerated() {
      objects.append(
        ReportedObject(
          path: item.path, typeName: item.typeName,
          kind: ReportedObject.Kind(item.place.kind),
          disposition: item.isStateless ? .inDefaultState : .saved, source: nil,
          byteCount: try records.object(Self.id(ofItemAt: index)).byteCount,
          parentIndex: item.place.parent))
    }
    return SaveReport(
      outcome: .saved, objects: objects, diagnostics: diagnostics,
      archiveByteCount: archive.count, ignoresSnapshot: ignoresSnapshot, duration: duration)
  }
}
