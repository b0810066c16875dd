import KeepsakeArchive

/// One save: the work-list of objects to encode, and what was left out of it.
///
/// An object gets its id when it is first reached, by containment, presentation or reference, and is
/// encoded once, in the order of the ids: first in, first out. Rules: Spec/restoration.md, section 4.
@MainActor
final class SaveSession {
  /// An object of the work-list with its place in the tree.
  struct Item {
    let object: any RestorableObject
    let typeName: String
    let path: RestorationPath
    let place: Place
    var isStateless = false
  }

  /// What makes a path unique: the parent, the kind, the identifier, and the ordinal among equals.
  struct Place: Hashable {
    let parent: Int?
    let kind: RecordFields.Kind
    let identifier: String
    let ordinal: UInt32
  }

  /// The id of the application's own record; the items of the work-list follow it.
  static let applicationID = ArchiveObjectID(1)

  private(set) var items: [Item] = []
  private var indexes: [ObjectIdentifier: Int] = [:]
  private var places: [Place: Int] = [:]
  private var typeNames: [ObjectIdentifier: String] = [:]
  private(set) var diagnostics: [RestorationDiagnostic] = []
  /// Whether the object that encodes right now has reached its base class.
  var isSuperclassCallConfirmed = false
  /// Whether an object asked that the next launch shows no picture.
  var ignoresSnapshot = false
  private let registeredObjects: RegisteredObjects
  let orphans: Orphans

  init(registeredObjects: RegisteredObjects, orphans: Orphans) {
    self.registeredObjects = registeredObjects
    self.orphans = orphans
  }

  /// The registered objects that still exist.
  var registered: [any RestorableObject] { registeredObjects.alive }

  func isRegistered(_ object: any RestorableObject) -> Bool { registeredObjects.contains(object) }

  func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath? = nil, _ message: String
  ) {
    diagnostics.append(RestorationDiagnostic(code, at: path, message))
  }

  static func id(ofItemAt index: Int) -> ArchiveObjectID {
    ArchiveObjectID(UInt32(index) + applicationID.rawValue + 1)
  }

  /// Finds the index of an object that is known already.
  func index(of object: any RestorableObject) -> Int? { indexes[ObjectIdentifier(object)] }

  /// Adds an object at its place, unless another object has the place.
  func add(_ object: any RestorableObject, at place: Place) -> Int? {
    let path =
      if let parent = place.parent {
        items[parent].path.appending(place.identifier)
      } else {
        RestorationPath(root: place.identifier)
      }
    guard path.count <= RestorationPath.maximumCount else {
      report(
        .pruned, at: path.parent,
        "A \(typeName(of: object)) was left out with everything below it, because it "
          + "has more than \(RestorationPath.maximumCount - 1) ancestors; nest less deeply.")
      return nil
    }
    if let present = places[place] {
      let (first, second) = (items[present].typeName, typeName(of: object))
      report(
        .duplicatePath, at: path,
        "A \(second) was left out, because a \(first) has the same path \(path); give them "
          + "different restoration identifiers.")
      return nil
    }
    let index = items.count
    items.append(Item(object: object, typeName: typeName(of: object), path: path, place: place))
    indexes[ObjectIdentifier(object)] = index
    places[place] = index
    return index
  }

  /// The stable name of an object's type, asked for once of each type.
  private func typeName(of object: any RestorableObject) -> String {
    let type = type(of: object)
    if let name = typeNames[ObjectIdentifier(type)] { return name }
    let name = type.restorationTypeName
    typeNames[ObjectIdentifier(type)] = name
    return name
  }

  /// Forgets what was added after the work-list had a length.
  func truncate(to count: Int) {
    while items.count > count {
      let item = items.removeLast()
      indexes[ObjectIdentifier(item.object)] = nil
      places[item.place] = nil
    }
  }

  func markStateless(_ index: Int) {
    items[index].isStateless = true
  }
}
