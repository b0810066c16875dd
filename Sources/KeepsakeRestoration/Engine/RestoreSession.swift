import KeepsakeArchive

/// One restore: the records of an archive, and the objects found or made for them.
///
/// All nodes are made before any of them decodes, parents before their children. Every fault of a
/// record, a factory or an object stays with that object. Rules: Spec/restoration.md, section 5.
@MainActor
final class RestoreSession {
  /// A record of the archive and what became of it.
  struct Record {
    enum Progress { case waiting, creating, dropped, created }

    let id: ArchiveObjectID
    let typeName: String
    let template: String?
    let fields: RecordFields
    let byteCount: Int
    var path: RestorationPath
    /// Whether an alias gave the record a path in another container than its former one.
    var isMoved = false
    var progress = Progress.waiting
    var object: (any RestorableObject)?
    var source: ReportedObject.Source?
    var matchesType = false
    var isRestored = false
    /// Whether the application said that it does not want the object back.
    var isDeclined = false
  }

  let archive: Archive
  let delegate: any RestorationDelegate
  let registry: RestorationRegistry
  let registeredObjects: RegisteredObjects
  /// Whether the object that decodes right now has reached its base class.
  var isSuperclassCallConfirmed = false
  private(set) var windowRoots: [ArchiveObjectID?] = []
  /// The records of objects, in the order of their ids; the application's own is not among them.
  var records: [Record] = []
  /// The place in `records` of each number of an object; the ids of an archive have no gaps.
  private var indexes: [Int?] = []
  /// How many path components may still be made: a hostile archive can chain its records so that their
  /// paths outgrow it.
  var pathBudget: Int
  /// The record that each object stands for.
  var owners: [ObjectIdentifier: Int] = [:]
  private(set) var diagnostics: [RestorationDiagnostic] = []

  init(
    _ archive: Archive, delegate: any RestorationDelegate, registry: RestorationRegistry,
    registeredObjects: RegisteredObjects
  ) {
    self.archive = archive
    self.delegate = delegate
    self.registry = registry
    self.registeredObjects = registeredObjects
    pathBudget = max(1 << 18, archive.byteCount / 4)
  }

  func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath? = nil, _ message: String
  ) {
    diagnostics.append(RestorationDiagnostic(code, at: path, message))
  }

  /// The index of a record, for an id that may be anything.
  func index(of id: ArchiveObjectID?) -> Int? {
    guard let id, indexes.indices.contains(Int(id.rawValue)) else { return nil }
    return indexes[Int(id.rawValue)]
  }

  /// The object that was found or made for an id.
  func object(for id: ArchiveObjectID) -> (any RestorableObject)? {
    index(of: id).flatMap { records[$0].object }
  }

  /// A coder over the record of an object.
  func coder(for id: ArchiveObjectID) throws(ArchiveError) -> RestorationDecoder {
    RestorationDecoder(values: try archive.object(id), session: self)
  }

  /// Reads what the engine stored of every object.
  func loadRecords() throws(ArchiveError) {
    windowRoots = try RecordFields(from: archive.object(archive.rootID)).children
    indexes = Array(repeating: nil, count: archive.objectCount + 1)
    records.reserveCapacity(archive.objectCount)
    for number in 0..<archive.objectCount {
      let id = ArchiveObjectID(UInt32(clamping: number + 1))
      guard id != archive.rootID else { continue }
      do {
        let decoder = try archive.object(id)
        let fields = try RecordFields(from: decoder)
        if fields.kind == .summary { continue }
        guard fields.isObject, !fields.identifier.isEmpty else {
          report(.malformedRecord, "The record \(id) of the saved state has no identifier.")
          continue
        }
        indexes[number + 1] = records.count
        records.append(
          Record(
            id: id, typeName: decoder.typeName,
            template: try decoder.decodeIfPresent(String.self, forKey: .template), fields: fields,
            byteCount: decoder.byteCount, path: RestorationPath(root: fields.identifier)))
      } catch {
        report(.malformedRecord, "The record \(id) of the saved state was left out: \(error)")
      }
    }
  }

  /// What became of each object.
  func restoreReport(duration: Duration) -> RestoreReport {
    let objects = records.map { record in
      ReportedObject(
        path: record.path, typeName: record.typeName,
        kind: ReportedObject.Kind(record.fields.kind),
        disposition: record.object == nil
          ? .dropped : record.isRestored ? .restored : .inDefaultState,
        source: record.source, byteCount: record.byteCount,
        parentIndex: index(of: record.fields.parent))
    }
    return RestoreReport(.restored, objects: objects, diagnostics: diagnostics, duration: duration)
  }
}
