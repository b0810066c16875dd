import Foundation
import Keepsake

/// The people, kept in a file of the app's own: JSON, and no business of the saved state's.
@MainActor
final class AddressBook {
  private let path: String
  private(set) var people: [Person] = []

  /// Reads the file; where there is none, the book has its sample people.
  init(path: String) throws {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else {
      people = Self.sample()
      return
    }
    try reload()
  }

  private func reload() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    people = try JSONDecoder().decode([Person].self, from: data)
  }

  func person(_ identifier: String) -> Person? {
    people.first { $0.identifier == identifier }
  }

  func row(of identifier: String) -> Int? {
    people.firstIndex { $0.identifier == identifier }
  }

  /// Puts a person in the place that the name has in the alphabet, and writes the file.
  ///
  /// Doing it twice is the same as once, so that a process that dies before its state is saved may do it
  /// again in its next life.
  func keep(_ person: Person) throws {
    // Another process may have kept somebody meanwhile.
    if FileManager.default.fileExists(atPath: path) { try reload() }
    people.removeAll { $0.identifier == person.identifier }
    people.insert(person, at: people.firstIndex { $0.name > person.name } ?? people.count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let bytes = [UInt8](try encoder.encode(people))
    try DurableFile.replace(at: path, with: bytes.span)
  }

  /// 120 people, the same ones every time.
  private static func sample() -> [Person] {
    let givenNames = [
      "Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "Katherine", "Margaret",
      "Radia",
    ]
    let familyNames = [
      "Allen", "Dijkstra", "Hamilton", "Hoare", "Hopper", "Johnson", "Knuth", "Liskov", "Lovelace",
      "Perlman", "Thompson", "Turing",
    ]
    var people: [Person] = []
    for givenName in givenNames {
      for familyName in familyNames {
        let number = people.count
        people.append(
          Person(
            identifier: "person-\(number)", name: "\(givenName) \(familyName)",
            phone: "555-\(1000 + number * 37 % 9000)", note: ""))
      }
    }
    return people
  }
}
