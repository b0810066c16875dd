import KeepsakeArchive

/// The objects that an app has registered, which are neither nodes nor views.
///
/// They are held weakly: an object that was released is not saved, and need not be unregistered.
@MainActor
final class RegisteredObjects {
  private struct Entry {
    weak var object: (any RestorableObject)?
    /// The class and the parent of an object that a restore has made, in case its own properties are nil.
    var restorationClass: (any ObjectRestorationClass.Type)?
    weak var parent: (any RestorableObject)?
  }

  private var entries: [Entry] = []
  /// The index of each object in `entries`, by an identity that outlives the object.
  private var positions: [ObjectIdentifier: Int] = [:]
  /// The number of entries that were left when entries of released objects were last removed.
  private var countAfterCleanup = 0
  /// The indices of objects by their identifiers; built at the first search after a change.
  private var found: [NameKey: [Int]]?

  /// The objects that still exist, in the order of their registration.
  var alive: [any RestorableObject] { entries.compactMap(\.object) }

  func contains(_ object: any RestorableObject) -> Bool { position(of: object) != nil }

  private func position(of object: any RestorableObject) -> Int? {
    guard let position = positions[ObjectIdentifier(object)] else { return nil }
    // Another object may have the address of a released one.
    return entries[position].object === object ? position : nil
  }

  func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    let name = StableName.shown(of: object)
    guard !identifier.isEmpty else {
      throw RestorationError(
        .invalidRegistration,
        "A \(name) was registered under an empty identifier; give it one that is not empty.")
    }
    if contains(object) {
      let present = object.restorationIdentifier ?? ""
      guard present.hasSameBytes(as: identifier) else {
        throw RestorationError(
          .invalidRegistration,
          "A \(name) is registered as \"\(present)\" and cannot be registered as "
            + "\"\(identifier)\" too; register each object once.")
      }
      return
    }
    if entries.count >= 2 * countAfterCleanup + 16 { removeReleased() }
    object.restorationIdentifier = identifier
    positions[ObjectIdentifier(object)] = entries.count
    entries.append(Entry(object: object))
    found = nil
  }

  private func removeReleased() {
    entries.removeAll { $0.object == nil }
    countAfterCleanup = entries.count
    positions.removeAll(keepingCapacity: true)
    for (position, entry) in entries.enumerated() {
      if let object = entry.object { positions[ObjectIdentifier(object)] = position }
    }
  }

  /// Remembers the class and the parent of an object that a restore has made, for the next save.
  func remember(
    _ object: any RestorableObject, madeBy restorationClass: any ObjectRestorationClass.Type,
    below parent: (any RestorableObject)?
  ) {
    guard let position = position(of: object) else { return }
    entries[position].restorationClass = restorationClass
    entries[position].parent = parent
  }

  /// The class that makes an object at the next launch.
  func restorationClass(of object: any RestorableObject) -> (any ObjectRestorationClass.Type)? {
    object.objectRestorationClass ?? position(of: object).flatMap { entries[$0].restorationClass }
  }

  func parent(of object: any RestorableObject) -> (any RestorableObject)? {
    object.restorationParent ?? position(of: object).flatMap { entries[$0].parent }
  }

  /// An object with its kind; nil for one that was not registered and is neither a node nor a view.
  func participant(_ object: any RestorableObject) -> Participant? {
    if let node = object as? any RestorableNode { return .node(node) }
    if let view = object as? any RestorableView { return .view(view) }
    return contains(object) ? .object(object) : nil
  }

  /// The first object that has an identifier and satisfies a condition.
  func object(
    _ identifier: String, where isRight: (any RestorableObject) -> Bool
  ) -> (any RestorableObject)? {
    let found = found ?? positionsByIdentifier()
    self.found = found
    for position in found[NameKey(identifier)] ?? [] {
      if let object = entries[position].object, isRight(object) { return object }
    }
    return nil
  }

  private func positionsByIdentifier() -> [NameKey: [Int]] {
    var found: [NameKey: [Int]] = [:]
    for (position, entry) in entries.enumerated() {
      if let identifier = entry.object?.restorationIdentifier {
        found[NameKey(identifier), default: []].append(position)
      }
    }
    return found
  }

  /// The nearest ancestor that has a component in the path of an object.
  func namedAncestor(of object: any RestorableObject) -> (any RestorableObject)? {
    var next = parent(of: object)
    for _ in 0..<RestorationPath.maximumCount {
      guard let ancestor = next else { return nil }
      if ancestor.savedIdentifier != nil, participant(ancestor) != nil { return ancestor }
      next = parent(of: ancestor)
    }
    return nil
  }

  /// True when a path consists of the present identifiers of an object and its ancestors.
  func hasPath(_ object: any RestorableObject, _ path: RestorationPath) -> Bool {
    var components: [String] = []
    var next: (any RestorableObject)? = object
    while let member = next, components.count < RestorationPath.maximumCount {
      if let identifier = member.savedIdentifier { components.append(identifier) }
      next = namedAncestor(of: member)
    }
    return RestorationPath(components.reversed()) == path
  }
}
