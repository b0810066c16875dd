import KeepsakeArchive

/// A record that nobody claimed at the last restore, kept for one more launch.
///
/// The app may not have built its tab this time, or a plug-in was missing. What the app declined to
/// have back is no orphan. Rules: Spec/restoration.md, section 6.
struct Orphan {
  let path: RestorationPath
  let role: ObjectRow.Role
  let ordinal: UInt32
  let className: String?
  let isStateless: Bool
  let template: String?
  let record: ArchivedRecord
}

extension Orphan {
  /// Writes the record again, with its references led to where their objects are now.
  func write(
    as id: ArchiveObjectID, into writer: inout ArchiveWriter,
    _ newID: (ArchiveObjectID) -> ArchiveObjectID?
  ) throws {
    var state = record
    // The archive that it was read from limits how deep its values are nested.
    try state.mapReferences(levels: .max) { newID($0) }
    try writer.writeObject(
      id, typeName: record.typeName, schemaVersion: record.schemaVersion, template: template
    ) { $0.encodeFields(of: state) }
  }
}

/// All orphans of a restore, and where every record of it was.
struct Orphans {
  var records: [Orphan] = []
  /// The paths of all records of the former archive, when there are orphans.
  var formerPaths: [ArchiveObjectID: RestorationPath] = [:]
}
