/// The objects that an app registered although they are neither nodes nor views.
///
/// They are held weakly: an object that is gone is not saved, and nobody has to take it off the list.
@MainActor
final class RegisteredObjects {
  private struct Entry {
    weak var object: (any RestorableObject)?
  }

  private var entries: [Entry] = []
  /// The place of each object in `entries`, by an identity that outlives the object.
  private var positions: [ObjectIdentifier: Int] = [:]
  /// How many entries there were when those of objects that are gone were last taken off.
  private var tidiedCount = 0
  /// The objects by their own identifiers; made at the first search after a change.
  private var found: [String: [Int]]?

  /// The objects that still exist, in the order of their registration.
  var alive: [any RestorableObject] { entries.compactMap(\.object) }

  func contains(_ object: any RestorableObject) -> Bool {
    guard let position = positions[ObjectIdentifier(object)] else { return false }
    // Another object may be where one was that is gone.
    return entries[position].object === object
  }

  func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    let name = type(of: object).restorationTypeName
    guard !identifier.isEmpty else {
      throw RestorationError(
        .invalidRegistration,
        "A \(name) was registered under an empty identifier; give it one that is not empty.")
    }
    if contains(object) {
      let present = object.restorationIdentifier ?? ""
      guard present == identifier else {
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

  /// The object with a path, by the identifiers that it and its ancestors have now.
  func object(at path: RestorationPath) -> (any RestorableObject)? {
    let found = found ?? positionsByIdentifier()
    self.found = found
    for position in found[path.identifier] ?? [] {
      if let object = entries[position].object, Self.hasPath(object, path) { return object }
    }
    return nil
  }

  private func positionsByIdentifier() -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for (position, entry) in entries.enumerated() {
      if let identifier = entry.object?.restorationIdentifier {
        found[identifier, default: []].append(position)
      }
    }
    return found
  }

  private static func hasPath(_ object: any RestorableObject, _ path: RestorationPath) -> Bool {
    var components: [String] = []
    var next: (any RestorableObject)? = object
    while let member = next, components.count < RestorationPath.maximumCount {
      if let identifier = member.restorationIdentifier, !identifier.isEmpty {
        components.append(identifier)
      }
      next = member.restorationParent
    }
    return components.count == path.count && components.reversed() == path.components
  }
}
