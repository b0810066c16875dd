import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

/// Equal values give equal bytes, although the order of sets and dictionaries differs between processes and between
/// hash tables of different sizes.
@Suite struct `Sets and dictionaries encoded by Codable` {
  /// The same members in two hash tables with different orders.
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

  /// The stored form of a value.
  private func stored(_ value: some Encodable) throws -> DynamicValue {
    let archive = try Archive(bytes(value))
    try archive.requireCanonical()
    return try archive.object(ArchiveObjectID(1)).decode(DynamicValue.self, forKey: "value")
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
    #expect(try stored(numbers) == .set([256, 1, 3].map { .unsigned($0, bitWidth: 16) }))
    let texts: Set<String> = ["b", "", "ab", "a"]
    #expect(try stored(texts) == .set(["", "a", "ab", "b"].map { .string($0) }))
    let optionals: Set<Int8?> = [2, nil, 1]
    #expect(
      try stored(optionals)
        == .array([.null, .signed(1, bitWidth: 8), .signed(2, bitWidth: 8)]))
  }

  /// Keys of every width, among them the least and the greatest.
  private func checkIntegers<Integer: FixedWidthInteger & Codable>(_ type: Integer.Type) throws {
    let numbers: [Integer] = [.min, .min + 1, .max, .max - 1, 0, 1, 2, 3, 100, 127]
    let tables = try tables(Array(Set(numbers)))
    #expect(try bytes(tables[0]) == bytes(tables[1]))
    #expect(try Archive(bytes(tables[0])).verdict() == .canonical)
    #expect(try roundTrip(tables[0]) == tables[0])
    let named = Dictionary(uniqueKeysWithValues: tables[0].map { ($0, "\($0)") })
    #expect(try Archive(bytes(named)).verdict() == .canonical)
    #expect(try roundTrip(named) == named)
  }

  @Test func `Integers of all widths are in the order of their bytes`() throws {
    try checkIntegers(Int.self)
    try checkIntegers(Int8.self)
    try checkIntegers(Int16.self)
    try checkIntegers(Int32.self)
    try checkIntegers(Int64.self)
    try checkIntegers(UInt.self)
    try checkIntegers(UInt8.self)
    try checkIntegers(UInt16.self)
    try checkIntegers(UInt32.self)
    try checkIntegers(UInt64.self)
  }

  @Test func `Texts with the same beginning are in the order of all their bytes`() throws {
    let heads = ["", "\0", "é", "1234567", "12345678", "1234567\0", "1234567\u{10FFFF}", "東京都"]
    let tails = ["", "\0", "\0\0", "a", "ab", "\u{7F}", "é", "e\u{301}x"]
    let texts = Set(heads.flatMap { head in tails.map { head + $0 } })
    let sorted = texts.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    #expect(try stored(texts) == .set(sorted.map { .string($0) }))
    let lengths = Dictionary(uniqueKeysWithValues: texts.map { ($0, $0.utf8.count) })
    #expect(try Archive(bytes(lengths)).verdict() == .canonical)
    #expect(try roundTrip(lengths) == lengths)
  }

  private struct Point: Codable, Hashable {
    var x: Int
    var name: String?
  }

  @Test func `Members that are records or sets give the same bytes in every order`() throws {
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
    let one = DynamicValue.date(.init(secondsSinceReferenceDate: 1))
    let two = DynamicValue.date(.init(secondsSinceReferenceDate: 2))
    // The bytes of 2.0 are 00 .. 00 40, those of 1.0 are 00 .. F0 3F.
    #expect(
      try stored(dates)
        == .dictionary([
          DynamicEntry(key: two, value: .string("two")),
          DynamicEntry(key: one, value: .string("one")),
        ]))
    #expect(try roundTrip(dates) == dates)
  }

  @Test func `Dictionaries are stored as dictionaries of the archive`() throws {
    let value = DynamicValue.dictionary([
      DynamicEntry(key: .string("a"), value: .signed(1, bitWidth: 8)),
      DynamicEntry(key: .string("b"), value: .signed(2, bitWidth: 8)),
    ])
    #expect(try stored(["b": 2, "a": 1]) == value)
    let numbers = [300: "many", -1: "less"]
    #expect(
      try stored(numbers)
        == .dictionary([
          DynamicEntry(key: .signed(300, bitWidth: 64), value: .string("many")),
          DynamicEntry(key: .signed(-1, bitWidth: 64), value: .string("less")),
        ]))
    #expect(try roundTrip(numbers) == numbers)
    enum Side: String, Codable, CodingKeyRepresentable { case left, right }
    let sides: [Side: [Bool]] = [.right: [true], .left: []]
    #expect(
      try stored(sides)
        == .dictionary([
          DynamicEntry(key: .string("left"), value: .array([])),
          DynamicEntry(key: .string("right"), value: .array([.bool(true)])),
        ]))
    #expect(try roundTrip(sides) == sides)
    #expect(try stored([String: Int]()) == .dictionary([]))
    #expect(try stored(Set<Point>()) == .set([]))
    #expect(try roundTrip([String: Int]()) == [:])
    let nested = (0..<20).map { first in
      Dictionary(uniqueKeysWithValues: (0..<first).map { ("\($0 * first)", ["\($0)": $0]) })
    }
    #expect(try roundTrip(nested) == nested)
    #expect(try Archive(bytes(nested)).verdict() == .canonical)
  }

  /// A key that encodes itself with less than its whole value.
  private struct Rounded: Codable, Hashable {
    var number: Double

    init(_ number: Double) {
      self.number = number
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number.rounded())
    }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Double.self)
    }
  }

  @Test func `Members with the same encoding are stored as an array`() throws {
    let members: Set<Rounded> = [Rounded(1.1), Rounded(1.2)]
    #expect(try stored(members) == .array([.double(1), .double(1)]))
    #expect(try stored([Rounded(1.1): true, Rounded(3): true]).isDictionary)
  }

  /// The values are aligned numbers, records and containers, after keys of many bytes.
  @Test func `Values of dictionaries are written like those of arrays`() throws {
    struct Row: Codable, Equatable {
      var numbers: [Double]
      var point: [String: Point]
      var flags: Set<Bool>
    }
    var rows: [String: Row] = [:]
    for index in 0..<40 {
      rows[String(repeating: "key \(index) ", count: index)] = Row(
        numbers: Array(repeating: 0.5, count: index * 8),
        point: ["p": Point(x: index << 30, name: nil)], flags: index % 2 == 0 ? [true, false] : [])
    }
    #expect(try roundTrip(rows) == rows)
    #expect(try Archive(bytes(rows)).verdict() == .canonical)
    let numbers = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, Double($0)) })
    #expect(try roundTrip(numbers) == numbers)
    #expect(try Archive(bytes(numbers)).verdict() == .canonical)
  }

  /// The order of a hash table differs from one process to the next.
  @Test func `Two processes write the same bytes`() async throws {
    let own = try HashOrderSample.bytes()
    for _ in 0..<2 {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let bytes = try HashOrderSample.bytes()
        print("bytes \(bytes.map { String($0, radix: 16) }.joined(separator: " ")) end")
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      let expected = own.map { String($0, radix: 16) }.joined(separator: " ")
      #expect(output.contains("bytes \(expected) end"))
    }
  }

  /// The sets are in a container, the single value of another type, and filled alternately.
  @Test func `A set is stored in order wherever it is encoded`() throws {
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

  @Test func `Keys that encode one value need no shapes`() throws {
    var encoder = ArchiveEncoder()
    // The object has the only shape.
    encoder.limits.shapeCount = 1
    let kinds: [Everyday.Kind: Bool] = [.sent: true, .draft: false]
    #expect(try encoder.encode(kinds) == ArchiveEncoder().encode(kinds))
    let numbers: Set<Everyday.Number> = [.init(rawValue: 1), .init(rawValue: 300)]
    #expect(try encoder.encode(numbers) == ArchiveEncoder().encode(numbers))
    let dates: Set<Date> = [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 0)]
    #expect(try encoder.encode(dates) == ArchiveEncoder().encode(dates))
  }

  @Test func `Each key that is a text is encoded once`() throws {
    final class Calls {
      var count = 0
    }
    struct Name: Encodable, Hashable {
      var text: String
      var calls: Calls
      static func == (left: Name, right: Name) -> Bool { left.text == right.text }
      func hash(into hasher: inout Hasher) { hasher.combine(text) }
      func encode(to encoder: any Encoder) throws {
        calls.count += 1
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
    let calls = Calls()
    let names = Set(["b", "a", "c"].map { Name(text: $0, calls: calls) })
    #expect(try bytes(names) == bytes(Set(["a", "b", "c"])))
    #expect(calls.count == 3)
  }

  /// A member that cannot be encoded without the user info of the caller.
  private struct Measure: Encodable, Hashable {
    private enum Key: CodingKey { case number, unit }
    struct NoUnit: Error {}

    static let unit = CodingUserInfoKey(rawValue: "unit")
    var number: Int

    func encode(to encoder: any Encoder) throws {
      guard let key = Self.unit, let unit = encoder.userInfo[key] as? String else { throw NoUnit() }
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(number, forKey: .number)
      try container.encode(unit, forKey: .unit)
    }
  }

  @Test func `Members and keys that encode themselves get the user info of the call`() throws {
    var encoder = ArchiveEncoder()
    encoder.userInfo[try #require(Measure.unit)] = "metre"
    let sets = try tables((0..<30).map { Measure(number: $0) })
    #expect(try encoder.encode(sets[0]) == encoder.encode(sets[1]))
    let counts = [Measure(number: 1): 1, Measure(number: 2): 2]
    #expect(try encoder.encode(counts) == encoder.encode(counts))
  }

  @Test func `An error of a member is thrown by the call`() throws {
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

extension DynamicValue {
  fileprivate var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}

/// A value whose bytes could depend on the order of hash tables: it has containers that are filled alternately, kept and
/// written later, superclasses, and a key that is written twice.
enum HashOrderSample {
  struct Value: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      let names = (0..<40).map { "name \($0)" }
      let table = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.utf8.count) })
      var kept = container.nestedContainer(keyedBy: ModelValue.Key.self, forKey: .init("kept"))
      try table.encode(to: container.superEncoder())
      try container.encode(table, forKey: .init("table"))
      try container.encode(Set(names), forKey: .init("members"))
      try container.encode([Set(names): Set(table.values)], forKey: .init("pairs"))
      for (name, length) in table { try kept.encode(length, forKey: .init(name)) }
      try container.encode(1, forKey: .init("twice"))
      try container.encode(Set(0..<30), forKey: .init("twice"))
    }
  }

  static func bytes() throws -> [UInt8] { Array(try ArchiveEncoder().encode(Value())) }
}
