import KeepsakeArchive

/// One save: the work-list of objects to encode, and what was left out of it.
///
/// An object gets its row when it is first reached, by containment, presentation or reference, and is
/// encoded once, in the order of the rows: first in, first out. Rules: Spec/restoration.md, section 4.
@MainActor
final class SaveSession {
  /// The id of the application's own record; the rows follow it.
  nonisolated static let applicationID = ArchiveObjectID(1)

  var rows: SavedRows
  /// Whether the object that encodes right now has reached its base class.
  var isSuperclassCallConfirmed = false
  /// Whether an object asked that the next launch shows no picture.
  var ignoresSnapshot = false
  private let registeredObjects: RegisteredObjects
  let orphans: Orphans

  init(
    registeredObjects: RegisteredObjects, registry: RestorationRegistry, orphans: Orphans
  ) {
    self.registeredObjects = registeredObjects
    rows = SavedRows(registry: registry)
    self.orphans = orphans
  }

  /// The registered objects that still exist.
  var registered: [any RestorableObject] { registeredObjects.alive }

  func isRegistered(_ object: any RestorableObject) -> Bool { registeredObjects.contains(object) }

  nonisolated static func id(ofRow row: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(row + 1) + applicationID.rawValue)
  }

  /// Says of a row that the archive has none of its state.
  func markStateless(_ row: Int) {
    rows.index.flags[row] |= StateIndex.Flags.stateless.rawValue
  }
}
