import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

/// The encoder writes some values while they encode themselves and others later; the bytes must not show which.
@Suite struct `The bytes of Codable values` {
  /// The archive of a value by the specification, written by the dynamic view.
  private func specified(_ value: DynamicValue) throws -> Data {
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") { coder in
      coder.encode([value].resized([32, 64])[0], forKey: "value")
    }
    return Data(try writer.finish(root: ArchiveObjectID(1)))
  }

  // Holds.
  @Test(arguments: 0..<20)
  func `Codable values have the bytes of the same values in the dynamic view`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for number in 0..<60 {
      let model = ModelValue(depth: 4, using: &random)
      let encoded = try ArchiveEncoder().encode(model)
      let expected = try specified(model.archived)
      try #require(encoded == expected, "model \(number): \(model)")
      try Archive(Array(encoded)).requireCanonical()
    }
  }

  @Test func `Records are stored alike, whatever number of keys they have`() throws {
    for count in [0, 1, 63, 64, 65, 200] {
      let fields = (0..<count).map { ("key \($0)", ModelValue.int($0)) }
      let records = ModelValue.row([.record(fields), .record(fields.reversed())])
      #expect(try ArchiveEncoder().encode(records) == specified(records.archived))
    }
    // This array has more orders of keys than the encoder caches.
    let many = ModelValue.row(
      (0..<300).map { first in
        .record((0..<50).map { ("key \(($0 * 7 + first) % 53)", .byte(1)) })
      })
    #expect(try ArchiveEncoder().encode(many) == specified(many.archived))
  }

  struct Failing: Encodable {
    struct Mistake: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      try container.encode(["a", "b"], forKey: .init("partly"))
      try container.encode(ModelValue.record([("new", .null)]), forKey: .init("other"))
      throw Mistake()
    }
  }

  @Test func `A value that throws leaves no bytes`() throws {
    struct Careful: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ModelValue.Key.self)
        try container.encode(1, forKey: .init("one"))
        #expect(throws: Failing.Mistake.self) {
          try container.encode(Failing(), forKey: .init("failing"))
        }
        try container.encode([ModelValue.string("x")], forKey: .init("after"))
      }
    }
    let expected = ModelValue.record([("one", .int(1)), ("after", .row([.string("x")]))])
    #expect(try ArchiveEncoder().encode(Careful()) == specified(expected.archived))
    #expect(throws: Failing.Mistake.self) { try ArchiveEncoder().encode([Failing()]) }
  }

  /// Keeps containers, so that other values can write to them.
  final class Shelf {
    var keyed: [KeyedEncodingContainer<ModelValue.Key>] = []
    var encoders: [any Encoder] = []
  }

  struct Shelved: Encodable {
    var number: Int
    var shelf: Shelf

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      try container.encode(number, forKey: .init("number"))
      for index in shelf.keyed.indices {
        try shelf.keyed[index].encode(number, forKey: .init("from \(number)"))
      }
      shelf.keyed.append(container)
    }
  }

  @Test func `Values written to a kept container are stored`() throws {
    let shelf = Shelf()
    let values = (0..<3).map { Shelved(number: $0, shelf: shelf) }
    let archive = try ArchiveDecoder().decode(
      [[String: Int]].self, from: ArchiveEncoder().encode(values))
    #expect(archive[0] == ["number": 0, "from 1": 1, "from 2": 2])
    #expect(archive[1] == ["number": 1, "from 2": 2])
    #expect(archive[2] == ["number": 2])
    // After the call, writing to a kept container has no effect.
    for index in shelf.keyed.indices {
      try shelf.keyed[index].encode(9, forKey: .init("late"))
      try shelf.keyed[index].encode([Box(value: 9)], forKey: .init("later"))
    }
  }
}
