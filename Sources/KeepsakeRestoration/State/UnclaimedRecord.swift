import KeepsakeArchive
import KeepsakeDocuments

/// A record that no object claimed at the last restore, kept for one more launch.
///
/// For example, the app has not built its tab this time, or a plug-in was missing. A record that the app declined is
/// not kept. Rules: Spec/restoration.md, section 6.
struct UnclaimedRecord {
  let path: RestorationPath
  let place: Place
  let role: ObjectRow.Role
  let className: String?
  let isStateless: Bool
  let template: String?
  let record: DynamicRecord
}

extension UnclaimedRecord {
  /// Writes the record again, with its references changed to the present ids of their objects.
  func write(
    as id: ArchiveObjectID, into writer: inout ArchiveWriter,
    _ newID: (ArchiveObjectID) -> ArchiveObjectID?
  ) throws {
    var state = record
    // The archive that it was read from limits the nesting of its values.
    try state.mapReferences(levels: .max) { newID($0) }
    try writer.writeObject(
      id, typeName: record.typeName, schemaVersion: record.schemaVersion, template: template
    ) { $0.encodeFields(of: state) }
  }
}

extension UnclaimedRecord {
  /// The identity of a record in a state: path, ordinal and kind (Spec/restoration.md, section 2, rule 6).
  ///
  /// It includes the ordinals and kinds of the records above it, since twins on a stack have children with equal paths.
  final class Place {
    let parent: Place?
    let identifier: String
    let kind: ReportedObject.Kind
    let ordinal: UInt32

    init(
      _ identifier: String, _ kind: ReportedObject.Kind, ordinal: UInt32, in parent: Place?
    ) {
      self.parent = parent
      self.identifier = identifier
      self.kind = kind
      self.ordinal = ordinal
    }

    /// The place of the first node at a path.
    init(ofNodeAt path: RestorationPath) {
      parent = path.parent.map { Place(ofNodeAt: $0) }
      identifier = path.identifier
      kind = .node
      ordinal = 0
    }

    /// The places of all rows; nil for malformed ones.
    static func all(of rows: inout [ObjectRow]) -> [Place?] {
      var places: [Place?] = []
      places.reserveCapacity(rows.count)
      for row in rows.indices {
        guard rows[row].progress != .malformed else {
          places.append(nil)
          continue
        }
        let path = rows.path(row)
        let parent =
          rows[row].isMoved
          ? path.parent.map { Place(ofNodeAt: $0) } : rows[row].parent.flatMap { places[$0] }
        places.append(
          Place(path.identifier, rows[row].role.kind, ordinal: rows[row].ordinal, in: parent))
      }
      return places
    }
  }
}

/// All unclaimed records of a restore, and the places of all its records.
struct UnclaimedState {
  var records: [UnclaimedRecord] = []
  /// The places of all records of the former archive; empty without unclaimed records.
  var formerPlaces: [ArchiveObjectID: UnclaimedRecord.Place] = [:]
}
