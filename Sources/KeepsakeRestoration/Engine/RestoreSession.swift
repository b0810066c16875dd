import KeepsakeArchive

/// One restore: the rows of a saved state, and the objects found or made for them.
///
/// All nodes are made before any of them decodes, parents before their children. Every fault of a
/// row, a record, a factory or an object stays with that object. Rules: Spec/restoration.md, section 5.
@MainActor
final class RestoreSession {
  let archive: Archive
  let index: StateIndex
  let delegate: any RestorationDelegate
  let registry: RestorationRegistry
  /// The restoration classes that the index names, where they are registered.
  let restorationClasses: [(any RestorationClass.Type)?]
  let registeredObjects: RegisteredObjects
  /// Whether the object that decodes right now has reached its base class.
  var isSuperclassCallConfirmed = false
  /// What became of each row so far.
  var rows: RestoredRows
  /// What became of the records, once all objects have had their turn to decode.
  var decoded = Decoded(count: 0)
  /// The containers whose members are searched for at the moment, and wide ones that were before.
  var nodes = Siblings<any RestorableNode>(of: -2, nil, [])
  var views = Siblings<any RestorableView>(of: -2, nil, [])
  var wideContainers: [Int: Siblings<any RestorableNode>] = [:]
  private var notices = DiagnosticList()

  init(
    _ archive: Archive, _ index: StateIndex, delegate: any RestorationDelegate,
    registry: RestorationRegistry, registeredObjects: RegisteredObjects
  ) {
    self.archive = archive
    self.index = index
    self.delegate = delegate
    self.registry = registry
    var classes: [(any RestorationClass.Type)?] = []
    for name in index.classNames { classes.append(registry.restorationClass(named: name)) }
    restorationClasses = classes
    self.registeredObjects = registeredObjects
    rows = RestoredRows(
      index, recordCount: archive.objectCount,
      reserved: [archive.rootID.rawValue, index.application.objectID?.rawValue])
  }

  func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath? = nil,
    _ message: @autoclosure () -> String
  ) {
    notices.report(code, at: path, message())
  }

  /// The object that was found or made for an id, which may be anything.
  func object(for id: ArchiveObjectID) -> (any RestorableObject)? {
    rows.row(ofRecord: id.rawValue).flatMap { rows.participants[$0]?.object }
  }

  /// Opens the record of a row that is not malformed, or of the application.
  ///
  /// The decoder is lent: it is borrowed by one call of the app, and the session keeps the archive.
  func open(
    _ reference: ArchiveReference, with finder: inout ObjectFinder
  ) throws(ArchiveError) -> ObjectDecoder {
    guard let id = reference.objectID else {
      throw ArchiveError(.noSuchObject, "the index names no record where one has to be")
    }
    return try finder.lentObject(id)
  }

  /// The restoration class of a row, where it has one that is registered.
  func restorationClass(_ row: Int) -> (any RestorationClass.Type)? {
    let number = Int(index.classes[row])
    return number > 0 && number <= restorationClasses.count ? restorationClasses[number - 1] : nil
  }

  func path(_ row: Int) -> RestorationPath { rows.path(row, in: index) }

  /// What became of each object.
  func restoreReport(duration: Duration) -> RestoreReport {
    var reported = ReportedRows(index: index, typeNames: decoded.records.names, count: index.count)
    reported.typeNumbers = decoded.records.typeNumbers
    reported.byteCounts = decoded.records.byteCounts
    reported.progress = rows.progress
    reported.isRestored = decoded.isRestored
    reported.aliases = rows.aliases
    reported.archive = archive
    return RestoreReport(
      .restored, ReportedObjects(reported), diagnostics: notices.all, duration: duration)
  }
}
