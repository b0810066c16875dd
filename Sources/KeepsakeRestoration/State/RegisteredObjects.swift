import KeepsakeArchive

/// The objects that an app registered although they are neither nodes nor views.
///
/// They are held weakly: an object that is gone is not saved, and nobody has to take it off the list.
@MainActor
final class RegisteredObjects {
  private struct Entry {
    weak var object: (any RestorableObject)?
    /// What a restore knew of an object that its class made, in case the object itself does not say it.
    var restorationClass: (any ObjectRestorationClass.Type)?
    weak var parent: (any RestorableObject)?
  }

  private var entries: [Entry] = []
  /// The place of each object in `entries`, by an identity that outlives the object.
  private var positions: [ObjectIdentifier: Int] = [:]
  /// How many entries there were when those of objects that are gone were last taken off.
  private var tidiedCount = 0
  /// The objects by their own identifiers; made at the first search after a change.
  private var found: [NameKey: [Int]]?

  /// The objects that still exist, in the order of their registration.
  var alive: [any RestorableObject] { entries.compactMap(\.object) }

  func contains(_ object: any RestorableObject) -> Bool { position(of: object) != nil }

  private func position(of object: any RestorableObject) -> Int? {
    guard let position = positions[ObjectIdentifier(object)] else { return nil }
    // Another object may be where one was that is gone.
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
    if entries.count >= 2 * tidiedCount + 16 { tidy() }
    object.restorationIdentifier = identifier
    positions[ObjectIdentifier(object)] = entries.count
    entries.append(Entry(object: object))
    found = nil
  }

  private func tidy() {
    entries.removeAll { $0.object == nil }
    tidiedCount = entries.count
    positions.removeAll(keepingCapacity: true)
    for (position, entry) in entries.enumerated() {
      if let object = entry.object { positions[ObjectIdentifier(object)] = position }
    }
  }

  /// Remembers how a restore came by an object, for the next save.
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

  /// The parent of an object of any kind.
  func parent(of object: any RestorableObject) -> (any RestorableObject)? {
    object.restorationParent ?? position(of: object).flatMap { entries[$0].parent }
  }

  /// An object as what it takes part in a save; `nil` for one that was not registered and is neither a
  /// node nor a view.
  func participant(_ object: any RestorableObject) -> Participant? {
    if let node = object as? any RestorableNode { return .node(node) }
    if let view = object as? any RestorableView { return .view(view) }
    return contains(object) ? .object(object) : nil
  }

  /// The object with an identifier that meets a condition.
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

  /// The nearest ancestor of an object that has a place in a path.
  func namedAncestor(of object: any RestorableObject) -> (any RestorableObject)? {
    var next = parent(of: object)
    for _ in 0..<RestorationPath.maximumCount {
      guard let ancestor = next else { return nil }
      if ancestor.savedIdentifier != nil, participant(ancestor) != nil { return ancestor }
      next = parent(of: ancestor)
    }
    return nil
  }

  /// Whether an object has a path, by the identifiers that it and its ancestors have now.
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
