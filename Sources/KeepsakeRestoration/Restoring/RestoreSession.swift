import KeepsakeArchive
import KeepsakeDocuments

/// The part of a restore that its coders share.
@MainActor
final class RestoreContext: DecodingContext {
  let registry: RestorationRegistry
  private let registeredObjects: RegisteredObjects
  private let extend: @MainActor () -> Void
  /// The object that was found or made for each record, by id; the ids of an archive have no gaps.
  private let objects: FixedStorage<(any RestorableObject)?>
  private var unrestored: [ArchiveObjectID: String] = [:]
  private(set) var isSuperclassCallConfirmed = false
  /// The values whose defaults were used; they are reported at the end, when all paths are known.
  private(set) var defaults: [(row: Int?, key: String, error: any Error)] = []

  init(
    registry: RestorationRegistry, registeredObjects: RegisteredObjects, recordCount: Int,
    extend: @escaping @MainActor () -> Void
  ) {
    self.registry = registry
    self.registeredObjects = registeredObjects
    self.extend = extend
    objects = FixedStorage(repeating: nil, count: recordCount + 1)
  }

  func object(for id: ArchiveObjectID) -> (any RestorableObject)? {
    Int(id.rawValue) < objects.count ? objects[Int(id.rawValue)] : nil
  }

  func identifierOfUnrestoredObject(for id: ArchiveObjectID) -> String? { unrestored[id] }

  func noteUnrestored(_ id: ArchiveObjectID, _ identifier: String) { unrestored[id] = identifier }

  func setObject(_ object: any RestorableObject, for id: ArchiveObjectID?) {
    if let id, Int(id.rawValue) < objects.count { objects[Int(id.rawValue)] = object }
  }

  func expectSuperclassCall() { isSuperclassCallConfirmed = false }

  func confirmSuperclassCall() { isSuperclassCallConfirmed = true }

  func extendRestoration() { extend() }

  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError) {
    try registeredObjects.register(object, identifier: identifier)
  }

  func reportDefault(ofRow row: Int?, forKey key: String, _ error: any Error) {
    if defaults.count <= DiagnosticList.limit { defaults.append((row, key, error)) }
  }
}

/// One restore: the rows of a saved state, and the objects found or made for them.
///
/// All nodes are made before any of them decodes, parents before their children. A fault of a row, a record, a
/// factory or an object affects only that object. Rules: Spec/restoration.md, section 5.
@MainActor
struct RestoreSession: ~Copyable {
  let archive: Archive
  /// The index without its rows, which are in ``rows``.
  let index: StateIndex
  let delegate: any RestorationDelegate
  let registry: RestorationRegistry
  let registeredObjects: RegisteredObjects
  let savedProperties: SavedProperties
  let context: RestoreContext
  let log = KeyLog()
  /// The restoration classes that the index names; nil for those that are not registered.
  let restorationClasses: [(any RestorationClass.Type)?]
  var rows: [ObjectRow]
  var finder: ObjectFinder
  var rowsByObject: [ObjectIdentifier: Int] = [:]
  /// The rows of registered objects that are not registered yet.
  var waitingRows: [Int] = []
  /// The unclaimed records, for the next save.
  private(set) var unclaimed = UnclaimedState()
  /// The names of the saved types, by their numbers in the archive.
  var typeNames: [String] = []
  var types = TypeTable()
  /// The last result of the check of classes, kept because objects of one type usually follow each other.
  var lastMatch: (savedType: Int, type: Int, isMatch: Bool)?
  /// The saved properties of the object type in ``lastMatch``.
  var lastLayout: SavedProperties.Layout?
  /// The containers that are being searched, and wide ones that were searched before.
  var nodes: Siblings<any RestorableNode>?
  var views: Siblings<any RestorableView>?
  var wideContainers: [Int?: Siblings<any RestorableNode>] = [:]
  /// The nodes below nodes without identifiers, by the row above them.
  var hiddenNodes: [Int?: Siblings<any RestorableNode>] = [:]
  private var hasDroppedRows = false
  private var notices = DiagnosticList()

  init(
    _ archive: Archive, _ index: consuming StateIndex, delegate: any RestorationDelegate,
    registry: RestorationRegistry, registeredObjects: RegisteredObjects,
    savedProperties: SavedProperties, extend: @escaping @MainActor () -> Void
  ) {
    self.savedProperties = savedProperties
    rows = index.rows
    index.rows = []
    self.archive = archive
    finder = ObjectFinder(archive)
    self.delegate = delegate
    self.registry = registry
    self.registeredObjects = registeredObjects
    context = RestoreContext(
      registry: registry, registeredObjects: registeredObjects, recordCount: archive.objectCount,
      extend: extend)
    restorationClasses = index.classNames.map { registry.restorationClass(named: $0) }
    self.index = index
  }

  /// Restores everything, in the order of Spec/restoration.md, section 3.
  mutating func restore() -> RestoreReport {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(ArchiveError) {
      let application = RestorationDecoder(
        values: try open(index.application.objectID), ofRow: nil, context: context, log: log)
      if let refusal = ask(application) { return RestoreReport(.refused(refusal)) }
      makeWindows()
      createObjects()
      decodeObjects()
      decodeApplication(application)
      finishObjects()
      reportDefaults()
      reportUnattached()
      if hasDroppedRows { unclaimed = unclaimedRecords() }
    } catch {
      return RestoreReport(
        .refused(.damaged("Nothing was restored, because the state is malformed: \(error)")))
    }
    let rows = ReportedRows(
      &rows, typeNames: typeNames, windows: index.windows, archive: archive)
    return RestoreReport(
      .restored, ReportedObjects { rows.objects }, diagnostics: notices.all,
      duration: clock.now - start)
  }

  private mutating func ask(_ application: borrowing RestorationDecoder) -> RestoreReport.Refusal? {
    do {
      if try delegate.shouldRestoreState(with: application) { return nil }
      return .declined("Nothing was restored, because the application declined.")
    } catch {
      return .declined(
        "Nothing was restored, because the application failed while it decided: \(error)")
    }
  }

  private mutating func decodeApplication(_ application: borrowing RestorationDecoder) {
    if let layout = savedProperties.layout(of: delegate) {
      savedProperties.decode(
        delegate, layout, with: application.scope(SavedProperties.delegateScope))
    }
    do {
      try delegate.didDecodeRestorableState(with: application)
    } catch {
      report(.decodingFailed, "The application could not decode its own values: \(error)")
    }
  }

  private mutating func finishObjects() {
    for row in rows.indices where rows[row].progress == .restored {
      rows[row].participant?.object.applicationFinishedRestoringState()
    }
  }
}

// Helpers of all parts of a restore. Even those that only read are `mutating`: a nonmutating call would copy the
// whole session.
extension RestoreSession {
  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath? = nil, _ message: String
  ) {
    notices.report(code, at: path, message)
  }

  /// Reports a notice about a row, with a message that contains its path.
  mutating func report(
    _ code: RestorationDiagnostic.Code, _ row: Int, _ message: (RestorationPath) -> String
  ) {
    let path = path(row)
    notices.report(code, at: path, message(path))
  }

  /// Drops a row, and reports why.
  mutating func drop(
    _ row: Int, _ code: RestorationDiagnostic.Code, _ message: (RestorationPath) -> String
  ) {
    hasDroppedRows = true
    rows[row].progress = code == .declined ? .declined : .dropped
    if let id = rows[row].record, code != .declined {
      context.noteUnrestored(id, identifier(row))
    }
    report(code, row, message)
  }

  private mutating func reportDefaults() {
    for (row, key, error) in context.defaults {
      let path = row.map { self.path($0) }
      report(
        .valueNotRead, at: path,
        "The value of \"\(key)\" of \(path.map { "\($0)" } ?? "the application") was not restored and "
          + "has its default: \(error)")
    }
  }

  mutating func path(_ row: Int) -> RestorationPath { rows.path(row) }

  /// Opens the record of a row that is not malformed, or of the application.
  ///
  /// The decoder does not retain the archive. The app borrows the decoder for one call, and meanwhile the session
  /// retains the archive.
  @inline(__always)
  mutating func open(_ record: ArchiveObjectID?) throws(ArchiveError) -> ObjectDecoder {
    guard let record else {
      throw ArchiveError(.noSuchObject, "the index names no record for an object that needs one")
    }
    return try finder.lentObject(record)
  }

  /// The coder of a row's record, for a factory or the object itself.
  @inline(__always)
  mutating func coder(of row: Int) throws(ArchiveError) -> RestorationDecoder {
    RestorationDecoder(
      values: try open(rows[row].record), ofRow: row, context: context, log: log)
  }
}

extension RestoreSession {
  /// The maximum number of components in the paths of all kept records: a hostile archive can chain its records so
  /// that their paths become far larger than the archive.
  private static let componentLimit = 1 << 18

  /// The unclaimed records, which are kept for one more launch.
  ///
  /// The result has no record that the application declined, none below such a record, and none that was kept before.
  mutating func unclaimedRecords() -> UnclaimedState {
    var unclaimed = UnclaimedState()
    let places = UnclaimedRecord.Place.all(of: &rows)
    var componentCount = 0
    var isDeclined = Array(repeating: false, count: rows.count)
    for row in rows.indices {
      let inherited = rows[row].parent.map { isDeclined[$0] } ?? false
      isDeclined[row] = inherited || rows[row].progress == .declined
      guard rows[row].progress == .dropped, !isDeclined[row], !rows[row].flags.contains(.unclaimed),
        componentCount + rows[row].depth <= Self.componentLimit,
        let place = places[row], let id = rows[row].record, let object = try? archive.object(id),
        let contents = try? object.dynamicRecord()
      else { continue }
      let template = try? object.decodeIfPresent(String.self, forKey: .template)
      componentCount += rows[row].depth
      unclaimed.records.append(
        UnclaimedRecord(
          path: path(row), place: place, role: rows[row].role,
          className: className(row), isStateless: rows[row].flags.contains(.stateless),
          template: template, record: contents))
    }
    guard !unclaimed.records.isEmpty else { return unclaimed }
    unclaimed.formerPlaces = formerPlaces(places)
    return unclaimed
  }

  /// The places of all records that have one, by their ids.
  private func formerPlaces(
    _ places: [UnclaimedRecord.Place?]
  ) -> [ArchiveObjectID: UnclaimedRecord.Place] {
    var former: [ArchiveObjectID: UnclaimedRecord.Place] = [:]
    for row in rows.indices {
      if let place = places[row], let id = rows[row].record { former[id] = place }
    }
    return former
  }
}
