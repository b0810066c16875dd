import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Values without their types` {
  private static let identifier = ArchiveUUID(bytes: Array(1...16))
  private static let record = DynamicRecord(fields: [.init(key: "a", value: .bool(true))])

  /// Values that all differ, many of them in one part only.
  private static let values: [DynamicValue] =
    [
      .null, .bool(false), .bool(true), .signed(1, bitWidth: 8), .signed(1, bitWidth: 16),
      .signed(2, bitWidth: 16), .unsigned(1, bitWidth: 8), .unsigned(1, bitWidth: 16),
      .unsigned(2, bitWidth: 16), .int128(1), .int128(2), .uint128(1), .uint128(2),
      .float16(bitPattern: 1), .float16(bitPattern: 2), .float(0), .float(-0.0), .float(.nan),
      .double(0), .double(-0.0), .double(.nan), .string("caf\u{E9}"), .string("cafe\u{301}"),
      .bytes([]), .bytes([1]), .date(ArchiveDate(secondsSinceReferenceDate: 1)),
      .date(ArchiveDate(secondsSinceReferenceDate: 2)), .url(ArchiveURL("caf\u{E9}")),
      .url(ArchiveURL("cafe\u{301}")), .array([]), .array([.null]), .array([.bool(true)]),
      .set([]), .set([.null]), .set([.bool(true)]), .dictionary([]),
      .dictionary([.init(key: .bool(true), value: .null)]),
      .dictionary([.init(key: .bool(false), value: .null)]),
      .dictionary([.init(key: .bool(true), value: .bool(true))]), .record(DynamicRecord()),
      .record(record), .record(DynamicRecord(typeName: "T")),
      .record(DynamicRecord(typeName: "T", schemaVersion: 1)),
      .record(DynamicRecord(fields: [.init(key: "b", value: .bool(true))])),
      .record(DynamicRecord(fields: [.init(scope: ["S"], key: "a", value: .bool(true))])),
      .record(DynamicRecord(fields: [.init(key: "a", value: .bool(false))])),
      .enumeration("a", DynamicRecord()), .enumeration("b", DynamicRecord()),
      .enumeration("a", record), .reference(nil), .reference(first), .reference(second),
      .conditionalReference(ArchiveConditionalReference(0)),
      .conditionalReference(ArchiveConditionalReference(1)),
      .unknown(ArchiveTag(rawValue: 20 << 3 | 1), bytes: [1]),
      .unknown(ArchiveTag(rawValue: 20 << 3 | 1), bytes: [2]),
      .unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [1]),
      .unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [2]),
      .unknown(ArchiveTag(rawValue: 21 << 3 | 6), bytes: [1]),
      // No archive can store these.
      .signed(300, bitWidth: 8), .signed(301, bitWidth: 8), .signed(300, bitWidth: 7),
      .unsigned(300, bitWidth: 8), .unsigned(301, bitWidth: 8), .unsigned(300, bitWidth: 7),
    ] + (identifier.map { [.uuid($0)] } ?? [])

  @Test func `A value equals itself and no other value`() {
    for (position, value) in Self.values.enumerated() {
      for (otherPosition, other) in Self.values.enumerated() {
        #expect((value == other) == (position == otherPosition), "\(value) and \(other)")
      }
    }
  }

  // Sets and dictionaries of values would be slow if many had one hash.
  @Test func `Values that differ have hashes that differ`() {
    #expect(Set(Self.values.map(\.hashValue)).count == Self.values.count)
    #expect(Set(Self.values).count == Self.values.count)
  }

  @Test func `A value is described as an inspector shows it`() {
    let numbers: [(DynamicValue, String)] = [
      (.null, "nil"), (.bool(true), "true"), (.signed(-5, bitWidth: 8), "-5"),
      (.unsigned(5, bitWidth: 16), "5"), (.int128(-1), "-1"), (.uint128(7), "7"),
      (.float16(bitPattern: 0x3C00), "1.0"), (.float(1.5), "1.5"), (.double(0.1), "0.1"),
    ]
    let others: [(DynamicValue, String)] = [
      (.string("a \"b\""), #""a \"b\"""#), (.string("\u{202E}a"), #""\u{202E}a""#),
      (.bytes([]), "0 bytes"), (.bytes([0x0F, 0x10, 0xAB]), "3 bytes 0f 10 ab"),
      (.date(ArchiveDate(secondsSinceReferenceDate: 1.5)), "date(1.5 s since 2001)"),
      (.url(ArchiveURL("https://a.example")), "<https://a.example>"),
      (.set([.bool(true), .null]), "{true, nil}"), (.dictionary([]), "[]"),
      (.dictionary([.init(key: .string("k"), value: .null)]), #"["k": nil]"#),
      (.record(DynamicRecord(typeName: "T", fields: Self.record.fields)), "T(a: true)"),
      (.enumeration("on", DynamicRecord()), ".on"),
      (.enumeration("on", Self.record), ".on(a: true)"),
      (.reference(nil), "no object"), (.reference(second), "object #2"),
      (.conditionalReference(ArchiveConditionalReference(0)), "no object"),
      (.conditionalReference(ArchiveConditionalReference(3)), "conditional reference 3"),
    ]
    for (value, text) in numbers + others { #expect(value.description == text) }
    let unknown = DynamicValue.unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [1, 2])
    #expect(unknown.description.hasSuffix(" (2 bytes)"))
    #expect(DynamicValue.signed(1, bitWidth: 16).typeDescription == "Int16")
  }

  @Test func `The description of bytes shows 16 of them`() {
    let shown = (1...16).map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }
    let text = shown.joined(separator: " ")
    #expect(DynamicValue.bytes(Array(1...16)).description == "16 bytes \(text)")
    #expect(DynamicValue.bytes(Array(1...17)).description == "17 bytes \(text) …")
  }

  @Test func `Dates are described by the caller's text wherever they are nested`() {
    let date = DynamicValue.date(ArchiveDate(secondsSinceReferenceDate: 1))
    let record = DynamicRecord(fields: [.init(key: "d", value: date)])
    for (value, text) in [
      (.array([date]), "[1.0]"), (.set([date]), "{1.0}"), (.record(record), "(d: 1.0)"),
      (.dictionary([.init(key: date, value: date)]), "[1.0: 1.0]"),
      (.enumeration("on", record), ".on(d: 1.0)"),
    ] as [(DynamicValue, String)] {
      #expect(value.text { "\($0.secondsSinceReferenceDate)" } == text)
    }
  }

  private static let inner = DynamicValue.record(
    DynamicRecord(
      typeName: "Inner",
      fields: [
        .init(key: "a", value: .reference(second)),
        .init(key: "b", value: .array([.reference(first), .null, .reference(second)])),
      ]))

  /// Containers with a record of the type `Inner`, which has three references.
  private static let containers: [DynamicValue] = [
    inner, .array([.bool(true), inner]), .dictionary([.init(key: .bool(true), value: inner)]),
    .enumeration("on", DynamicRecord(fields: [.init(key: "x", value: inner)])),
    .record(DynamicRecord(fields: [.init(key: "x", value: .array([.array([]), inner]))])),
  ]

  @Test func `References and typed records are found wherever they are nested`() throws {
    for value in Self.containers {
      let record = DynamicRecord(fields: [
        .init(key: "before", value: .array([.bool(true)])), .init(key: "v", value: value),
      ])
      #expect(record.references == [second, first, second])
      #expect(record.holdsReferences && record.holdsTypedRecords)
      var changed = record
      var seen: [ArchiveObjectID] = []
      try changed.mapReferences(levels: 8) { id in
        seen.append(id)
        return id == first ? nil : ArchiveObjectID(9)
      }
      #expect(seen == [second, first, second])
      #expect(changed.references == [ArchiveObjectID(9), ArchiveObjectID(9)])
    }
  }

  @Test func `Containers without references and typed records have none`() throws {
    let plain = DynamicRecord(fields: [.init(key: "x", value: .array([.reference(nil)]))])
    for value in [
      .null, .array([]), .array([.array([.bool(true)]), .null]), .set([.bool(true)]),
      .dictionary([.init(key: .bool(true), value: .null)]), .record(plain),
      .enumeration("on", plain), .conditionalReference(ArchiveConditionalReference(1)),
    ] as [DynamicValue] {
      let record = DynamicRecord(fields: [.init(key: "v", value: value)])
      #expect(!record.holdsReferences && record.references.isEmpty && !record.holdsTypedRecords)
      var changed = record
      try changed.mapReferences(levels: 0) { _ in nil }
      #expect(changed == record)
    }
  }

  @Test(arguments: 1...6)
  func `References are replaced down to the level that is allowed`(depth: Int) throws {
    var value = DynamicValue.reference(first)
    for _ in 1..<depth { value = .array([.null, value]) }
    var record = DynamicRecord(fields: [.init(key: "v", value: value)])
    try record.mapReferences(levels: depth - 1) { _ in second }
    #expect(record.references == [second])
    let before = record
    let error = archiveError {
      try record.mapReferences(levels: depth - 2) { _ in first }
    }
    #expect(error?.code == (depth == 1 ? nil : .limitExceeded))
    if depth > 1 {
      #expect(error?.keyPath == ["v"] + [String](repeating: "[1]", count: depth - 2))
      #expect(error?.remedy?.contains("nestingDepth") == true)
    } else {
      #expect(record != before)
    }
  }
}
