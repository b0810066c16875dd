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

  // Each begins with four times the number of the shape, which is 1 without nested records: the ends
  // have a byte each. Records follow each other, record 0 of four bytes first, so each begins at 132.
  static let all = scalars + arrays + alignedArrays + containers

  static let scalars = [
    ValueVector("5.1: truth values are 0 or 1", .bool(true), "04000000 01"),
    ValueVector("5.1: Int8", .signed(-2, bitWidth: 8), "04000000 fe"),
    ValueVector("5.1: Int16", .signed(258, bitWidth: 16), "04000000 0201"),
    ValueVector("5.1: UInt32", .unsigned(0x0102_0304, bitWidth: 32), "04000000 04030201"),
    ValueVector("5.1: Int64", .signed(1, bitWidth: 64), "04000000 0100000000000000"),
    ValueVector("5.1: Int128", .int128(-2), "04000000 feffffffffffffff ffffffffffffffff"),
    ValueVector("5.1: UInt128", .uint128(1 << 64), "04000000 0000000000000000 0100000000000000"),
    ValueVector("5.1: Float16", .float16(bitPattern: 0x3C01), "04000000 013c"),
    ValueVector("5.1: Float", .float(1), "04000000 0000803f"),
    ValueVector("5.1: the sign of zero is kept", .double(-0.0), "04000000 0000000000000080"),
    ValueVector(
      "5.1: the payload of a NaN is kept", .double(Double(bitPattern: 0x7FF0_0000_0000_0001)),
      "04000000 010000000000f07f"),
    ValueVector(
      "5.1: date", .date(ArchiveDate(secondsSinceReferenceDate: 1)), "04000000 000000000000f03f"),
    ValueVector(
      "5.1: UUID in the order of its spelling", uuid, "04000000 0102030405060708 090a0b0c0d0e0f10"),
    ValueVector("5.1: reference", .reference(first), "04000000 01000000"),
    ValueVector("5.1: reference to none", .reference(nil), "04000000 00000000"),
    ValueVector(
      "4.5: conditional reference to none", .conditionalReference(.init(0)), "04000000 00000000"),
    ValueVector("5.2: string", .string("abc"), "04000000 03 616263"),
    ValueVector("5.2: empty payload", .string(""), "04000000 00"),
    ValueVector("5.2: bytes", .bytes([0xFF]), "04000000 01 ff"),
    ValueVector("5.1: URL", .url(ArchiveURL("a:b")), "04000000 03 613a62"),
    ValueVector("1: no normalisation", .string("e\u{301}"), "04000000 03 65cc81"),
    ValueVector("5.3: nil of no kind", .null, "04000000 01"),
  ]

  static let uuid = ArchiveUUID(bytes: Array(1...16)).map { ArchivedValue.uuid($0) } ?? .null

  static let arrays = [
    ValueVector("5.5: no elements", .array([]), "04000000 00"),
    ValueVector(
      "5.5: nil bits behind the slots", .array([.unsigned(7, bitWidth: 8), .null]),
      "04000000 0b | 19010000 02000000 07 00 02"),
    ValueVector(
      "5.5: a nil before the first value", .array([.null, .unsigned(7, bitWidth: 8)]),
      "04000000 0b | 19010000 02000000 00 07 01"),
    ValueVector(
      "5.5: nothing but nils", .array([.null, .null]),
      "04000000 12 | 90000000 02000000 0000 00000000 00000000"),
    ValueVector(
      "5.5: strings follow each other", .array([.string("a"), .string("bc")]),
      "04000000 13 | 2e000000 02000000 01000000 03000000 616263"),
    ValueVector(
      "5.5: a nil among strings is empty", .array([.string("a"), .null, .string("b")]),
      "04000000 17 | 2e010000 03000000 01000000 01000000 02000000 02 6162"),
    ValueVector(
      "5.2: there is nothing between payloads",
      .array([.array([.unsigned(1, bitWidth: 8)]), .array([])]),
      "04000000 19 | 6e000000 02000000 09000000 09000000 19000000 01000000 01"),
    ValueVector(
      "5.5: the tail begins behind the nil bits", .array([.null, .array([.bool(true)])]),
      "04000000 1a | 6e010000 02000000 00000000 09000000 01 09000000 01000000 01"),
    ValueVector(
      "5.5: two kinds",
      .array([.bool(true), .string("ab"), .null, .unsigned(3, bitWidth: 16)]),
      """
      04000000 21 | 90000000 04000000 09 2e 00 1a
      01000000 03000000 03000000 05000000 01 6162 0300
      """),
    ValueVector(
      "5.5: a container among other kinds", .array([.bool(true), .array([])]),
      "04000000 13 | 90000000 02000000 09 6e 01000000 01000000 01"),
    ValueVector(
      "5.5: values without bytes have tags",
      .array([.null, .unknown(ArchiveTag(rawValue: 20 << 3), bytes: [])]),
      "04000000 12 | 90000000 02000000 00a0 00000000 00000000"),
    ValueVector(
      "5.5: one width each", .array([.signed(1, bitWidth: 8), .signed(1, bitWidth: 16)]),
      "04000000 15 | 90000000 02000000 11 12 01000000 03000000 01 0100"),
  ]

  // The header of such an array lies from 137 to 145.
  static let alignedArrays = [
    ValueVector(
      "5.5: numbers of one byte", .array([.signed(5, bitWidth: 8)]),
      "04000000 09 | 11000000 01000000 05"),
    ValueVector(
      "5.5: numbers of two bytes, side by side",
      .array([.unsigned(1, bitWidth: 16), .unsigned(2, bitWidth: 16)]),
      "04000000 0d | 1a000100 02000000 00 0100 0200"),
    ValueVector(
      "5.5: numbers of four bytes", .array([.float(1)]),
      "04000000 0f | 23000300 01000000 000000 0000803f"),
    ValueVector(
      "5.5: numbers of eight bytes", .array([.double(0.5)]),
      "04000000 17 | 24000700 01000000 00000000000000 000000000000e03f"),
    ValueVector(
      "5.5: numbers of sixteen bytes are aligned to eight", .array([.int128(1)]),
      "04000000 1f | 15000700 01000000 00000000000000 0100000000000000 0000000000000000"),
    ValueVector(
      "5.5: dates are numbers", .array([.date(ArchiveDate(secondsSinceReferenceDate: 1))]),
      "04000000 17 | 3c000700 01000000 00000000000000 000000000000f03f"),
    ValueVector(
      "5.5: a UUID is no number", .array([uuid]),
      "04000000 18 | 45000000 01000000 0102030405060708 090a0b0c0d0e0f10"),
    ValueVector(
      "5.5: a reference is no number", .array([.reference(first)]),
      "04000000 0c | 53000000 01000000 01000000"),
    ValueVector(
      "5.5: a kind that is not known is no number",
      .array([.unknown(ArchiveTag(rawValue: 20 << 3 | 3), bytes: [1, 2, 3, 4])]),
      "04000000 0c | a3000000 01000000 01020304"),
    ValueVector(
      "5.5: zero bytes before and behind", .array([.array([.double(1.5), .null])]),
      """
      04000000 2c | 6e000000 01000000 20000000 | 24010300 02000000 000000
      000000000000f83f 0000000000000000 02 00000000
      """),
  ]

  static let containers = [
    ValueVector(
      "5.4: a nested record is like any other",
      .record(.init(fields: [.init(key: "v", value: .bool(true))])),
      "08000000 05 | 04000000 01"),
    ValueVector(
      "5.4: a case takes no bytes", .enumeration("on", .init()), "08000000 04 | 04000000"),
    ValueVector("5.6: no entries", .dictionary([]), "04000000 00"),
    ValueVector(
      "5.6: in the order of the keys",
      .dictionary([
        .init(key: .string("b"), value: .unsigned(1, bitWidth: 8)),
        .init(key: .string("a"), value: .unsigned(2, bitWidth: 8)),
      ]),
      """
      04000000 20 | 12000000 2e000000 02000000 01000000 02000000 6162
      19000000 02000000 02 01
      """),
    ValueVector(
      "5.6: by the tag first",
      .dictionary([
        .init(key: .string("a"), value: .bool(false)), .init(key: .bool(true), value: .bool(true)),
      ]),
      """
      04000000 22 | 14000000 90000000 02000000 09 2e 01000000 02000000 01 61
      09000000 02000000 01 00
      """),
    ValueVector(
      "5.6: keys and values are aligned as other arrays are",
      .dictionary([.init(key: .signed(1, bitWidth: 16), value: .double(0.5))]),
      """
      04000000 26 | 0b000000 12000100 01000000 00 0100
      24000000 01000000 000000000000e03f 00000000000000
      """),
    ValueVector(
      "5.7: a prefix before what it begins", .set([.string("ab"), .string("a")]),
      "04000000 13 | 2e000000 02000000 01000000 03000000 61 6162"),
    ValueVector(
      "5.6: numbers by their bytes", .set([.signed(1, bitWidth: 16), .signed(256, bitWidth: 16)]),
      "04000000 0d | 12000100 02000000 00 0001 0100"),
    ValueVector("5.7: no members", .set([]), "04000000 00"),
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
      #expect(error?.code == .duplicateMember)
    }
  }
}
