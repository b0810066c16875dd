import Keepsake

/// Whom the user has looked at, the last one first: state of the interface that is neither a screen nor
/// a view, and so an object that is registered for restoration.
final class RecentPeople: RestorableObject {
  private static let limit = 50

  var restorationIdentifier: String?
  var restorationParent: (any RestorableObject)? { nil }
  private(set) var identifiers: [String] = []

  func look(at identifier: String) {
    identifiers.removeAll { $0 == identifier }
    identifiers.insert(identifier, at: 0)
    if identifiers.count > Self.limit { identifiers.removeLast() }
  }

  func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.encode(identifiers, forKey: "identifiers")
  }

  func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    identifiers = try coder.decode([String].self, forKey: "identifiers")
  }
}
