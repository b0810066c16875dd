/// The objects that an app registered although they are neither nodes nor views.
///
/// They are held weakly: an object that is gone is not saved, and nobody has to take it off the list.
@MainActor
final class RegisteredObjects {
  private struct Entry {
    weak var object: (any RestorableObject)?
  }

  private var entries: [Entry] = []

  /// The objects that still exist, in the order of their registration.
  var alive: [any RestorableObject] { entries.compactMap(\.object) }

  func contains(_ object: any RestorableObject) -> Bool { alive.contains { $0 === object } }

  func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    let name = type(of: object).restorationTypeName
    guard !identifier.isEmpty else {
      throw RestorationError(
        .invalidRegistration,
        "A \(name) was registered under an empty identifier; give it one that is not empty.")
    }
    entries.removeAll { $0.object == nil }
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
    object.restorationIdentifier = identifier
    entries.append(Entry(object: object))
  }

  /// The object with a path, by the identifiers that it and its ancestors have now.
  func object(at path: RestorationPath) -> (any RestorableObject)? {
    alive.first { Self.path(of: $0) == path.components }
  }

  private static func path(of object: any RestorableObject) -> [String] {
    var components: [String] = []
    var next: (any RestorableObject)? = object
    while let member = next, components.count < RestorationPath.maximumCount {
      if let identifier = member.restorationIdentifier, !identifier.isEmpty {
        components.append(identifier)
      }
      next = member.restorationParent
    }
    return components.reversed()
  }
}
