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
    state.fields = try record.fields.map { field in
      var field = field
      field.value = try Self.redirect(field.value, newID)
      return field
    }
    try writer.writeObject(
      id, typeName: record.typeName, schemaVersion: record.schemaVersion, template: template
    ) { $0.encodeFields(of: state) }
  }

  /// The nesting of values is limited by the archive, and with it this recursion.
  private static func redirect(
    _ value: ArchivedValue, _ newID: (ArchiveObjectID) -> ArchiveObjectID?
  ) throws -> ArchivedValue {
    switch value {
    case .reference(let id): return .reference(id.flatMap(newID))
    case .array(let values): return .array(try values.map { try redirect($0, newID) })
    case .dictionary(let entries):
      return .dictionary(
        try entries.map { entry in
          var entry = entry
          entry.value = try redirect(entry.value, newID)
          return entry
        })
    case .record(var record):
      record.fields = try record.fields.map { field in
        var field = field
        field.value = try redirect(field.value, newID)
        return field
      }
      return .record(record)
    default: return value
    }
  }
}

/// All orphans of a restore, and where every record of it was.
struct Orphans {
  var records: [Orphan] = []
  /// The paths of all records of the former archive, when there are orphans.
  var formerPaths: [ArchiveObjectID: RestorationPath] = [:]
}
