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

  // Each begins with the number of the shape, which is 1 without nested records. Records follow each other,
  // record 0 of one byte first, so each begins at 129. The only payload ends with the record.
  static let all = scalars + arrays + alignedArrays + containers

  static let scalars = [
    ValueVector("5.1: truth values are 0 or 1", .bool(true), "01 | 01"),
    ValueVector("5.1: Int8", .signed(-2, bitWidth: 8), "01 | fe"),
    ValueVector("5.1: Int16", .signed(258, bitWidth: 16), "01 | 0201"),
    ValueVector("5.1: UInt32", .unsigned(0x0102_0304, bitWidth: 32), "01 | 04030201"),
    ValueVector("5.1: Int64", .signed(1, bitWidth: 64), "01 | 01000000 00000000"),
    ValueVector("5.1: Int128", .int128(-2), "01 | feffffff ffffffff ffffffff ffffffff"),
    ValueVector("5.1: UInt128", .uint128(1 << 64), "01 | 00000000 00000000 01000000 00000000"),
    ValueVector("5.1: Float16", .float16(bitPattern: 0x3C01), "01 | 013c"),
    ValueVector("5.1: Float", .float(1), "01 | 0000803f"),
    ValueVector("5.1: the sign of zero is kept", .double(-0.0), "01 | 00000000 00000080"),
    ValueVector(
      "5.1: the payload of a NaN is kept", .double(Double(bitPattern: 0x7FF0_0000_0000_0001)),
      "01 | 01000000 0000f07f"),
    ValueVector(
      "5.1: date", .date(ArchiveDate(secondsSinceReferenceDate: 1)), "01 | 00000000 0000f03f"),
    ValueVector(
      "5.1: UUID in the order of its spelling", uuid, "01 | 01020304 05060708 090a0b0c 0d0e0f10"),
    ValueVector("5.1: reference", .reference(first), "01 | 01000000"),
    ValueVector("5.1: reference to none", .reference(nil), "01 | 00000000"),
    ValueVector(
      "4.5: conditional reference to none", .conditionalReference(.init(0)), "01 | 00000000"),
    ValueVector("5.2: string", .string("abc"), "01 | 616263"),
    ValueVector("5.2: empty payload", .string(""), "01"),
    ValueVector("5.2: bytes", .bytes([0xFF]), "01 | ff"),
    ValueVector("5.1: URL", .url(ArchiveURL("a:b")), "01 | 613a62"),
    ValueVector("1: no normalisation", .string("e\u{301}"), "01 | 65cc81"),
    ValueVector("5.3: nil of no kind", .null, "01 | 01"),
  ]

  static let uuid = ArchiveUUID(bytes: Array(1...16)).map { ArchivedValue.uuid($0) } ?? .null

  static let arrays = [
    ValueVector("5.5: no elements", .array([]), "01"),
    ValueVector(
      "5.5: nil bits behind the slots", .array([.unsigned(7, bitWidth: 8), .null]),
      "01 | 19010000 02000000 070002"),
    ValueVector(
      "5.5: a nil before the first value", .array([.null, .unsigned(7, bitWidth: 8)]),
      "01 | 19010000 02000000 000701"),
    ValueVector(
      "5.5: nothing but nils", .array([.null, .null]),
      "01 | 90000000 02000000 00000000 00000000 0000"),
    ValueVector(
      "5.5: strings follow each other", .array([.string("a"), .string("bc")]),
      "01 | 2e000000 02000000 01000000 03000000 616263"),
    ValueVector(
      "5.5: a nil among strings is empty", .array([.string("a"), .null, .string("b")]),
      "01 | 2e010000 03000000 01000000 01000000 02000000 026162"),
    ValueVector(
      "5.2: there is nothing between payloads",
      .array([.array([.unsigned(1, bitWidth: 8)]), .array([])]),
      "01 | 6e000000 02000000 09000000 09000000 19000000 01000000 01"),
    ValueVector(
      "5.5: the tail begins behind the nil bits", .array([.null, .array([.bool(true)])]),
      "01 | 6e010000 02000000 00000000 09000000 010f0000 00010000 0001"),
    ValueVector(
      "5.5: two kinds",
      .array([.bool(true), .string("ab"), .null, .unsigned(3, bitWidth: 16)]),
      "01 | 90000000 04000000 0f2e001a 01000000 03000000 03000000 05000000 01616203 00"),
    ValueVector(
      "5.5: a container among other kinds", .array([.bool(true), .array([])]),
      "01 | 90000000 02000000 0f6e0100 00000100 000001"),
    ValueVector(
      "5.5: a bit of an unknown kind takes a byte",
      .array([.null, .unknown(ArchiveTag(rawValue: 20 << 3 | 7), bytes: [1])]),
      "01 | a7010000 02000000 0001 01"),
    ValueVector(
      "5.5: one width each", .array([.signed(1, bitWidth: 8), .signed(1, bitWidth: 16)]),
      "01 | 90000000 02000000 11120100 00000300 00000101 00"),
  ]

  // The header of such an array lies from 130 to 138.
  static let alignedArrays = [
    ValueVector(
      "5.5: numbers of one byte", .array([.signed(5, bitWidth: 8)]),
      "01 | 11000000 01000000 05"),
    ValueVector(
      "5.5: numbers of two bytes, side by side",
      .array([.unsigned(1, bitWidth: 16), .unsigned(2, bitWidth: 16)]),
      "01 | 1a000000 02000000 01000200 00"),
    ValueVector(
      "5.5: numbers of four bytes", .array([.float(1)]),
      "01 | 23000200 01000000 00000000 803f00"),
    ValueVector(
      "5.5: numbers of eight bytes", .array([.double(0.5)]),
      "01 | 24000600 01000000 00000000 00000000 00000000 e03f00"),
    ValueVector(
      "5.5: numbers of sixteen bytes are aligned to eight", .array([.int128(1)]),
      "01 | 15000600 01000000 00000000 00000100 00000000 00000000 00000000 000000"),
    ValueVector(
      "5.5: dates are numbers", .array([.date(ArchiveDate(secondsSinceReferenceDate: 1))]),
      "01 | 3c000600 01000000 00000000 00000000 00000000 f03f00"),
    ValueVector(
      "5.5: a UUID is no number", .array([uuid]),
      "01 | 45000000 01000000 01020304 05060708 090a0b0c 0d0e0f10"),
    ValueVector(
      "5.5: a reference is no number", .array([.reference(first)]),
      "01 | 53000000 01000000 01000000"),
    ValueVector(
      "5.5: a kind that is not known is no number",
      .array([.unknown(ArchiveTag(rawValue: 20 << 3 | 3), bytes: [1, 2, 3, 4])]),
      "01 | a3000000 01000000 01020304"),
    ValueVector(
      "5.5: zero bytes before and behind", .array([.array([.double(1.5), .null])]),
      """
      01 | 6e000000 01000000 20000000 24010200 02000000 00000000 00000000 f83f0000
      00000000 00000200 00000000
      """),
  ]

  static let containers = [
    ValueVector(
      "5.4: a nested record is like any other",
      .record(.init(fields: [.init(key: "v", value: .bool(true))])),
      "02 | 0101"),
    ValueVector(
      "5.4: a case takes no bytes", .enumeration("on", .init()), "02 | 01"),
    ValueVector("5.6: no entries", .dictionary([]), "01"),
    ValueVector(
      "5.6: in the order of the keys",
      .dictionary([
        .init(key: .string("b"), value: .unsigned(1, bitWidth: 8)),
        .init(key: .string("a"), value: .unsigned(2, bitWidth: 8)),
      ]),
      "01 | 12000000 2e000000 02000000 01000000 02000000 61621900 00000200 00000201"),
    ValueVector(
      "5.6: by the tag first",
      .dictionary([
        .init(key: .string("a"), value: .bool(false)), .init(key: .bool(true), value: .bool(true)),
      ]),
      """
      01 | 14000000 90000000 02000000 0f2e0100 00000200 00000161 0f000000 02000000
      0100
      """),
    ValueVector(
      "5.6: keys and values are aligned as other arrays are",
      .dictionary([.init(key: .signed(1, bitWidth: 16), value: .double(0.5))]),
      """
      01 | 0b000000 12000000 01000000 01000024 00070001 00000000 00000000 00000000
      00000000 e03f
      """),
    ValueVector(
      "5.7: a prefix before what it begins", .set([.string("ab"), .string("a")]),
      "01 | 2e000000 02000000 01000000 03000000 616162"),
    ValueVector(
      "5.6: numbers by their bytes", .set([.signed(1, bitWidth: 16), .signed(256, bitWidth: 16)]),
      "01 | 12000000 02000000 00010100 00"),
    ValueVector("5.7: no members", .set([]), "01"),
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
