import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// A value, and the record of an object that has only this value.
struct ValueVector: Sendable, CustomTestStringConvertible {
  var rule: String
  var value: DynamicValue
  var record: String

  init(_ rule: String, _ value: DynamicValue, _ record: String) {
    self.rule = rule
    self.value = value
    self.record = record
  }

  var testDescription: String { rule }

  // Each body begins at offset 36, after the header and the head of the segment. The only payload ends with the
  // body.
  static let all = scalars + arrays + alignedArrays + containers

  static let scalars = [
    ValueVector("5.1: truth values are 0 or 1", .bool(true), "01"),
    ValueVector("5.1: Int8", .signed(-2, bitWidth: 8), "fe"),
    ValueVector("5.1: Int16", .signed(258, bitWidth: 16), "0201"),
    ValueVector("5.1: UInt32", .unsigned(0x0102_0304, bitWidth: 32), "04030201"),
    ValueVector("5.1: Int64", .signed(1, bitWidth: 64), "01000000 00000000"),
    ValueVector("5.1: Int128", .int128(-2), "feffffff ffffffff ffffffff ffffffff"),
    ValueVector("5.1: UInt128", .uint128(1 << 64), "00000000 00000000 01000000 00000000"),
    ValueVector("5.1: Float16", .float16(bitPattern: 0x3C01), "013c"),
    ValueVector("5.1: Float", .float(1), "0000803f"),
    ValueVector("5.1: the sign of zero is kept", .double(-0.0), "00000000 00000080"),
    ValueVector(
      "5.1: the payload of a NaN is kept", .double(Double(bitPattern: 0x7FF0_0000_0000_0001)),
      "01000000 0000f07f"),
    ValueVector(
      "5.1: date", .date(ArchiveDate(secondsSinceReferenceDate: 1)), "00000000 0000f03f"),
    ValueVector(
      "5.1: UUID in the order of its spelling", uuid, "01020304 05060708 090a0b0c 0d0e0f10"),
    ValueVector("5.1: reference", .reference(first), "01000000"),
    ValueVector("5.1: reference to none", .reference(nil), "00000000"),
    ValueVector(
      "4.4: conditional reference to none", .conditionalReference(.init(0)), "00000000"),
    ValueVector("5.2: string", .string("abc"), "616263"),
    ValueVector("5.2: empty payload", .string(""), ""),
    ValueVector("5.2: bytes", .bytes([0xFF]), "ff"),
    ValueVector("5.1: URL", .url(ArchiveURL("a:b")), "613a62"),
    ValueVector("1: no normalisation", .string("e\u{301}"), "65cc81"),
    ValueVector("5.3: nil of no kind", .null, "01"),
  ]

  static let uuid = ArchiveUUID(bytes: Array(1...16)).map { DynamicValue.uuid($0) } ?? .null

  static let arrays = [
    ValueVector("5.5: no elements", .array([]), ""),
    ValueVector(
      "5.5: nil bits before the slots", .array([.unsigned(7, bitWidth: 8), .null]),
      "91 19 02 | 02 | 07 00"),
    ValueVector(
      "5.5: a nil before the first value", .array([.null, .unsigned(7, bitWidth: 8)]),
      "91 19 02 | 01 | 00 07"),
    ValueVector(
      "5.5: nothing but nils", .array([.null, .null]),
      "90 02 | 00 00 | 00"),
    ValueVector(
      "5.5: strings follow each other", .array([.string("a"), .string("bc")]),
      "2e 02 | 01 | 61 6263"),
    ValueVector(
      "5.5: a nil among strings is empty", .array([.string("a"), .null, .string("b")]),
      "90 03 | 2e 00 2e | 01 01 | 61 62"),
    ValueVector(
      "5.2: there is nothing between payloads",
      .array([.array([.unsigned(1, bitWidth: 8)]), .array([])]),
      "6e 02 | 02 | 1901"),
    ValueVector(
      "5.5: a nil among payloads has a tag of its own", .array([.null, .array([.bool(true)])]),
      "90 02 | 00 6e | 00 | 0f03"),
    ValueVector(
      "5.5: two kinds",
      .array([.bool(true), .string("ab"), .null, .unsigned(3, bitWidth: 16)]),
      "90 04 | 0f 2e 00 1a | 01 03 03 | 01 6162 0300"),
    ValueVector(
      "5.5: a container among other kinds", .array([.bool(true), .array([])]),
      "90 02 | 0f 6e | 01 | 01"),
    ValueVector(
      "5.5: a bit of an unknown kind takes a byte",
      .array([.null, .unknown(ArchiveTag(rawValue: 20 << 3 | 7), bytes: [1])]),
      "90 02 | 00 a7 | 00 | 01"),
    ValueVector("5.5: truth values, and a bit after the last", .array([.bool(true)]), "0f 03"),
    ValueVector(
      "5.5: eight truth values", .array(Array(repeating: .bool(true), count: 8)), "0f ff 01"),
    ValueVector(
      "5.5: arrays of one length are rows",
      .array([
        .array([.unsigned(1, bitWidth: 8), .unsigned(2, bitWidth: 8)]),
        .array([.unsigned(3, bitWidth: 8), .unsigned(4, bitWidth: 8)]),
      ]),
      "93 19 02 | 01020304"),
    ValueVector(
      "5.5: one array is no row", .array([.array([.unsigned(1, bitWidth: 8)])]), "6e 01 1901"),
    ValueVector(
      "5.5: rows are of one tag",
      .array([.array([.unsigned(1, bitWidth: 8)]), .array([.signed(1, bitWidth: 8)])]),
      "6e 02 02 1901 1101"),
    ValueVector(
      "5.5: references are no rows",
      .array([.array([.reference(first)]), .array([.reference(nil)])]),
      "6e 02 02 5101 5100"),
    ValueVector(
      "5.5: nil bits of references", .array([.null, .reference(first)]),
      "91 51 02 | 01 | 00 01"),
    ValueVector(
      "5.5: records of a fixed width side by side",
      .array([
        .record(.init(fields: [.init(key: "v", value: .unsigned(7, bitWidth: 16))])),
        .record(.init(fields: [.init(key: "v", value: .unsigned(8, bitWidth: 16))])),
      ]),
      "60 00 | 0700 0800"),
    ValueVector(
      "5.5: records of one shape have ends",
      .array([
        .record(.init(fields: [.init(key: "v", value: .string("ab"))])),
        .record(.init(fields: [.init(key: "v", value: .string("c"))])),
      ]),
      "66 00 02 | 02 | 6162 63"),
    ValueVector(
      "5.5: records of no width have ends", .array([.record(.init()), .record(.init())]),
      "66 00 02 | 00"),
    ValueVector(
      "5.5: enumerations of one case and a fixed width",
      .array([
        .enumeration("on", .init(fields: [.init(key: "v", value: .unsigned(7, bitWidth: 8))])),
        .enumeration("on", .init(fields: [.init(key: "v", value: .unsigned(8, bitWidth: 8))])),
      ]),
      "80 00 | 07 08"),
    ValueVector(
      "5.5: two cases are two shapes",
      .array([.enumeration("on", .init()), .enumeration("off", .init())]),
      "90 02 | 86 86 | 01 | 00 01"),
    ValueVector(
      "5.5: enumerations of one case", .array([.enumeration("on", .init())]), "86 00 01"),
    ValueVector(
      "5.5: a nil among records",
      .array([.record(.init()), .null]), "90 02 | 66 00 | 01 | 00"),
    ValueVector(
      "5.5: a form that is kept",
      .array([
        .unknown(.array, bytes: [0x94, 1]), .unknown(.dictionary, bytes: [2, 0x19, 1, 0x97]),
      ]),
      "90 02 | 6e 76 | 02 | 9401 02190197"),
    ValueVector(
      "5.5: one width each", .array([.signed(1, bitWidth: 8), .signed(1, bitWidth: 16)]),
      "90 02 | 11 12 | 01 | 01 0100"),
  ]

  static let alignedArrays = [
    ValueVector(
      "5.5: numbers of one byte", .array([.signed(5, bitWidth: 8)]),
      "11 05"),
    ValueVector(
      "5.5: numbers of two bytes, side by side",
      .array([.unsigned(1, bitWidth: 16), .unsigned(2, bitWidth: 16)]),
      "1a 0100 0200"),
    ValueVector(
      "5.5: numbers of four bytes", .array([.float(1)]),
      "23 0000803f"),
    ValueVector(
      "5.5: numbers of eight bytes", .array([.double(0.5)]),
      "24 00000000 0000e03f"),
    ValueVector(
      "5.5: numbers of sixteen bytes", .array([.int128(1)]),
      "15 01000000 00000000 00000000 00000000"),
    ValueVector(
      "5.5: dates are numbers", .array([.date(ArchiveDate(secondsSinceReferenceDate: 1))]),
      "3c 00000000 0000f03f"),
    ValueVector(
      "5.5: a UUID is no number", .array([uuid]),
      "45 01020304 05060708 090a0b0c 0d0e0f10"),
    ValueVector(
      "5.5: a reference is no number", .array([.reference(first)]),
      "51 01"),
    ValueVector(
      "5.5: a kind that is not known is no number",
      .array([.unknown(ArchiveTag(rawValue: 20 << 3 | 3), bytes: [1, 2, 3, 4])]),
      "a3 01020304"),
    ValueVector(
      "5.5: a nil among numbers of an inner array", .array([.array([.double(1.5), .null])]),
      "6e 01 | 91 24 02 | 02 | 00000000 0000f83f 00000000 00000000"),
  ]

  static let containers = [
    ValueVector(
      "5.4: a nested record is like any other",
      .record(.init(fields: [.init(key: "v", value: .string("a"))])),
      "00 | 61"),
    ValueVector(
      "5.4: a record of a fixed width is stored inline",
      .record(.init(fields: [.init(key: "v", value: .bool(true))])), "01"),
    ValueVector(
      "5.4: a case takes no bytes", .enumeration("on", .init()), "00"),
    ValueVector("5.6: no entries", .dictionary([]), ""),
    ValueVector(
      "5.6: in the order of the keys",
      .dictionary([
        .init(key: .string("b"), value: .unsigned(1, bitWidth: 8)),
        .init(key: .string("a"), value: .unsigned(2, bitWidth: 8)),
      ]),
      "05 | 2e 02 01 6162 | 19 02 01"),
    ValueVector(
      "5.6: by the tag first",
      .dictionary([
        .init(key: .string("a"), value: .bool(false)), .init(key: .bool(true), value: .bool(true)),
      ]),
      "07 | 90 02 0f2e 01 01 61 | 0f 05"),
    ValueVector(
      "5.6: keys and values are arrays",
      .dictionary([.init(key: .signed(1, bitWidth: 16), value: .double(0.5))]),
      "03 | 12 0100 | 24 00000000 0000e03f"),
    ValueVector(
      "5.7: a prefix before what it begins", .set([.string("ab"), .string("a")]),
      "2e 02 | 01 | 61 6162"),
    ValueVector(
      "5.6: numbers by their bytes", .set([.signed(1, bitWidth: 16), .signed(256, bitWidth: 16)]),
      "12 0001 0100"),
    ValueVector("5.7: no members", .set([]), ""),
  ]
}

@Suite struct `The bytes of values` {
  @Test(arguments: ValueVector.all)
  func `The bytes of values are those of the specification`(vector: ValueVector) throws {
    let archive = try TinyArchive { $0.encode(vector.value, forKey: "v") }
    #expect(archive.record == hexBytes(vector.record))
    let verdict = try Archive(archive.bytes).verdict()
    #expect(verdict == .canonical || verdict == .canonicalWithUnknownKinds)
    // The independent reader accepts the bytes too.
    #expect(throws: Never.self) { try SpecificationReader.read(archive.bytes) }
  }

  @Test(
    arguments: [
      .null, .array([]), .record(.init()), .reference(first), .set([]), .dictionary([]),
      .enumeration("on", .init()), .conditionalReference(.init(0)),
    ] as [DynamicValue])
  func `Values of kinds that are not allowed are refused as keys and members`(
    value: DynamicValue
  ) {
    for container in [.set([value]), .dictionary([.init(key: value, value: .null)])]
      as [DynamicValue]
    {
      let error = archiveError { _ = try archiveBytes { $0.encode(container, forKey: "v") } }
      #expect(error?.code == .invalidValue)
    }
  }

  @Test func `A repeated key or member is refused`() {
    for container in [
      .set([.bool(true), .bool(true)]),
      .dictionary([.init(key: .bool(true), value: .null), .init(key: .bool(true), value: .null)]),
    ] as [DynamicValue] {
      let error = archiveError { _ = try archiveBytes { $0.encode(container, forKey: "v") } }
      #expect(error?.code == .duplicateMember)
    }
  }
}
