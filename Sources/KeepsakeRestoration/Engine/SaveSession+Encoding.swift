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
    _ delegate: any RestorationDelegate, reserved: ReservedValues, budget: RestorationBudget
  ) throws(RestorationError) -> EncodedState? {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      var coder = RestorationEncoder(ArchiveWriter(reserved: reserved), session: self)
      try coder.writeObject(Self.applicationID, typeName: StateIndex.applicationTypeName) {
        try encodeApplication(delegate, with: &$0)
      }
      try encodeObjects(with: &coder)
      rows.nameWhatWasPruned()
      var writer = coder.takeWriter()
      rows.index.ignoresSnapshot = ignoresSnapshot || isTopmostNodeUnidentified(delegate)
      let liveCount = rows.index.count
      try writeOrphans(into: &writer)
      let archive = try shed(
        try writeIndex(into: writer), reserved: reserved, budget: budget, liveCount: liveCount)
      let report = report(
        liveCount: liveCount, byteCount: archive.count, duration: clock.now - start)
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

  /// Ends an archive with the index, its root.
  func writeIndex(into writer: consuming ArchiveWriter) throws -> [UInt8] {
    let root = writer.nextObjectID
    rows.index.application = ArchiveReference(Self.applicationID)
    rows.index.objects = Self.references(count: rows.index.count)
    try writer.writeObject(root, typeName: StateIndex.typeName) { rows.index.encode(with: &$0) }
    return try writer.finish(root: root)
  }

  nonisolated private static func references(count: Int) -> [ArchiveReference] {
    (0..<count).map { ArchiveReference(id(ofRow: $0)) }
  }

  private func encodeApplication(
    _ delegate: any RestorationDelegate, with coder: inout RestorationEncoder
  ) throws {
    guard try delegate.shouldSaveState(with: &coder) else { throw Declined() }
    try delegate.willEncodeRestorableState(with: &coder)
    for window in delegate.restorationWindows {
      let row = window.restorationRootNode.flatMap { rows.addRoot($0) }
      rows.index.windows.append(row.map { UInt32($0 + 1) } ?? 0)
    }
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

  private func report(liveCount: Int, byteCount: Int, duration: Duration) -> SaveReport {
    var reported = ReportedRows(index: rows.index, typeNames: rows.typeNames, count: liveCount)
    reported.typeNumbers = rows.typeNumbers
    reported.byteCounts = rows.byteCounts
    return SaveReport(
      outcome: .saved, reported: ReportedObjects(reported), diagnostics: rows.diagnostics,
      archiveByteCount: byteCount, ignoresSnapshot: rows.index.ignoresSnapshot, duration: duration)
  }
}
