/// A contact in the app's own model.
package struct Contact: Codable, Hashable, Sendable {
  /// The identifier of the contact, which does not depend on its place in a list.
  package let identifier: String
  package var name: String
  package var phone: String
  package var note: String

  package init(identifier: String, name: String, phone: String, note: String) {
    self.identifier = identifier
    self.name = name
    self.phone = phone
    self.note = note
  }

  /// The last word of the name.
  fileprivate var familyName: Substring { name.split(separator: " ").last ?? "" }
}

extension Contact {
  /// The sort order of the contacts.
  package enum Order: String, Codable, Sendable {
    case familyName
    case givenName

    func isIncreasing(_ first: Contact, _ second: Contact) -> Bool {
      switch self {
      case .familyName: (first.familyName, first.name) < (second.familyName, second.name)
      case .givenName: first.name < second.name
      }
    }
  }

  /// 240 contacts, the same ones every time, sorted by family name.
  static func samples() -> [Contact] {
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
            phone: "555-\(1000 + number * 37 % 9000)", note: ""))
      }
    }
    return contacts
  }
}
