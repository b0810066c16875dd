import Foundation
import Keepsake

/// The contacts, in a JSON file of the app's own, which is not part of the saved state.
///
/// Several processes may use one file: each change applies to the file's current content.
@MainActor
package final class ContactBook {
  /// The error for a file that is not a book of contacts.
  package struct DamageError: Error, CustomStringConvertible {
    /// A full sentence.
    package let description: String
  }

  private struct Contents: Codable {
    var order: Contact.Order
    var contacts: [Contact]
    /// Absent in a file of a version without favourites.
    var favourites: Set<String>?
  }

  private static let largestFile = 1 << 24

  private let path: String
  private var contents = Contents(order: .familyName, contacts: Contact.samples())
  private var rows: [String: Int] = [:]

  package var contacts: [Contact] { contents.contacts }
  package var order: Contact.Order { contents.order }

  /// The contacts that the user has marked, in the order of all.
  package var favourites: [Contact] { contents.contacts.filter { isFavourite($0.identifier) } }

  /// Reads the file; if it does not exist, the book has sample contacts and writes nothing.
  package init(path: String) throws {
    self.path = path
    if let stored = try read() { contents = stored }
    index()
  }

  package func contact(_ identifier: String) -> Contact? {
    row(of: identifier).map { contents.contacts[$0] }
  }

  package func row(of identifier: String) -> Int? { rows[identifier] }

  /// Inserts a contact by its name, after those with the same name, replaces one with its identifier, and writes the
  /// file.
  ///
  /// A second call changes nothing, so a process that dies before its state is saved may repeat it in the next
  /// launch.
  package func keep(_ contact: Contact) throws {
    try change { contents in
      contents.contacts.removeAll { $0.identifier == contact.identifier }
      let row = contents.contacts.firstIndex { contents.order.isIncreasing(contact, $0) }
      contents.contacts.insert(contact, at: row ?? contents.contacts.count)
    }
  }

  package func isFavourite(_ identifier: String) -> Bool {
    contents.favourites?.contains(identifier) == true
  }

  /// Marks a contact as a favourite or removes its mark, and writes the file.
  package func setFavourite(_ identifier: String, _ isFavourite: Bool) throws {
    try change { contents in
      var favourites = contents.favourites ?? []
      if isFavourite { favourites.insert(identifier) } else { favourites.remove(identifier) }
      contents.favourites = favourites
    }
  }

  /// Sorts the contacts, now and from now on, and writes the file.
  package func sort(by order: Contact.Order) throws {
    try change { contents in
      contents.order = order
      contents.contacts.sort(by: order.isIncreasing)
    }
  }

  private func change(_ body: (inout Contents) -> Void) throws {
    let lock = try FileLock(at: path + ".lock", patience: .seconds(5))
    defer { withExtendedLifetime(lock) {} }
    var changed = try read() ?? contents
    body(&changed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let bytes = [UInt8](try encoder.encode(changed))
    try DurableFile.replace(at: path, with: bytes.span)
    contents = changed
    index()
  }

  private func read() throws -> Contents? {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try DurableFile.read(at: path, upTo: Self.largestFile)
    } catch {
      if error.code == .fileAbsent { return nil }
      throw error
    }
    do {
      return try JSONDecoder().decode(Contents.self, from: Data(bytes))
    } catch {
      throw DamageError(
        description: "The file \"\(path)\" does not hold contacts as this app writes them; put it "
          + "back from a copy, or move it away to begin with the sample contacts.")
    }
  }

  private func index() {
    rows = Dictionary(
      contents.contacts.enumerated().map { ($1.identifier, $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
