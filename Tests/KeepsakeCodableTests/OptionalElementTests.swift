import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Arrays of optional values are written and read without a container for each element.
///
/// The result is that of elements that encode and decode themselves one by one.
@Suite struct `Codable elements that may be nil` {
  private struct Part: Codable, Hashable { var number: Int }

  /// Expects that values, with and without nils, are read back and have the given stored form.
  private func check<Value: Codable & Equatable>(
    _ values: [Value], _ form: (Value) -> DynamicValue
  ) throws {
    let some = values.map { Optional($0) }
    let none = [Value?](repeating: nil, count: 3)
    var lists: [[Value?]] = [[], [nil], none, some]
    lists += [[nil] + some, some + [nil], none + some]
    lists.append(some.flatMap { [$0, nil] })
    for list in lists {
      let expected = list.map { $0.map { form($0) } ?? DynamicValue.null }
      #expect(try storedValue(of: list) == .array(expected), "\(list)")
      let data = try ArchiveEncoder().encode(list)
      #expect(try ArchiveEncoder().encode(OneByOne(values: list)) == data, "\(list)")
      let inTurns = try ArchiveEncoder().encode(InTurns(values: list))
      #expect(try ArchiveEncoder().encode([list, list]) == inTurns, "\(list)")
      #expect(try ArchiveDecoder().decode([Value?].self, from: data) == list)
      #expect(try ArchiveDecoder().decode(OneByOne<Value?>.self, from: data).values == list)
    }
  }

  @Test func `Optional truth values and texts are read back`() throws {
    try check([true, false, false]) { .bool($0) }
    try check(["", "a", "\u{E9}", "a text of more than fifteen bytes"]) { .string($0) }
  }

  @Test func `Optional signed integers of each width are read back`() throws {
    try check([.min, -1, 0, 1, .max] as [Int]) { .signed(Int64($0), bitWidth: 64) }
    try check([.min, -1, 0, 1, .max] as [Int8]) { .signed(Int64($0), bitWidth: 8) }
    try check([.min, -1, 0, 1, .max] as [Int16]) { .signed(Int64($0), bitWidth: 16) }
    try check([.min, -1, 0, 1, .max] as [Int32]) { .signed(Int64($0), bitWidth: 32) }
    try check([.min, -1, 0, 1, .max] as [Int64]) { .signed($0, bitWidth: 64) }
    try check([.min, -1, 0, 1, .max] as [Int128]) { .int128($0) }
  }

  @Test func `Optional unsigned integers of each width are read back`() throws {
    try check([0, 1, .max / 2 + 1, .max] as [UInt]) { .unsigned(UInt64($0), bitWidth: 64) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt8]) { .unsigned(UInt64($0), bitWidth: 8) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt16]) { .unsigned(UInt64($0), bitWidth: 16) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt32]) { .unsigned(UInt64($0), bitWidth: 32) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt64]) { .unsigned($0, bitWidth: 64) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt128]) { .uint128($0) }
  }

  @Test func `Optional integers are as narrow as all of them can be`() throws {
    let numbers: [Int?] = [nil, 1, -129]
    let wide = [1, -129].map { DynamicValue.signed($0, bitWidth: 16) }
    #expect(try storedValue(of: numbers) == .array([.null] + wide))
    let naturals: [UInt?] = [255, nil]
    #expect(try storedValue(of: naturals) == .array([.unsigned(255, bitWidth: 8), .null]))
    let large: [UInt?] = [1 << 32, nil]
    #expect(try storedValue(of: large) == .array([.unsigned(1 << 32, bitWidth: 64), .null]))
  }

  @Test func `Optional floating-point numbers keep their bits`() throws {
    let doubles: [Double] = [-0.0, 0.1, .infinity, .leastNonzeroMagnitude]
    try check(doubles) { .double($0) }
    let floats: [Float] = [-0.0, 0.1, .infinity, .leastNonzeroMagnitude]
    try check(floats) { .float($0) }
    let patterns: [UInt64] = [0x7FF8_0000_0000_1234, 1 << 63]
    let nullable: [Double?] = [nil] + patterns.map { Optional(Double(bitPattern: $0)) }
    let read = try roundTrip(nullable)
    #expect(read.map { $0?.bitPattern } == [nil, patterns[0], patterns[1]])
  }

  @Test func `Optional dates, bytes and enumerations are read back`() throws {
    try check([0.1, -1].map { Date(timeIntervalSinceReferenceDate: $0) }) { date in
      .date(ArchiveDate(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
    }
    try check([Data(), Data([1, 2])]) { .bytes(Array($0)) }
    try check([Everyday.Kind.sent, .draft]) { .string($0.rawValue) }
    try check([Everyday.Number(rawValue: 1 << 40)]) { .signed(Int64($0.rawValue), bitWidth: 64) }
  }

  @Test func `Optional records, arrays, dictionaries and sets are read back`() throws {
    let number: (Int8) -> DynamicValue = { .signed(Int64($0), bitWidth: 8) }
    try check([Part(number: 1), Part(number: -1)]) { part in
      let value = DynamicValue.signed(Int64(part.number), bitWidth: 32)
      return .record(DynamicRecord(fields: [.init(key: "number", value: value)]))
    }
    try check([[1, 2], [], [3]] as [[Int8]]) { .array($0.map(number)) }
    try check([["b", "a"], [""]]) { .array($0.map { .string($0) }) }
    try check([[1], []] as [Set<Int8>]) { .set($0.map(number)) }
    try check([["a": 1], [:]] as [[String: Int8]]) { table in
      .dictionary(table.map { DynamicEntry(key: .string($0.key), value: number($0.value)) })
    }
  }

  @Test func `A nil among nested optionals is read as the outermost one`() throws {
    let number: (Int8?) -> DynamicValue = { value in
      value.map { .signed(Int64($0), bitWidth: 8) } ?? .null
    }
    try check([1, 2] as [Int8?], number)
    try check([[1, nil], [], [nil]] as [[Int8?]]) { .array($0.map(number)) }
    let values: [Int8??] = [1, .some(nil), nil]
    #expect(try storedValue(of: values) == .array([number(1), .null, .null]))
    let outermost: [Int8??] = [1, nil, nil]
    #expect(try roundTrip(values) == outermost)
  }

  private func checkFit<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
    let (least, most) = (Int128(Number.min), Int128(Number.max))
    let fitting: [Int128?] = [nil, least, most, nil]
    #expect(try reread(fitting, as: [Number?].self) == [nil, Number.min, Number.max, nil])
    for number in [least - 1, most + 1] {
      let values: [Int128?] = [nil, 7, number]
      #expect(try refusal(of: values, as: [Number?].self) == "dataCorrupted [2]", "\(type)")
    }
    let seven: [Int?] = [7, nil]
    #expect(try reread(seven, as: [Number?].self) == [7, nil], "\(type)")
    #expect(try refusal(of: seven, as: [Number].self) == "valueNotFound [1]", "\(type)")
    #expect(try refusal(of: [nil, "7"], as: [Number?].self) == "typeMismatch [1]", "\(type)")
    #expect(try refusal(of: [nil, 7.5], as: [Number?].self) == "typeMismatch [1]", "\(type)")
    #expect(try refusal(of: [nil, true], as: [Number?].self) == "typeMismatch [1]", "\(type)")
  }

  @Test func `Optional integers are read as types that they fit, and refused as others`() throws {
    try checkFit(Int.self)
    try checkFit(Int8.self)
    try checkFit(Int16.self)
    try checkFit(Int32.self)
    try checkFit(Int64.self)
    try checkFit(UInt.self)
    try checkFit(UInt8.self)
    try checkFit(UInt16.self)
    try checkFit(UInt32.self)
    try checkFit(UInt64.self)
  }

  @Test func `Optional elements are refused as another kind`() throws {
    let integers: [Int?] = [nil, 1]
    #expect(try refusal(of: integers, as: [Bool?].self) == "typeMismatch [1]")
    #expect(try reread(integers, as: [Double?].self) == [nil, 1])
    #expect(try reread(integers, as: [Float?].self) == [nil, 1])
    #expect(try refusal(of: integers, as: [String?].self) == "typeMismatch [1]")
    #expect(try refusal(of: integers, as: [Date?].self) == "typeMismatch [1]")
    #expect(try refusal(of: [nil, "x"], as: [String].self) == "valueNotFound [0]")
    #expect(try refusal(of: [true, nil], as: [Bool].self) == "valueNotFound [1]")
    #expect(try refusal(of: [0.5, nil], as: [Double].self) == "valueNotFound [1]")
    let doubles: [Double?] = [nil, 1.5, nil]
    #expect(try reread(doubles, as: [Float?].self) == [nil, 1.5, nil])
    #expect(try refusal(of: [nil, 1e300], as: [Float?].self) == "dataCorrupted [1]")
    let floats: [Float?] = [nil, 1.5, nil]
    #expect(try reread(floats, as: [Double?].self) == [nil, 1.5, nil])
  }

  /// Elements of several kinds with a tag each.
  @Test func `Optional elements are read from an array with several tags`() throws {
    let row = ModelValue.row([.byte(1), .null, .int(300), .int(-1)])
    #expect(try reread(row, as: [Int?].self) == [1, nil, 300, -1])
    #expect(try refusal(of: row, as: [UInt?].self) == "dataCorrupted [3]")
    #expect(try refusal(of: row, as: [String?].self) == "typeMismatch [0]")
    let kinds = ModelValue.row([.null, .string("x"), .float(1.5), .bool(true)])
    #expect(try refusal(of: kinds, as: [String?].self) == "typeMismatch [2]")
    #expect(try refusal(of: kinds, as: [Int?].self) == "typeMismatch [1]")
  }
}
