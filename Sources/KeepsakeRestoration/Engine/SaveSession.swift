import KeepsakeArchive

/// One save: the work-list of objects to encode, and what was left out of it.
///
/// An object gets its row when it is first reached, by containment, presentation or reference, and is
/// encoded once, in the order of the rows: first in, first out. Rules: Spec/restoration.md, section 4.
@MainActor
final class SaveSession {
  /// The id of the application's own record; the rows follow it.
  nonisolated static let applicationID = ArchiveObjectID(1)

  /// A restoration class: the number of its name in the index, and whether it is registered by it.
  struct SavedClass {
    let number: UInt32
    let isRegistered: Bool
  }

  var rows = SavedRows()
  private var classNumbers: [String: UInt32] = [:]
  private var savedClasses: [ObjectIdentifier: SavedClass] = [:]
  private var lastClass: (identifier: ObjectIdentifier, saved: SavedClass)?
  /// Whether the object that encodes right now has reached its base class.
  var isSuperclassCallConfirmed = false
  /// Whether an object asked that the next launch shows no picture.
  var ignoresSnapshot = false
  private let registeredObjects: RegisteredObjects
  let registry: RestorationRegistry
  let orphans: Orphans

  init(
    registeredObjects: RegisteredObjects, registry: RestorationRegistry, orphans: Orphans
  ) {
    self.registeredObjects = registeredObjects
    self.registry = registry
    self.orphans = orphans
  }

  /// The registered objects that still exist.
  var registered: [any RestorableObject] { registeredObjects.alive }

  func isRegistered(_ object: any RestorableObject) -> Bool { registeredObjects.contains(object) }

  nonisolated static func id(ofRow row: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(row + 1) + applicationID.rawValue)
  }

  /// The number of a restoration class's name in the index, counted from one.
  func number(ofClassNamed name: String) -> UInt32 {
    if let number = classNumbers[name] { return number }
    rows.index.classNames.append(name)
    let number = UInt32(rows.index.classNames.count)
    classNumbers[name] = number
    return number
  }

  /// What is known of a restoration class; each is asked once for its name.
  func savedClass(_ restorationClass: any RestorationClass.Type) -> SavedClass {
    let identifier = ObjectIdentifier(restorationClass)
    if let lastClass, lastClass.identifier == identifier { return lastClass.saved }
    let saved = savedClasses[identifier] ?? describe(restorationClass)
    savedClasses[identifier] = saved
    lastClass = (identifier, saved)
    return saved
  }

  private func describe(_ restorationClass: any RestorationClass.Type) -> SavedClass {
    let name = restorationClass.restorationClassName
    return SavedClass(
      number: number(ofClassNamed: name),
      isRegistered: registry.restorationClass(named: name) != nil)
  }

  /// Says of a row that the archive has none of its state.
  func markStateless(_ row: Int) {
    rows.index.flags[row] |= StateIndex.Flags.stateless.rawValue
  }
}
