import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Keys, values and members are written and read without a container for each.
@Suite struct `Codable dictionaries and sets` {
  private struct Part: Codable, Hashable { var number: Int }

  /// Expects that keys, in the order of their bytes, and their values are read back and have the given stored
  /// forms.
  private func checkEntries<Key: Codable & Hashable, Value: Codable & Equatable>(
    _ keys: [(Key, DynamicValue)], _ values: [(Value, DynamicValue)]
  ) throws {
    let pairs = Array(zip(keys, values))
    let table = Dictionary(uniqueKeysWithValues: pairs.map { ($0.0.0, $0.1.0) })
    let entries = pairs.map { DynamicEntry(key: $0.0.1, value: $0.1.1) }
    #expect(try storedValue(of: table) == .dictionary(entries), "\(table)")
    #expect(try roundTrip(table) == table)
    let inTurns = try ArchiveEncoder().encode(InTurns(values: [table]))
    #expect(try ArchiveEncoder().encode([[table], [table]]) == inTurns, "\(table)")
  }

  /// Checks values under keys of each kind.
  private func checkValues<Value: Codable & Equatable>(
    _ values: [Value], _ form: (Value) -> DynamicValue
  ) throws {
    let forms = values.map { ($0, form($0)) }
    let texts = values.indices.map { ("key \($0)", DynamicValue.string("key \($0)")) }
    try checkEntries(texts, forms)
    try checkEntries(texts.map { (Everyday.Identifier($0.0), $0.1) }, forms)
    let numbers = values.indices.map { ($0, DynamicValue.signed(Int64($0), bitWidth: 64)) }
    try checkEntries(numbers, forms)
    try checkEntries(numbers.map { (Everyday.Number(rawValue: $0.0), $0.1) }, forms)
  }

  /// Checks values with and without nils, and sets of them.
  private func check<Value: Codable & Hashable>(
    _ values: [Value], _ form: (Value) -> DynamicValue
  ) throws {
    try checkValues([], form)
    try checkValues(values, form)
    let some = values.map { Optional($0) }
    let lists: [[Value?]] = [some, [nil] + some, some + [nil], [nil, nil]]
    for list in lists {
      try checkValues(list) { $0.map { form($0) } ?? .null }
    }

    let members = Set(values)
    let stored = try storedValue(of: members)
    guard case .set(let found) = stored else {
      Issue.record("\(stored)")
      return
    }
    #expect(found.count == values.count && Set(found) == Set(values.map { form($0) }))
    #expect(try roundTrip(members) == members)
    let optionals = Set(some)
    #expect(try storedValue(of: optionals) == stored)
    #expect(try roundTrip(optionals) == optionals)
    let nullable = optionals.union([nil])
    #expect(try roundTrip(nullable) == nullable)
  }

  @Test func `Dictionaries and sets of truth values and texts are read back`() throws {
    try check([true, false]) { .bool($0) }
    try check(["", "a", "\u{E9}", "a text of more than fifteen bytes"]) { .string($0) }
  }

  @Test func `Dictionaries and sets of signed integers of each width are read back`() throws {
    try check([.min, -1, 0, 1, .max] as [Int]) { .signed(Int64($0), bitWidth: 64) }
    try check([.min, -1, 0, 1, .max] as [Int8]) { .signed(Int64($0), bitWidth: 8) }
    try check([.min, -1, 0, 1, .max] as [Int16]) { .signed(Int64($0), bitWidth: 16) }
    try check([.min, -1, 0, 1, .max] as [Int32]) { .signed(Int64($0), bitWidth: 32) }
    try check([.min, -1, 0, 1, .max] as [Int64]) { .signed($0, bitWidth: 64) }
  }

  @Test func `Dictionaries and sets of unsigned integers of each width are read back`() throws {
    try check([0, 1, .max / 2 + 1, .max] as [UInt]) { .unsigned(UInt64($0), bitWidth: 64) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt8]) { .unsigned(UInt64($0), bitWidth: 8) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt16]) { .unsigned(UInt64($0), bitWidth: 16) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt32]) { .unsigned(UInt64($0), bitWidth: 32) }
    try check([0, 1, .max / 2 + 1, .max] as [UInt64]) { .unsigned($0, bitWidth: 64) }
  }

  @Test func `Dictionaries and sets of floating-point numbers are read back`() throws {
    let doubles: [Double] = [-0.0, 0.1, .infinity, .leastNonzeroMagnitude]
    try check(doubles) { .double($0) }
    let floats: [Float] = [-0.0, 0.1, .infinity, .leastNonzeroMagnitude]
    try check(floats) { .float($0) }
  }

  @Test func `Dictionaries and sets of dates and enumerations are read back`() throws {
    try check([0.1, -1].map { Date(timeIntervalSinceReferenceDate: $0) }) { date in
      .date(ArchiveDate(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
    }
    try check([Everyday.Kind.sent, .draft]) { .string($0.rawValue) }
  }

  @Test func `Dictionaries may have records, arrays and optionals as values`() throws {
    let number: (Int8) -> DynamicValue = { .signed(Int64($0), bitWidth: 8) }
    let record: (Part) -> DynamicValue = { part in
      let value = DynamicValue.signed(Int64(part.number), bitWidth: 32)
      return .record(DynamicRecord(fields: [.init(key: "number", value: value)]))
    }
    try checkValues([Part(number: 1), Part(number: -1)], record)
    try checkValues([Part(number: 1), nil, Part(number: -1)]) {
      $0.map(record) ?? DynamicValue.null
    }
    try checkValues([[1, 2], [], [3]] as [[Int8]]) { .array($0.map(number)) }
    let nullable: (Int8?) -> DynamicValue = { $0.map(number) ?? DynamicValue.null }
    try checkValues([[1, nil], nil, []] as [[Int8?]?]) { list in
      list.map { DynamicValue.array($0.map(nullable)) } ?? DynamicValue.null
    }
    try checkValues([["x": 1], [:]] as [[String: Int8]]) { table in
      .dictionary(table.map { DynamicEntry(key: .string($0.key), value: number($0.value)) })
    }
  }
}
