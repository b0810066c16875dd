import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import Testing

/// Equal values give equal bytes, although sets and dictionaries go through their members in another
/// order in every process, and in every hash table of another size.
@Suite struct `Sets and dictionaries encoded by Codable` {
  /// The same members in two hash tables, which go through them in different orders.
  private func tables<Member: Hashable>(_ members: [Member]) throws -> [Set<Member>] {
    var large = Set<Member>(minimumCapacity: 4096)
    for member in members.reversed() { large.insert(member) }
    let tables = [Set(members), large]
    try #require(tables[0] == tables[1])
    if members.count > 20 { try #require(Array(tables[0]) != Array(tables[1])) }
    return tables
  }

  private func bytes(_ value: some Encodable) throws -> [UInt8] {
    Array(try ArchiveEncoder().encode(value))
  }

  /// What the archive of a value has under the key of the value.
  private func stored(_ value: some Encodable) throws -> ArchivedValue {
    let archive = try Archive(bytes(value))
    try archive.verify()
    return try archive.object(ArchiveObjectID(1)).decode(ArchivedValue.self, forKey: "value")
  }

  @Test func `A set gives the same bytes in every order of its table`() throws {
    let numbers = try tables(Array(0..<300))
    #expect(try bytes(numbers[0]) == bytes(numbers[1]))
    #expect(try roundTrip(numbers[0]) == numbers[0])
    let texts = try tables((0..<300).map { "text \($0)" })
    #expect(try bytes(texts[0]) == bytes(texts[1]))
    let dates = try tables((0..<300).map { Date(timeIntervalSinceReferenceDate: Double($0) / 3) })
    #expect(try bytes(dates[0]) == bytes(dates[1]))
    #expect(try roundTrip(dates[0]) == dates[0])
  }

  @Test func `Members are in the order of their bytes`() throws {
    let numbers: Set<UInt16> = [1, 256, 3]
    // The least significant byte of a number comes first.
    #expect(try stored(numbers) == .array([256, 1, 3].map { .unsigned($0, bitWidth: 16) }))
    let texts: Set<String> = ["b", "", "ab", "a"]
    #expect(try stored(texts) == .array(["", "a", "ab", "b"].map { .string($0) }))
    let optionals: Set<Int8?> = [2, nil, 1]
    #expect(
      try stored(optionals)
        == .array([.null, .signed(1, bitWidth: 8), .signed(2, bitWidth: 8)]))
  }

  private struct Point: Codable, Hashable {
    var x: Int
    var name: String?
  }

  @Test func `Members with values of their own are in an order of their own`() throws {
    let points = try tables((0..<200).map { Point(x: $0, name: $0 % 3 == 0 ? nil : "p\($0)") })
    #expect(try bytes(points[0]) == bytes(points[1]))
    #expect(try roundTrip(points[0]) == points[0])
    let nested = try tables((0..<60).map { first in Set((0..<first).map { "\($0 * first)" }) })
    #expect(try bytes(nested[0]) == bytes(nested[1]))
    #expect(try roundTrip(nested[0]) == nested[0])
  }

  @Test func `Dictionaries with keys of any type give the same bytes`() throws {
    let keys = try tables((0..<200).map { Point(x: $0, name: nil) })
    let dictionaries = keys.map { keys in
      var table = [Point: Int](minimumCapacity: keys.capacity)
      for key in keys { table[key] = key.x }
      return table
    }
    #expect(try bytes(dictionaries[0]) == bytes(dictionaries[1]))
    #expect(try roundTrip(dictionaries[0]) == dictionaries[0])
    let dates: [Date: String] = [
      Date(timeIntervalSinceReferenceDate: 2): "two",
      Date(timeIntervalSinceReferenceDate: 1): "one",
    ]
    let one = ArchivedValue.date(.init(secondsSinceReferenceDate: 1))
    let two = ArchivedValue.date(.init(secondsSinceReferenceDate: 2))
    // The bytes of 2.0 are 00 .. 00 40, those of 1.0 are 00 .. F0 3F.
    #expect(try stored(dates) == .array([two, .string("two"), one, .string("one")]))
    #expect(try roundTrip(dates) == dates)
  }

  @Test func `Dictionaries with strings or integers as keys stay records`() throws {
    let value: ArchivedValue = .record(
      .init(fields: [
        .init(key: "a", value: .signed(1, bitWidth: 32)),
        .init(key: "b", value: .signed(2, bitWidth: 32)),
      ]))
    #expect(try stored(["b": 2, "a": 1]) == value)
  }

  /// Wherever a set stands: in a container, as the single value of another, in a tree.
  @Test func `A set is put in order wherever it stands`() throws {
    struct Single: Encodable {
      var members: Set<Int>
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
      }
    }
    struct InTurns: Encodable {
      var members: Set<Int>
      func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: ModelValue.Key.self)
        var row = outer.nestedUnkeyedContainer(forKey: .init("row"))
        try outer.encode(members, forKey: .init("set"))
        try row.encode(members)
      }
    }
    let sets = try tables(Array(0..<200))
    #expect(try bytes(Single(members: sets[0])) == bytes(Single(members: sets[1])))
    #expect(try bytes(Single(members: sets[0])) == bytes(sets[0]))
    #expect(try bytes(InTurns(members: sets[0])) == bytes(InTurns(members: sets[1])))
    #expect(try bytes([["k": sets[0]]]) == bytes([["k": sets[1]]]))
  }

  @Test func `A member that throws is an error of the whole`() throws {
    struct Mistake: Error {}
    struct Failing: Encodable, Hashable {
      var number: Int
      func encode(to encoder: any Encoder) throws { throw Mistake() }
    }
    #expect(throws: Mistake.self) {
      try bytes(Set([Failing(number: 1), Failing(number: 2)]))
    }
  }
}
