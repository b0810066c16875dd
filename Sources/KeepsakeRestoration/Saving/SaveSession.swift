import KeepsakeArchive

/// One save: the work-list of objects to encode, and the notices about those that were left out.
///
/// An object gets its row when it is first reached, by containment, presentation or reference. Each object is encoded
/// once, in the order of the rows. Rules: Spec/restoration.md, section 3.
@MainActor
final class SaveSession: EncodingContext {
  /// An archive, and the report with the result of each object.
  struct Outcome {
    let archive: [UInt8]
    let report: SaveReport
  }

  private struct Declined: Error {}

  /// The id of the application's own record; the rows follow it.
  nonisolated static let applicationID = ArchiveObjectID(1)

  var rows: SavedRows
  let registeredObjects: RegisteredObjects
  let savedProperties: SavedProperties
  let unclaimed: UnclaimedState
  private var isSuperclassCallConfirmed = false
  private var ignoresSnapshot = false
  /// The number of saved objects; known at the end.
  private(set) var rowCount = 0

  init(
    registeredObjects: RegisteredObjects, registry: RestorationRegistry, unclaimed: UnclaimedState,
    savedProperties: SavedProperties, expectedRowCount: Int
  ) {
    self.savedProperties = savedProperties
    self.registeredObjects = registeredObjects
    rows = SavedRows(
      registry: registry, registeredObjects: registeredObjects, expectedCount: expectedRowCount)
    self.unclaimed = unclaimed
  }

  nonisolated static func id(ofRow row: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(row + 1) + applicationID.rawValue)
  }

  func confirmSuperclassCall() { isSuperclassCallConfirmed = true }

  func ignoreSnapshot() { ignoresSnapshot = true }

  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError) {
    try registeredObjects.register(object, identifier: identifier)
  }

  /// Encodes the application and everything that its windows show, in the order of
  /// Spec/restoration.md, section 3; nil when the delegate declined.
  func encode(
    _ delegate: any RestorationDelegate, reserved: ReservedValues, budget: RestorationBudget
  ) throws(RestorationError) -> Outcome? {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      var coder = RestorationEncoder(ArchiveWriter(reserved: reserved), context: self)
      try encodeApplication(delegate, with: &coder)
      try encodeObjects(with: &coder)
      ignoresSnapshot = ignoresSnapshot || rows.showsUnsavedNode(in: delegate.restorationWindows)
      rows.addNamesOfLostObjects()
      reportUnfoundProperties()
      reportUnsavedProperties(of: delegate)
      var writer = coder.writer
      let liveCount = rows.count
      rowCount = liveCount
      try writeUnclaimedRecords(into: &writer)
      var index = makeIndex()
      let archive = try shed(
        try Self.write(index, into: writer), &index, reserved: reserved, budget: budget,
        liveCount: liveCount)
      index.rows.removeLast(index.rows.count - min(liveCount, index.rows.count))
      let report = SaveReport(
        outcome: .saved, reported: report(of: &index), diagnostics: rows.diagnostics,
        archiveByteCount: archive.count, ignoresSnapshot: ignoresSnapshot,
        duration: clock.now - start)
      return Outcome(archive: archive, report: report)
    } catch is Declined {
      return nil
    } catch let error as ArchiveError {
      throw RestorationError(
        .encodingFailed, "The application's state was not saved: \(error.description)",
        underlyingError: error)
    } catch {
      throw RestorationError(
        .callbackFailed,
        "The state was not saved, because the application's delegate failed: \(error)",
        underlyingError: error)
    }
  }

  private func encodeApplication(
    _ delegate: any RestorationDelegate, with coder: inout RestorationEncoder
  ) throws {
    let record = try coder.writer.beginObject(
      Self.applicationID, typeName: StateIndex.applicationTypeName, template: nil)
    do {
      try encodeProperties(of: delegate, with: &coder)
      guard try delegate.shouldSaveState(with: &coder) else { throw Declined() }
      try delegate.willEncodeRestorableState(with: &coder)
    } catch {
      coder.writer.dropObject(record)
      throw error
    }
    try coder.writer.endObject(record)
    for window in delegate.restorationWindows { rows.addRoot(window.restorationRootNode) }
  }

  /// Writes the saved properties of the delegate, in a scope of their own, so that their keys never collide with
  /// hand-written ones.
  private func encodeProperties(
    of delegate: any RestorationDelegate, with coder: inout RestorationEncoder
  ) throws {
    guard let layout = savedProperties.layout(of: delegate) else { return }
    var failures: [(key: ArchiveKey, error: any Error)] = []
    try coder.withScope(SavedProperties.delegateScope) {
      failures = try savedProperties.encode(delegate, layout, with: &$0)
    }
    for (key, error) in failures {
      rows.report(
        .valueNotWritten, at: nil,
        "The value of \"\(key.name)\" of the application was not saved, because it could not be encoded: \(error)"
      )
    }
  }

  /// Encodes the objects of the work-list, and then the registered objects that nothing refers to.
  private func encodeObjects(with coder: inout RestorationEncoder) throws {
    var row = 0
    var (type, typeNumber): (ObjectType?, Int) = (nil, -1)
    var layout: SavedProperties.Layout?
    var byteCount = 0
    repeat {
      // Each access to the rows is checked for exclusivity at run time, so each row gets a single access.
      while let work = rows.collect(row, afterRecordOf: byteCount) {
        if work.typeNumber != typeNumber {
          typeNumber = work.typeNumber
          type = rows.types[typeNumber]
          layout = savedProperties.layout(of: work.object)
        }
        if let type { try encode(work, row, type, layout, with: &coder) }
        byteCount = coder.writer.lastObjectByteCount
        row += 1
      }
      for object in registeredObjects.alive { _ = reference(to: object) }
    } while row < rows.count
  }

  /// Encodes one object of the work-list, after the objects that it contains have joined the list.
  private func encode(
    _ work: borrowing SavedRows.PendingObject, _ row: Int, _ type: borrowing ObjectType,
    _ layout: SavedProperties.Layout?, with coder: inout RestorationEncoder
  ) throws {
    let id = Self.id(ofRow: row)
    if type.requiresSuperclassCall { isSuperclassCallConfirmed = false }
    do {
      let record = try coder.writer.beginObject(id, typeName: type.name, template: work.template)
      do {
        if let layout { try encodeProperties(of: work.object, row, layout, with: &coder) }
        try work.object.encodeRestorableState(with: &coder)
      } catch {
        coder.writer.dropObject(record)
        throw error
      }
      try coder.writer.endObject(record)
      if type.requiresSuperclassCall, !isSuperclassCallConfirmed {
        reportMissingSuperclassCall(row, type.name)
      }
    } catch {
      // The object loses its own state, but keeps its place, so that the objects in it are still saved.
      rows.truncate(to: work.count)
      rows[row].flags.insert(.stateless)
      let path = rows.path(row)
      rows.report(
        .encodingFailed, at: path,
        "The state of \(path) was not saved, because it could not be encoded: \(error)")
      try coder.writer.writeObject(id, typeName: type.name, template: work.template) { _ in }
    }
  }

  private func encodeProperties(
    of object: any RestorableObject, _ row: Int, _ layout: SavedProperties.Layout,
    with coder: inout RestorationEncoder
  ) throws {
    for (key, error) in try savedProperties.encode(object, layout, with: &coder) {
      let path = rows.path(row)
      rows.report(
        .valueNotWritten, at: path,
        "The value of \"\(key.name)\" of \(path) was not saved, because it could not be encoded: \(error)"
      )
    }
  }

  /// Reports that saved properties exist that reflection may be unable to find.
  private func reportUnfoundProperties() {
    let types = savedProperties.suspects(in: SavedProperty.modulesOfUnfound)
    guard !types.isEmpty else { return }
    let shown = types.prefix(10).map { StableName.shown($0) }.joined(separator: ", ")
    rows.report(
      .unfoundProperties, at: nil,
      "There are saved properties that belong to no object that was saved, and types of the same module "
        + "of which reflection shows no properties: \(shown). If the properties are theirs, they are not "
        + "saved: build them with reflection metadata, and without a mirror of their own.")
  }

  /// Reports saved properties that were set but belong to no saved object.
  private func reportUnsavedProperties(of delegate: any RestorationDelegate) {
    guard !SavedProperty.unsavedDeclarations.isEmpty else { return }
    // Objects in windows without an identifier, and objects of other states, are reported elsewhere.
    savedProperties.find(in: delegate, registeredObjects.alive)
    StateChanges.searchIfNeeded()
    let unsaved = savedProperties.declarationsWithoutObject()
    guard !unsaved.isEmpty else { return }
    let shown = unsaved.prefix(10).joined(separator: "; ")
    let more = unsaved.count > 10 ? " and \(unsaved.count - 10) more" : ""
    rows.report(
      .unfoundProperties, at: nil,
      "Saved properties that were set were not saved, because they belong to no object that takes part in a save: "
        + "\(shown)\(more). Let a controller of a window contain their object, register the object with the coordinator, "
        + "register(_:identifier:), or declare them in the application's delegate.")
  }

  private func reportMissingSuperclassCall(_ row: Int, _ typeName: String) {
    let path = rows.path(row)
    rows.report(
      .missingSuperclassCall, at: path,
      "The built-in state of \(path) was not saved, because encodeRestorableState(with:) of "
        + "\(StableName.shown(typeName)) does not call super; let it do so.")
  }
}

// The index, and the report that is made from it.
extension SaveSession {
  private func makeIndex() -> StateIndex {
    var index = StateIndex()
    index.application = ArchiveReference(Self.applicationID)
    index.rows = rows.takeRows()
    index.windows = rows.windows
    index.classNames = rows.classNames.names
    index.ignoresSnapshot = ignoresSnapshot
    return index
  }

  /// Ends an archive with the index, its root.
  static func write(_ index: StateIndex, into writer: consuming ArchiveWriter) throws -> [UInt8] {
    let root = writer.nextObjectID
    try writer.writeObject(root, typeName: StateIndex.typeName, template: nil) {
      index.encode(to: &$0)
    }
    return try writer.finish(root: root)
  }

  /// Makes the report of a written index, and takes over its rows.
  private func report(of index: inout StateIndex) -> ReportedObjects {
    let rows = ReportedRows(
      &index.rows, typeNames: self.rows.types.types.map(\.name), windows: index.windows)
    return ReportedObjects { rows.objects }
  }
}
