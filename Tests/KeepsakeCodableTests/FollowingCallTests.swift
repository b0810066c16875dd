import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

/// Calls reuse objects of earlier calls, which must not change a result.
@Suite struct `A Codable call that follows others` {
  /// An encoder with limits that no call had before, so that it reuses nothing.
  private func fresh(_ number: Int) -> ArchiveEncoder {
    var encoder = ArchiveEncoder()
    encoder.limits.byteCount -= 1 + number
    return encoder
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `A later call writes the same bytes as a first one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let models = (0..<6).map { _ in ModelValue(depth: 3, using: &random) }
    // Encodes all of them before, since a call with other limits leaves nothing for the next one.
    let expected = try models.indices.map { try fresh($0 + 100 * Int(seed)).encode(models[$0]) }
    for turn in 0..<60 {
      let number = Int.random(in: 0..<models.count, using: &random)
      let bytes = try ArchiveEncoder().encode(models[number])
      try #require(bytes == expected[number], "seed \(seed), turn \(turn)")
    }
  }

  @Test func `A call numbers shapes by their first use, whatever the order was before`() throws {
    let (x, z) = (ModelValue.record([("x", .null)]), ModelValue.record([("z", .null)]))
    func record(_ b: [ModelValue], _ a: [ModelValue]) -> ModelValue {
      // The bytes of the second array are first.
      .record([("b", .row(b)), ("a", .row(a))])
    }
    // The first two complete the same shapes in the same order, but number them in different orders.
    let models = [
      record([x], [z]), record([], [x, z]), record([x], []), record([z], [x]), record([], []),
      record([x], [z, .record([("w", x)])]), record([x, record([x], [z])], [z]), .int(1),
      .row([record([x], [z]), .record([("c", record([z], [x]))])]), .record([("x", .null)]),
    ]
    let expected = try models.indices.map { try fresh(10_000 + $0).encode(models[$0]) }
    for first in models.indices {
      for second in models.indices {
        for number in [first, first, second, first] {
          let bytes = try ArchiveEncoder().encode(models[number])
          try #require(bytes == expected[number], "\(number) after \(first) and \(second)")
          #expect(try Archive(Array(bytes)).verdict() == .canonical)
        }
      }
    }
  }

  private struct Part: Codable, Equatable { var number: Int }

  private enum Choice: Codable, Equatable {
    case part(Part)
    case none
  }

  /// Optional values whose tags are known only after the first value.
  private struct Sometimes: Codable, Equatable {
    var part: Part?
    var choice: Choice?
    var values: [Part?]
    var other: Part?
  }

  @Test func `A later call leaves values out like a first one`() throws {
    let parts: [Part?] = [nil, Part(number: 1)]
    let choices: [Choice?] = [nil, Choice.none, .part(Part(number: 2))]
    var values: [Sometimes] = []
    for part in parts {
      for choice in choices {
        for other in parts {
          values.append(Sometimes(part: part, choice: choice, values: [], other: other))
          values.append(Sometimes(part: part, choice: choice, values: [other], other: nil))
        }
      }
    }
    let pairs = values.flatMap { first in values.map { [first, $0] } }
    let archives = try pairs.indices.map { try fresh(2_000 + $0).encode(pairs[$0]) }
    for (pair, expected) in zip(pairs, archives) {
      let bytes = try ArchiveEncoder().encode(pair)
      if bytes != expected { Issue.record("other bytes of \(pair)") }
      #expect(try ArchiveDecoder().decode([Sometimes].self, from: bytes) == pair)
    }
  }

  /// A value that opens a container by hand only if it has texts.
  private struct Entry: Encodable {
    enum Key: CodingKey { case texts, part }

    var texts: [String] = []
    var part: Part?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      if !texts.isEmpty {
        var row = container.nestedUnkeyedContainer(forKey: .texts)
        for text in texts { try row.encode(text) }
      }
      try container.encodeIfPresent(part, forKey: .part)
    }
  }

  private struct Journal: Encodable {
    var entries: [Entry]
    /// Is left out with the tag of the first part in the entries.
    var part: Part?
  }

  @Test func `The tags of left-out values are those of the call's own first values`() throws {
    let byHand = Journal(entries: [Entry(texts: ["text"])])
    let plain = Journal(entries: [Entry(part: Part(number: 1))])
    let expected = try fresh(40_000).encode(plain)
    for _ in 0..<20 {
      _ = try ArchiveEncoder().encode(byHand)
      #expect(try ArchiveEncoder().encode(plain) == expected)
    }
  }

  /// Keeps the encoders and containers of values.
  private final class Shelf {
    var encoders: [any Encoder] = []
    var containers: [KeyedEncodingContainer<ModelValue.Key>] = []
  }

  private struct Kept: Encodable {
    var name: String
    var shelf: Shelf?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      try container.encode(name, forKey: .init("name"))
      guard let shelf else { return }
      // Encoders and containers of another call do not write to this one.
      for index in shelf.containers.indices {
        try shelf.containers[index].encode("late", forKey: .init("late"))
      }
      for encoder in shelf.encoders {
        var late = encoder.container(keyedBy: ModelValue.Key.self)
        try late.encode("late", forKey: .init("late"))
      }
      shelf.encoders.append(encoder)
      shelf.containers.append(container)
    }
  }

  @Test func `An encoder that is kept from one call does not write to another`() throws {
    let shelf = Shelf()
    for number in 0..<4 {
      let name = "call \(number)"
      let expected = try ArchiveEncoder().encode(Kept(name: name))
      #expect(try ArchiveEncoder().encode(Kept(name: name, shelf: shelf)) == expected)
      let nested = try ArchiveEncoder().encode([[Kept(name: name, shelf: shelf)]])
      #expect(try ArchiveEncoder().encode([[Kept(name: name)]]) == nested)
      shelf.containers.removeAll()
      shelf.encoders.removeLast(number % 2)
    }
  }

  /// Keeps its decoder.
  private struct Opened: Decodable {
    let decoder: any Decoder
    let name: String

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      let container = try decoder.container(keyedBy: ModelValue.Key.self)
      name = try container.decode(String.self, forKey: .init("name"))
    }
  }

  @Test func `A call leaves decoders of another call as they are`() throws {
    let opened = try (0..<4).map { number in
      let data = try ArchiveEncoder().encode(["a": Kept(name: "call \(number)")])
      _ = try ArchiveDecoder().decode([String: [String: String]].self, from: data)
      return try ArchiveDecoder().decode([String: Opened].self, from: data)
    }
    for (number, dictionary) in opened.enumerated() {
      let value = try #require(dictionary["a"])
      #expect(value.name == "call \(number)")
      let again = try value.decoder.container(keyedBy: ModelValue.Key.self)
      #expect(try again.decode(String.self, forKey: .init("name")) == value.name)
      #expect(value.decoder.codingPath.map(\.stringValue) == ["a"])
    }
  }

  /// Encodes and decodes its value by calls inside of the call.
  private struct Sealed<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      let data = try decoder.singleValueContainer().decode(Data.self)
      value = try ArchiveDecoder().decode(Value.self, from: data)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(try ArchiveEncoder().encode(value))
    }
  }

  @Test func `A call may be inside of another call`() throws {
    let value = ["a": Sealed(value: [Sealed(value: Part(number: 1))]), "b": Sealed(value: [])]
    for _ in 0..<3 { #expect(try roundTrip(value) == value) }
  }

  @Test func `A call numbers its shapes from the start after one that failed`() throws {
    struct Failing: Encodable {
      let model: ModelValue
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ModelValue.Key.self)
        try container.encode(model, forKey: .init("b"))
        throw CancellationError()
      }
    }
    let (x, z) = (ModelValue.record([("x", .null)]), ModelValue.record([("z", .null)]))
    let model = ModelValue.record([("b", .row([x])), ("a", .row([z]))])
    for number in 0..<6 {
      let expected = try fresh(30_000 + number).encode(model)
      #expect(try ArchiveEncoder().encode(model) == expected)
      #expect(try ArchiveEncoder().encode(model) == expected)
      let failing = Failing(model: number % 2 == 0 ? .row([x]) : model)
      #expect(throws: CancellationError.self) { try ArchiveEncoder().encode(failing) }
    }
  }

  @Test func `A call after a failed one has the bytes of a first one`() throws {
    for turn in 0..<4 {
      #expect(throws: (any Error).self) {
        try ArchiveEncoder().encode(["a": [Double?.none: Broken()]])
      }
      #expect(throws: (any Error).self) {
        try ArchiveDecoder().decode(
          [Part].self, from: ArchiveEncoder().encode([["number": "\(turn)"]]))
      }
      let parts = [Part(number: turn), Part(number: 7)]
      #expect(try ArchiveEncoder().encode(parts) == fresh(5_000 + turn).encode(parts))
      #expect(try roundTrip(parts) == parts)
    }
  }

  private struct Broken: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      var row = container.nestedUnkeyedContainer(forKey: .init("row"))
      try row.encode("in a container in another")
      throw CancellationError()
    }
  }

  @Test func `Calls may run in several threads at once`() async throws {
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try (0..<200).reduce(0) { count, number in
            let value = ["\(number % 7)": [Part(number: thread), Part(number: number)]]
            return count + (try roundTrip(value) == value ? 1 : 0)
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(found == 800)
  }
}

/// Containers in containers are written at once where possible; the bytes do not show it.
@Suite struct `Codable containers in containers` {
  /// Writes fields, some of them as containers by hand, at once or alternately.
  private struct Fields: Encodable {
    var fields: [(String, [(String, Int)]?)]
    var isInTurns: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      var rests: [(KeyedEncodingContainer<ModelValue.Key>, (String, Int))] = []
      for (name, content) in fields {
        guard let content else {
          try container.encode(name, forKey: .init(name))
          continue
        }
        var nested = container.nestedContainer(
          keyedBy: ModelValue.Key.self, forKey: .init(name))
        for (key, value) in content.dropLast(isInTurns ? 1 : 0) {
          try nested.encode(value, forKey: .init(key))
        }
        if isInTurns, let last = content.last { rests.append((nested, last)) }
      }
      for (nested, (key, value)) in rests {
        var nested = nested
        try nested.encode(value, forKey: .init(key))
      }
    }
  }

  @Test func `Containers filled at once or alternately give the same bytes`() throws {
    let content = [("y", 1), ("x", 2), ("a key that is no small string", 3)]
    let cases: [[(String, [(String, Int)]?)]] = [
      [("only", content)], [("b", content), ("a", content)], [("z", nil), ("b", content)],
      [("b", content), ("a", nil), ("c", content)], [("b", [("x", 1)]), ("a", nil), ("b", nil)],
      (0..<70).map { ("key \($0)", $0 % 3 == 0 ? content : nil) },
      (0..<30).reversed().map { ("key \($0)", [("x", 1 << $0), ("y", 1 << (2 * $0))]) },
    ]
    for fields in cases {
      let atOnce = Fields(fields: fields, isInTurns: false)
      let inTurns = Fields(fields: fields, isInTurns: true)
      let expected = try ArchiveEncoder().encode(inTurns)
      #expect(try ArchiveEncoder().encode(atOnce) == expected)
      #expect(try Archive(Array(expected)).verdict() == .canonical)
      #expect(
        try ArchiveEncoder().encode([atOnce, atOnce, inTurns])
          == ArchiveEncoder().encode([inTurns, inTurns, inTurns]))
    }
  }

  /// Writes to a container after the outer one was complete.
  private struct Late: Encodable {
    let shelf: Shelf
    final class Shelf { var row: (any UnkeyedEncodingContainer)? }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      if var row = shelf.row { try row.encode("late") }
      var row = container.nestedUnkeyedContainer(forKey: .init("row"))
      try row.encode("at once")
      shelf.row = row
    }
  }

  @Test func `A value written to a container after all others is stored`() throws {
    let shelf = Late.Shelf()
    let data = try ArchiveEncoder().encode([Late(shelf: shelf), Late(shelf: shelf)])
    let found = try ArchiveDecoder().decode([[String: [String]]].self, from: data)
    #expect(found == [["row": ["at once", "late"]], ["row": ["at once"]]])
  }

  @Test func `Containers count the open containers in them`() throws {
    struct Counting: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        #expect(container.count == 0)
        var first = container.nestedUnkeyedContainer()
        #expect(container.count == 1)
        try first.encode(1)
        var inner = first.nestedContainer(keyedBy: ModelValue.Key.self)
        #expect((first.count, container.count) == (2, 1))
        try inner.encode("x", forKey: .init("x"))
        #expect(inner.codingPath.map(\.intValue) == [0, 1])
        try "super".encode(to: container.superEncoder())
        #expect(container.count == 2)
        try container.encode(3)
        #expect(container.count == 3)
      }
    }
    let value = try Archive(Array(ArchiveEncoder().encode(Counting())))
    let found = try value.object(value.rootID).decode(DynamicValue.self, forKey: "value")
    let record = DynamicRecord(fields: [.init(key: "x", value: .string("x"))])
    let number = { DynamicValue.signed($0, bitWidth: 8) }
    #expect(found == .array([.array([number(1), .record(record)]), .string("super"), number(3)]))
  }

  @Test func `An error in a container of a container has its path`() throws {
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ModelValue.Key.self)
        var row = container.nestedUnkeyedContainer(forKey: .init("row"))
        try row.encode(1)
        var inner = row.nestedContainer(keyedBy: ModelValue.Key.self)
        try inner.encode(Twice(), forKey: .init("twice"))
      }
    }
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    let error = #expect(throws: EncodingError.self) {
      try ArchiveEncoder().encode(["a": Failing()])
    }
    #expect(refusal(of: error)?.place == "a.row.[1].twice")
  }
}
