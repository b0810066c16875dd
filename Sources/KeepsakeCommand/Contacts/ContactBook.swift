import Foundation

/// The contacts, kept in a model file of the app's own: JSON, and no business of Keepsake's.
@MainActor
final class ContactBook {
  /// The book of the running app.
  static var shared = ContactBook(contacts: [])

  private(set) var contacts: [Contact]

  init(contacts: [Contact]) {
    self.contacts = contacts
  }

  /// Reads the model file.
  convenience init(readingFrom url: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: url)
      self.init(contacts: try JSONDecoder().decode([Contact].self, from: data))
    } catch {
      throw Failure(
        message: "The contacts in \(url.path) cannot be read: \(error.localizedDescription) Give a "
          + "directory that the demo made, or leave the directory empty for new contacts.",
        status: .inputOutput)
    }
  }

  /// Writes the model file.
  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try encoder.encode(contacts).write(to: url, options: .atomic)
    } catch {
      throw Failure(
        message: "The contacts cannot be written to \(url.path): \(error.localizedDescription) Use "
          + "a directory that can be written.",
        status: .inputOutput)
    }
  }

  func contact(_ identifier: String) -> Contact? {
    contacts.first { $0.identifier == identifier }
  }

  func row(of identifier: String) -> Int? {
    contacts.firstIndex { $0.identifier == identifier }
  }

  func sort(by areInIncreasingOrder: (Contact, Contact) -> Bool) {
    contacts.sort(by: areInIncreasingOrder)
  }

  /// Makes 240 contacts, the same ones every time, in the order of their names.
  static func sample() -> ContactBook {
    let givenNames = [
      "Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "Hedy", "John", "Katherine",
      "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Tony",
    ]
    let familyNames = [
      "Allen", "Dijkstra", "Hamilton", "Hoare", "Hopper", "Johnson", "Knuth", "Lamarr", "Lamport",
      "Liskov", "Lovelace", "McCarthy", "Perlman", "Thompson", "Turing",
    ]
    var contacts: [Contact] = []
    for familyName in familyNames {
      for givenName in givenNames {
        let number = contacts.count
        contacts.append(
          Contact(
            identifier: "contact-\(1000 + number * 7 % 240)", name: "\(givenName) \(familyName)",
            phone: "555-\(1000 + number * 37 % 9000)"))
      }
    }
    return ContactBook(contacts: contacts)
  }
}
