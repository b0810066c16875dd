import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Containers that are opened more than once, and mistakes that cannot be thrown at once.
@Suite struct `Codable containers that are opened again` {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// A type that a closure encodes.
  struct Custom: Encodable {
    let body: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private func fields(_ body: @escaping (any Encoder) throws -> Void) throws -> DynamicRecord {
    let archive = try Archive(Array(ArchiveEncoder().encode(Custom(body: body))))
    #expect(try archive.verdict() == .canonical)
    let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
    guard case .record(let record) = value else {
      Issue.record("the value is no record")
      return DynamicRecord()
    }
    return record
  }

  /// The number of keys before: a few are searched one by one, many in a table.
  @Test(arguments: [0, 3, 15, 16, 17, 40])
  func `A container replaces a scalar under its key, and can be opened again`(before: Int) throws {
    let record = try fields { encoder in
      var container = encoder.container(keyedBy: Key.self)
      // Alternating containers are kept in a tree; otherwise a second container could not continue.
      var other = container.nestedContainer(keyedBy: Key.self, forKey: Key("other"))
      for index in 0..<before { try container.encode(index, forKey: Key("before \(index)")) }
      try container.encode(1, forKey: Key("value"))
      for index in 0..<before { try container.encode(index, forKey: Key("between \(index)")) }
      var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("value"))
      try first.encode(2, forKey: Key("x"))
      try other.encode(3, forKey: Key("z"))
      var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("value"))
      try second.encode(4, forKey: Key("y"))
      var third = container.nestedContainer(keyedBy: Key.self, forKey: Key("other"))
      try third.encode(5, forKey: Key("w"))
    }
    let number = { DynamicValue.signed($0, bitWidth: 32) }
    let value = DynamicRecord(
      fields: [.init(key: "x", value: number(2)), .init(key: "y", value: number(4))])
    let other = DynamicRecord(
      fields: [.init(key: "w", value: number(5)), .init(key: "z", value: number(3))])
    #expect(record.fields.count == 2 * before + 2)
    #expect(record["value"] == .record(value))
    #expect(record["other"] == .record(other))
  }

  @Test(arguments: [0, 20])
  func `A later scalar replaces a container under its key`(between: Int) throws {
    let record = try fields { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("value"))
      for index in 0..<between { try container.encode(index, forKey: Key("\(index)")) }
      try container.encode("scalar", forKey: Key("value"))
      // This write has no effect any more.
      try first.encode(2, forKey: Key("x"))
    }
    #expect(record["value"] == .string("scalar"))
    #expect(record.fields.count == between + 1)
  }

  /// A value that opens two kinds of container, which is known only at the end of encoding.
  private func torn(_ name: String) -> Custom {
    Custom { encoder in
      _ = encoder.unkeyedContainer()
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: Key(name))
    }
  }

  @Test func `An error for containers of two kinds names the first such value`() throws {
    func place(_ names: [String]) -> String? {
      let value = Custom { encoder in
        var container = encoder.container(keyedBy: Key.self)
        for name in names { try container.encode(torn(name), forKey: Key(name)) }
      }
      let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(value) }
      guard case .invalidValue(_, let context) = error else { return nil }
      #expect(context.debugDescription.contains("containers of different kinds"))
      return context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    #expect(place(["one", "two"]) == "one")
    #expect(place(["two", "one"]) == "two")
    #expect(place(["alone"]) == "alone")
  }
}
