import KeepsakeArchive
import Testing

/// One value, and the record of an object that holds nothing else.
struct ValueVector: Sendable, CustomTestStringConvertible {
  var rule: String
  var value: ArchivedValue
  var record: String

  init(_ rule: String, _ value: ArchivedValue, _ record: String) {
    self.rule = rule
    self.value = value
    self.record = record
  }

  var testDescription: String { rule }

  // Each begins with the number of the shape; record 0 has shape 0.
  static let all = scalars + arrays + containers

  static let scalars = [
    ValueVector("5.1: truth values are 0 or 1", .bool(true), "01000000 01 000000"),
    ValueVector("5.1: Int8", .signed(-2, bitWidth: 8), "01000000 fe 000000"),
    ValueVector("5.1: Int16", .signed(258, bitWidth: 16), "01000000 0201 0000"),
    ValueVector("5.1: UInt32", .unsigned(0x0102_0304, bitWidth: 32), "01000000 04030201"),
    ValueVector(
      "5.1: Int64, not aligned", .signed(1, bitWidth: 64), "01000000 0100000000000000 00000000"),
    ValueVector(
      "5.1: Int128", .int128(-2), "01000000 feffffffffffffff ffffffffffffffff 00000000"),
    ValueVector(
      "5.1: UInt128", .uint128(1 << 64), "01000000 0000000000000000 0100000000000000 00000000"),
    ValueVector("5.1: Float16", .float16(bitPattern: 0x3C01), "01000000 013c 0000"),
    ValueVector("5.1: Float", .float(1), "01000000 0000803f"),
    ValueVector(
      "5.1: the sign of zero is kept", .double(-0.0), "01000000 0000000000000080 00000000"),
    ValueVector(
      "5.1: the payload of a NaN is kept", .double(Double(bitPattern: 0x7FF0_0000_0000_0001)),
      "01000000 010000000000f07f 00000000"),
    ValueVector(
      "5.1: date", .date(ArchiveDate(secondsSinceReferenceDate: 1)),
      "01000000 000000000000f03f 00000000"),
    ValueVector(
      "5.1: UUID in the order of its spelling",
      ArchiveUUID(bytes: Array(1...16)).map { .uuid($0) } ?? .null,
      "01000000 0102030405060708 090a0b0c0d0e0f10 00000000"),
    ValueVector("5.1: reference", .reference(first), "01000000 01000000"),
    ValueVector("5.1: reference to none", .reference(nil), "01000000 00000000"),
    ValueVector(
      "4.5: conditional reference to none", .conditionalReference(.init(0)), "01000000 00000000"),
    ValueVector("5.2: string", .string("abc"), "01000000 03000000 616263 0000000000"),
    ValueVector("5.2: empty payload", .string(""), "01000000 00000000"),
    ValueVector("5.2: bytes", .bytes([0xFF]), "01000000 01000000 ff 00000000000000"),
    ValueVector("5.1: URL", .url(ArchiveURL("a:b")), "01000000 03000000 613a62 0000000000"),
    ValueVector("1: no normalisation", .string("e\u{301}"), "01000000 03000000 65cc81 0000000000"),
    ValueVector("5.3: nil of no kind", .null, "01000000 01 000000"),
  ]

  static let arrays = [
    ValueVector("5.5: no elements", .array([]), "01000000 00000000"),
    ValueVector(
      "5.5: numbers side by side",
      .array([.unsigned(1, bitWidth: 16), .unsigned(2, bitWidth: 16)]),
      "01000000 0c000000 | 1a000000 02000000 0100 0200 | 00000000"),
    ValueVector(
      "5.5: nil bits behind the slots", .array([.unsigned(7, bitWidth: 8), .null]),
      "01000000 0b000000 | 19010000 02000000 07 00 02 | 0000000000"),
    ValueVector(
      "5.5: a nil before the first value", .array([.null, .unsigned(7, bitWidth: 8)]),
      "01000000 0b000000 | 19010000 02000000 00 07 01 | 0000000000"),
    ValueVector(
      "5.5: nothing but nils", .array([.null, .null]),
      "01000000 18000000 | 90000000 02000000 0000 00000000 00000000 000000000000"),
    ValueVector(
      "5.5: strings follow each other", .array([.string("a"), .string("bc")]),
      "01000000 13000000 | 2e000000 02000000 01000000 03000000 616263 | 0000000000"),
    ValueVector(
      "5.5: a nil among strings is empty", .array([.string("a"), .null, .string("b")]),
      "01000000 17000000 | 2e010000 03000000 01000000 01000000 02000000 02 6162 | 00"),
    ValueVector(
      "5.2: containers begin at a multiple of eight",
      .array([.array([.unsigned(1, bitWidth: 8)]), .array([])]),
      """
      01000000 20000000 | 6e000000 02000000 09000000 10000000
      19000000 01000000 01 00000000000000
      """),
    ValueVector(
      "5.5: padding behind the nil bits of containers", .array([.null, .array([.bool(true)])]),
      """
      01000000 21000000 | 6e010000 02000000 00000000 09000000 01 00000000000000
      09000000 01000000 01 | 00000000000000
      """),
    ValueVector(
      "5.5: two kinds",
      .array([.bool(true), .string("ab"), .null, .unsigned(3, bitWidth: 16)]),
      """
      01000000 25000000 | 90000000 04000000 09 2e 00 1a
      01000000 03000000 03000000 05000000 00000000 01 6162 0300 | 000000
      """),
    ValueVector(
      "5.5: a container among other kinds", .array([.bool(true), .array([])]),
      """
      01000000 20000000 | 90000000 02000000 09 6e
      01000000 08000000 000000000000 01 00000000000000
      """),
    ValueVector(
      "5.5: values without bytes have tags",
      .array([.null, .unknown(ArchiveTag(rawValue: 20 << 3), bytes: [])]),
      "01000000 18000000 | 90000000 02000000 00a0 00000000 00000000 000000000000"),
    ValueVector(
      "5.5: one width each", .array([.signed(1, bitWidth: 8), .signed(1, bitWidth: 16)]),
      """
      01000000 1b000000 | 90000000 02000000 11 12
      01000000 03000000 000000000000 01 0100 | 0000000000
      """),
  ]

  static let containers = [
    ValueVector(
      "5.4: a nested record is not padded",
      .record(.init(fields: [.init(key: "v", value: .bool(true))])),
      "02000000 05000000 | 01000000 01 | 000000"),
    ValueVector(
      "5.4: a case takes no bytes", .enumeration("on", .init()),
      "02000000 04000000 | 01000000 | 00000000"
    ),
    ValueVector("5.6: no entries", .dictionary([]), "01000000 00000000"),
    ValueVector(
      "5.6: in the order of the keys",
      .dictionary([
        .init(key: .string("b"), value: .unsigned(1, bitWidth: 8)),
        .init(key: .string("a"), value: .unsigned(2, bitWidth: 8)),
      ]),
      """
      01000000 2a000000 | 12000000 00000000
      2e000000 02000000 01000000 02000000 6162 000000000000
      19000000 02000000 02 01 | 000000000000
      """),
    ValueVector(
      "5.6: by the tag first",
      .dictionary([
        .init(key: .string("a"), value: .bool(false)), .init(key: .bool(true), value: .bool(true)),
      ]),
      """
      01000000 32000000 | 1a000000 00000000
      90000000 02000000 09 2e 01000000 02000000 000000000000 01 61 000000000000
      09000000 02000000 01 00 | 000000000000
      """),
    ValueVector(
      "5.7: a prefix before what it begins", .set([.string("ab"), .string("a")]),
      "01000000 13000000 | 2e000000 02000000 01000000 03000000 61 6162 | 0000000000"),
    ValueVector(
      "5.6: numbers by their bytes", .set([.signed(1, bitWidth: 16), .signed(256, bitWidth: 16)]),
      "01000000 0c000000 | 12000000 02000000 0001 0100 | 00000000"),
    ValueVector("5.7: no members", .set([]), "01000000 00000000"),
  ]
}

@Suite struct `The bytes of values` {
  @Test(arguments: ValueVector.all)
  func `are those of the specification`(vector: ValueVector) throws {
    let archive = try TinyArchive { $0.encode(vector.value, forKey: "v") }
    #expect(archive.record == hexBytes(vector.record))
    let verdict = try Archive(archive.bytes).verdict()
    #expect(verdict == .canonical || verdict == .canonicalWithUnknownKinds)
    // An implementer's reader reads it too.
    #expect(throws: Never.self) { try SpecificationReader.read(archive.bytes) }
  }

  @Test(
    arguments: [
      .null, .array([]), .record(.init()), .reference(first), .set([]), .dictionary([]),
      .enumeration("on", .init()), .conditionalReference(.init(0)),
    ] as [ArchivedValue])
  func `have no keys and members of kinds that cannot be such`(value: ArchivedValue) {
    for container in [.set([value]), .dictionary([.init(key: value, value: .null)])]
      as [ArchivedValue]
    {
      let error = archiveError { _ = try archiveBytes { $0.encode(container, forKey: "v") } }
      #expect(error?.code == .invalidValue)
    }
  }

  @Test func `have no key or member twice`() {
    for container in [
      .set([.bool(true), .bool(true)]),
      .dictionary([.init(key: .bool(true), value: .null), .init(key: .bool(true), value: .null)]),
    ] as [ArchivedValue] {
      let error = archiveError { _ = try archiveBytes { $0.encode(container, forKey: "v") } }
      #expect(error?.code == .duplicateKey)
    }
  }
}
