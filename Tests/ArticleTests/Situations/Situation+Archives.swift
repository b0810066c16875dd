import Keepsake

/// An object with a name, an age and nothing under "nickname".
private func person() throws -> [UInt8] {
  try archive { coder in
    coder.encode("Ada", forKey: "name")
    coder.encode(300, forKey: "age")
    coder.encode(String?.none, forKey: "nickname")
  }
}

private func archive(_ body: (inout ObjectEncoder) -> Void) throws -> [UInt8] {
  var writer = ArchiveWriter()
  try writer.writeObject(ArchiveObjectID(1), typeName: "Person", body)
  return try writer.finish(root: ArchiveObjectID(1))
}

private func read<Value>(
  _ bytes: [UInt8], _ body: (borrowing ObjectDecoder) throws -> Value
) throws {
  let archive = try Archive(bytes)
  _ = try body(archive.object(archive.rootID))
}

private struct Employee: Codable {
  struct Address: Codable { var street: String }

  var name: String
  var address: Address
}

extension Situation {
  static var archives: [Situation] {
    [
      Situation("An archive is opened that has no bytes") { _ in _ = try Archive([UInt8]()) },
      Situation("A text is opened as an archive") { _ in
        _ = try Archive(Array("This is a letter, and no archive at all.".utf8))
      },
      Situation("An archive is opened without its end") { _ in
        _ = try Archive(Array(person().dropLast(10)))
      },
      Situation("One byte of an archive's tables is another") { _ in
        var bytes = try person()
        bytes[bytes.count - 20] ^= 0xFF
        try Archive(bytes).verify()
      },
      Situation("A key is asked for that the object does not have") { _ in
        try read(person()) { try $0.decode(String.self, forKey: "address") }
      },
      Situation("A text is read as a number") { _ in
        try read(person()) { try $0.decode(Int.self, forKey: "name") }
      },
      Situation("300 is read as a UInt8") { _ in
        try read(person()) { try $0.decode(UInt8.self, forKey: "age") }
      },
      Situation("A nil is read as a String") { _ in
        try read(person()) { try $0.decode(String.self, forKey: "nickname") }
      },
      Situation("An object is asked for that the archive does not have") { _ in
        _ = try Archive(person()).object(ArchiveObjectID(7))
      },
      Situation("The same key is written twice") { _ in
        _ = try archive {
          $0.encode(1, forKey: "age")
          $0.encode(2, forKey: "age")
        }
      },
      Situation("A program writes a key that is reserved") { _ in
        _ = try archive { $0.encode("2.0", forKey: .bundleVersion) }
      },
      Situation("Objects are not written in the order of their numbers") { _ in
        var writer = ArchiveWriter()
        try writer.writeObject(ArchiveObjectID(2), typeName: "Person") { $0.encode(1, forKey: "a") }
      },
      Situation("A reference leads to an object that was never written") { _ in
        _ = try archive { $0.encode(ArchiveReference(ArchiveObjectID(2)), forKey: "friend") }
      },
      Situation("A type has an empty name") { _ in
        var writer = ArchiveWriter()
        try writer.writeObject(ArchiveObjectID(1), typeName: "") { $0.encode(1, forKey: "a") }
      },
      Situation("An archive is larger than its reader allows") { _ in
        var limits = ArchiveLimits()
        limits.byteCount = 10
        _ = try Archive(person(), limits: limits)
      },
      Situation("A key is longer than the format has room for") { _ in
        let key = ArchiveKey(String(repeating: "k", count: 70_000))
        _ = try archive { $0.encode(1, forKey: key) }
      },
      Situation("An object is of a type that is not registered") { _ in
        let bytes = try archiveFamily()
        _ = try Archive(bytes).decodeRoot(Person.self, registry: TypeRegistry())
      },
      Situation("Two types are registered under one name") { _ in
        var registry = TypeRegistry()
        try registry.register(Person.self)
        try registry.register(Namesake.self)
      },
      Situation("A Codable type asks for a key that is absent, two levels down") { _ in
        struct Place: Codable { var city = "London" }
        struct Old: Codable { var name = "Ada", address = Place() }
        _ = try ArchiveDecoder().decode(Employee.self, from: try ArchiveEncoder().encode(Old()))
      },
      Situation("A Codable type has a number where a text was written") { _ in
        struct Old: Codable { var name = 12 }
        _ = try ArchiveDecoder().decode(Employee.self, from: try ArchiveEncoder().encode(Old()))
      },
    ]
  }
}

private final class Namesake: ArchiveObject {
  static let archiveTypeName = "Person"

  func encode(to coder: inout ObjectEncoder) {}

  init(from coder: borrowing ObjectDecoder) throws {}
}
