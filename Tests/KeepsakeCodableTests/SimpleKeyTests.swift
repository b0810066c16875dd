import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Keys and members that encode themselves as one value are stored as that value, in the order of its bytes
/// (Spec/archive.md, 5.6 and 9).
@Suite struct `Keys that encode themselves as one value` {
  /// A key that encodes itself as another value.
  private struct Wrapper<Value: Codable & Hashable>: Codable, Hashable {
    var value: Value

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// A key that a closure encodes; its number tells it apart from others.
  private struct Custom: Encodable, Hashable {
    let number: Int
    let body: (any Encoder) throws -> Void

    init(_ number: Int, _ body: @escaping (any Encoder) throws -> Void) {
      (self.number, self.body) = (number, body)
    }

    func encode(to encoder: any Encoder) throws { try body(encoder) }

    static func == (left: Custom, right: Custom) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// A key that encodes itself as these values, one after the other.
  private func key(_ number: Int, _ values: any Encodable...) -> Custom {
    Custom(number) { encoder in
      for value in values { try value.encode(to: encoder) }
    }
  }

  private var null: any Encodable { Int?.none as any Encodable }

  /// The stored form of a value.
  private func stored(_ value: some Encodable) throws -> DynamicValue {
    let archive = try Archive(ArchiveEncoder().encode(value))
    #expect(try archive.verdict() == .canonical)
    return try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
  }

  /// Expects that values, in the order of their bytes, have the given stored forms and are read back, as keys and as
  /// members, in wrappers and alone.
  private func check<Value: Codable & Hashable>(_ pairs: [(Value, DynamicValue)]) throws {
    var table: [Wrapper<Value>: Int] = [:]
    // Another hash table with another order of its keys.
    var large = [Wrapper<Value>: Int](minimumCapacity: 4096)
    var plain: [Value: Int] = [:]
    var nested: [Wrapper<Wrapper<Value>>: Int] = [:]
    for (number, (value, _)) in pairs.enumerated() {
      table[Wrapper(value: value)] = number
      plain[value] = number
      nested[Wrapper(value: Wrapper(value: value))] = number
    }
    for (number, (value, _)) in pairs.enumerated().reversed() {
      large[Wrapper(value: value)] = number
    }
    let entries = pairs.enumerated().map { number, pair in
      DynamicEntry(key: pair.1, value: .signed(Int64(number), bitWidth: 8))
    }
    #expect(try stored(table) == .dictionary(entries), "\(Value.self)")
    let bytes = try ArchiveEncoder().encode(table)
    #expect(try ArchiveEncoder().encode(large) == bytes, "\(Value.self)")
    #expect(try ArchiveEncoder().encode(plain) == bytes, "\(Value.self)")
    #expect(try ArchiveEncoder().encode(nested) == bytes, "\(Value.self)")
    #expect(try roundTrip(table) == table, "\(Value.self)")
    let members = Set(table.keys)
    #expect(try stored(members) == .set(pairs.map { $0.1 }), "\(Value.self)")
    #expect(try roundTrip(members) == members, "\(Value.self)")
  }

  /// The bytes of an integer, the least significant first.
  private func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// Checks integers in any order.
  private func check<Number: FixedWidthInteger & Codable>(
    _ numbers: [Number], _ stored: (Number) -> DynamicValue
  ) throws {
    let sorted = numbers.sorted { bytes(of: $0).lexicographicallyPrecedes(bytes(of: $1)) }
    try check(sorted.map { ($0, stored($0)) })
  }

  @Test func `Keys that are signed integers are stored in each width`() throws {
    let numbers: [Int] = [.min, -256, -1, 0, 1, 255, 256, 65_536, .max]
    try check(numbers) { .signed(Int64($0), bitWidth: 64) }
    let narrow: [Int8] = [.min, -1, 0, 1, .max]
    try check(narrow) { .signed(Int64($0), bitWidth: 8) }
    let short: [Int16] = [.min, -1, 0, 1, 255, 256, .max]
    try check(short) { .signed(Int64($0), bitWidth: 16) }
    let medium: [Int32] = [.min, -1, 0, 1, 256, 65_536, .max]
    try check(medium) { .signed(Int64($0), bitWidth: 32) }
    let long: [Int64] = [.min, -1, 0, 1, 256, 65_536, .max]
    try check(long) { .signed($0, bitWidth: 64) }
    let longest: [Int128] = [.min, -1, 0, 1, 256, .max]
    try check(longest) { .int128($0) }
  }

  @Test func `Keys that are unsigned integers are stored in each width`() throws {
    let numbers: [UInt] = [0, 1, 255, 256, 65_536, .max]
    try check(numbers) { .unsigned(UInt64($0), bitWidth: 64) }
    let narrow: [UInt8] = [0, 1, 127, 128, .max]
    try check(narrow) { .unsigned(UInt64($0), bitWidth: 8) }
    let short: [UInt16] = [0, 1, 255, 256, .max]
    try check(short) { .unsigned(UInt64($0), bitWidth: 16) }
    let medium: [UInt32] = [0, 1, 256, 65_536, .max]
    try check(medium) { .unsigned(UInt64($0), bitWidth: 32) }
    let long: [UInt64] = [0, 1, 256, 65_536, .max]
    try check(long) { .unsigned($0, bitWidth: 64) }
    let longest: [UInt128] = [0, 1, 256, .max]
    try check(longest) { .uint128($0) }
  }

  @Test func `Keys may be texts, truth values and floating-point numbers`() throws {
    let texts = ["", "a", "ab", "b", "eight by", "eight bytes and more", "\u{E9}", "東京"]
    try check(texts.map { ($0, DynamicValue.string($0)) })
    try check([(false, .bool(false)), (true, .bool(true))])
    // The bytes of 2 end with 00 40, those of 1 with F0 3F, those of -1 with F0 BF.
    let doubles = [0, 2, 1, -1] as [Double]
    try check(doubles.map { ($0, DynamicValue.double($0)) })
    // The bytes of 2 end with 00 40, those of 1 with 80 3F, those of -1 with 80 BF.
    let floats = [0, 2, 1, -1] as [Float]
    try check(floats.map { ($0, DynamicValue.float($0)) })
  }

  @Test func `Keys may be dates, identifiers, URLs and bytes`() throws {
    let dates = ([0, 2, 1, -1] as [Double]).map { seconds in
      (
        Date(timeIntervalSinceReferenceDate: seconds),
        DynamicValue.date(ArchiveDate(secondsSinceReferenceDate: seconds))
      )
    }
    try check(dates)
    var identifiers: [(UUID, DynamicValue)] = []
    for number in 1...3 as ClosedRange<UInt8> {
      let uuid = try #require(UUID(uuidString: "0\(number)000000-0000-0000-0000-00000000000A"))
      let bytes = [number] + Array(repeating: 0, count: 14) + [10]
      let stored = try #require(ArchiveUUID(bytes: bytes))
      identifiers.append((uuid, .uuid(stored)))
    }
    try check(identifiers)
    var addresses: [(URL, DynamicValue)] = []
    for text in ["https://a.example", "https://a.example/b", "https://b.example"] {
      let url = try #require(URL(string: text))
      addresses.append((url, .url(ArchiveURL(text))))
    }
    try check(addresses)
    let runs: [[UInt8]] = [[], [0], [0, 1], [1], [255]]
    try check(runs.map { (Data($0), DynamicValue.bytes($0)) })
  }

  private enum Word: String, Codable { case second = "b", first = "a" }
  private enum Level: Int, Codable { case high = 1, low = 256 }
  private enum Size: UInt8, Codable { case large = 9, small = 1 }
  private enum Ratio: Double, Codable { case half = 0.5, double = 2 }

  @Test func `Keys may be raw values of enumerations`() throws {
    try check([(Word.first, .string("a")), (.second, .string("b"))])
    try check([
      (Level.low, .signed(256, bitWidth: 64)), (.high, .signed(1, bitWidth: 64)),
    ])
    try check([
      (Size.small, .unsigned(1, bitWidth: 8)), (.large, .unsigned(9, bitWidth: 8)),
    ])
    // The bytes of 2 end with 00 40, those of 0.5 with E0 3F.
    try check([(Ratio.double, .double(2)), (.half, .double(0.5))])
  }

  @Test func `Keys of several kinds are ordered by the tag first`() throws {
    let keys: Set<Custom> = [
      key(1, "b"), key(2, 5), key(3, "a"), key(4, true), key(5, 7 as UInt8), key(6, -5),
    ]
    let expected: [DynamicValue] = [
      .bool(true), .signed(5, bitWidth: 64), .signed(-5, bitWidth: 64),
      .unsigned(7, bitWidth: 8), .string("a"), .string("b"),
    ]
    #expect(try stored(keys) == .set(expected))
  }

  @Test func `Keys are distinguished by their bytes`() throws {
    let spellings: Set<Custom> = [key(1, "\u{E9}"), key(2, "e\u{301}")]
    #expect(try stored(spellings) == .set([.string("e\u{301}"), .string("\u{E9}")]))
  }

  @Test func `Keys are stored as an array if two are the same, or one is nil`() throws {
    let texts: Set<Custom> = [key(1, "x"), key(2, "a"), key(3, "x")]
    #expect(try stored(texts) == .array([.string("a"), .string("x"), .string("x")]))
    let numbers: Set<Custom> = [key(1, 5), key(2, 5)]
    let five = DynamicValue.signed(5, bitWidth: 8)
    #expect(try stored(numbers) == .array([five, five]))
    let withNil: Set<Custom> = [key(1, "x"), key(2, null)]
    #expect(try stored(withNil) == .array([.null, .string("x")]))
    let table: [Custom: Bool] = [key(1, null): true]
    #expect(try stored(table) == .array([.null, .bool(true)]))
    // A key that encodes nothing is a record without keys.
    let nothing: Set<Custom> = [key(1)]
    #expect(try stored(nothing) == .array([.record(DynamicRecord())]))
  }

  @Test func `Keys get the user info of the call and an empty path`() throws {
    let unit = try #require(CodingUserInfoKey(rawValue: "unit"))
    let key = Custom(1) { encoder in
      #expect(encoder.codingPath.isEmpty)
      var container = encoder.singleValueContainer()
      #expect(container.codingPath.isEmpty)
      try container.encode(encoder.userInfo[unit] as? String ?? "none")
    }
    var encoder = ArchiveEncoder()
    let keys: Set<Custom> = [key]
    #expect(try encoder.encode(keys) == encoder.encode(["none"] as Set<String>))
    encoder.userInfo[unit] = "metres"
    #expect(try encoder.encode(keys) == encoder.encode(["metres"] as Set<String>))
  }

  private func refused(_ key: Custom) -> (place: String, text: String)? {
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode([key: true]) }
    return refusal(of: error)
  }

  @Test func `A key that encodes two values is refused`() {
    let others: [any Encodable] = [
      null, true, 1 as Double, 1 as Float, 1 as Int, 1 as Int8, 1 as Int16, 1 as Int32,
      1 as Int64, 1 as Int128, 1 as UInt, 1 as UInt8, 1 as UInt16, 1 as UInt32, 1 as UInt64,
      1 as UInt128, "y", Wrapper(value: "y"), Wrapper(value: UUID()),
    ]
    for other in others {
      for both in [key(1, other, "x"), key(2, "x", other)] {
        let refusal = refused(both)
        #expect(refusal?.place == "", "\(type(of: other)), \(both.number)")
        #expect(
          refusal?.text == "A value encoded itself twice in one place.",
          "\(type(of: other)), \(both.number)")
      }
    }
  }

  @Test func `A key that opens a container before its value is refused`() {
    let keys = [
      Custom(1) { encoder in
        _ = encoder.container(keyedBy: ModelValue.Key.self)
        var container = encoder.singleValueContainer()
        try container.encode("x")
      },
      Custom(2) { encoder in
        _ = encoder.unkeyedContainer()
        var container = encoder.singleValueContainer()
        try container.encode(1)
      },
    ]
    for key in keys {
      let refusal = refused(key)
      #expect(refusal?.place == "", "\(key.number)")
      #expect(refusal?.text == "A value encoded itself twice in one place.", "\(key.number)")
    }
  }

  @Test func `The error of a key is thrown by the call`() throws {
    struct Mistake: Error {}
    let failing = Custom(1) { encoder in
      var container = encoder.singleValueContainer()
      try container.encode("x")
      throw Mistake()
    }
    #expect(throws: Mistake.self) { try ArchiveEncoder().encode([failing] as Set<Custom>) }
    #expect(throws: Mistake.self) { try ArchiveEncoder().encode(["a": [failing: 1]]) }
  }
}
