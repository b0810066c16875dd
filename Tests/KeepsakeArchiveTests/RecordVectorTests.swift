import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// The rules of Spec/archive.md, sections 3 to 5, for writers, each by the smallest archive that shows it.
@Suite struct `The bytes of records and tables` {
  @Test func `5.2: slots are in the order of writing, without gaps`() throws {
    let archive = try TinyArchive { coder in
      coder.encode(UInt8(1), forKey: "d")
      coder.encode(UInt32(2), forKey: "c")
      coder.encode("x", forKey: "b")
      coder.encode(true, forKey: "a")
    }
    #expect(archive.record == hexBytes("01 02000000 | 01 | 78"))
  }

  @Test func `4.3: two orders of keys make two shapes, and one order makes one`() throws {
    var writer = ArchiveWriter()
    for id in 1...4 as ClosedRange<UInt32> {
      try writer.writeObject(.init(id), typeName: "T") { coder in
        if id == 2 { coder.encode(true, forKey: "b") }
        coder.encode(true, forKey: "a")
        if id != 2 { coder.encode(true, forKey: "b") }
      }
    }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect((1...4).map { archive.shape($0) } == [0, 1, 0, 0])
  }

  @Test func `5.2: nil bits are before the first and the ninth slot that may hold nil`() throws {
    let archive = try TinyArchive { coder in
      for index in 0..<9 as Range<UInt8> {
        coder.encode(index == 1 || index == 8 ? nil : index, forKey: ArchiveKey("\(index)"))
        if index == 3 { coder.encode(UInt8(0xFF), forKey: "never nil") }
      }
    }
    #expect(
      archive.record == hexBytes("02 00 00 02 03 ff 04 05 06 07 01 00"))
  }

  @Test func `5.2: a payload takes no slot, but a nil bit if it may be nil`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("x" as String?, forKey: "a")
      coder.encode(nil as UInt8?, forKey: "b")
      coder.encode(nil as String?, forKey: "c")
      coder.encode(UInt8(7), forKey: "d")
    }
    #expect(archive.record == hexBytes("06 00 07 | 01 | 78"))
  }

  @Test func `5.2: ends follow the slots, and payloads follow the ends`() throws {
    let archive = try TinyArchive { coder in
      coder.encode([Int8(5)], forKey: "a")
      coder.encode(UInt8(7), forKey: "b")
    }
    #expect(archive.record == hexBytes("07 | 11 05"))
  }

  @Test func `5.2: ends are as wide as the length of the body needs, and the last is not stored`()
    throws
  {
    // The body has the bytes of the payloads and of two ends.
    for (length, ends) in [
      (253, "fc fd"), (254, "fd00 fe00"), (65_531, "fafffbff"), (65_532, "fbff0000 fcff0000"),
    ] {
      let archive = try TinyArchive { coder in
        coder.encode(String(repeating: "x", count: length - 1), forKey: "a")
        coder.encode("y", forKey: "b")
        coder.encode("", forKey: "c")
      }
      let expected = hexBytes("\(ends)")
      #expect(archive.record.prefix(expected.utf8.count) == expected)
      #expect(archive.record.utf8.count == expected.utf8.count + 3 * length)
    }
  }

  @Test func `5.2: truth values are bits among those of nils`() throws {
    let archive = try TinyArchive { coder in
      coder.encode(true, forKey: "a")
      coder.encode(UInt8(7), forKey: "b")
      coder.encode(false as Bool?, forKey: "c")
      coder.encode(nil as Bool?, forKey: "d")
      coder.encode(true as Bool?, forKey: "e")
      coder.encode(true, forKey: "f")
    }
    // a; nil and value of c, d and e; f is the eighth bit.
    #expect(archive.record == hexBytes("c9 07"))
    let nine = try TinyArchive { coder in
      for index in 0..<7 { coder.encode(index == 0, forKey: ArchiveKey("\(index)")) }
      coder.encode(UInt8(5), forKey: "slot")
      coder.encode(true as Bool?, forKey: "b")
    }
    // The nil bit is the eighth one, and the value the first of the next byte.
    #expect(nine.record == hexBytes("01 05 01"))
  }

  @Test func `5.2: a record within another has ends of its own width`() throws {
    let text = DynamicRecord(fields: [.init(key: "t", value: .string("x"))])
    let archive = try TinyArchive { coder in
      coder.encode(String(repeating: "x", count: 256), forKey: "a")
      coder.encode(DynamicValue.record(text), forKey: "b")
    }
    #expect(archive.record.hasPrefix(hexBytes("0001")))
    #expect(archive.record.hasSuffix(hexBytes("00 78")))
  }

  @Test func `5.2: there is nothing between payloads`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("ab", forKey: "a")
      coder.encode([Int8(5)], forKey: "b")
      coder.encode("z", forKey: "c")
    }
    #expect(archive.record == hexBytes("02 04 | 6162 11 05 7a"))
  }

  @Test func `5.3: a nil keeps its tag, and its payload is empty`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("x", forKey: "a")
      coder.encode(nil as [Int8]?, forKey: "b")
      coder.encode("y", forKey: "c")
    }
    #expect(archive.record == hexBytes("01 | 01 01 | 78 79"))
    #expect(archive.shapeTable.contains("6e 11 00 00"))
  }

  /// The text begins at offset 38, after its end.
  ///
  /// The array follows, with three bytes before its zero bytes and numbers.
  @Test(arguments: 0..<16)
  func `5.5: the zero bytes around many numbers align them`(length: Int) throws {
    let before = -(38 + length + 3) & 7
    let archive = try TinyArchive { coder in
      coder.encode(String(repeating: "x", count: length), forKey: "a")
      coder.encode([Double](repeating: 1.5, count: 32), forKey: "v")
    }
    let zeros = [before, 7 - before].map { String(repeating: "00", count: $0) }
    let slots = String(repeating: "000000000000f83f", count: 32)
    #expect(
      archive.record.hasSuffix(" " + hexBytes("92 24 0\(before)" + zeros[0] + slots + zeros[1])))
    // The array takes the same number of bytes at every offset; the end of the text takes two.
    #expect((archive.record.utf8.count + 1) / 3 == 2 + length + 3 + 256 + 7)
  }

  @Test func `3.3: bodies follow each other, and the directory says where they end`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode("x", forKey: "a") }
    try writer.writeObject(second, typeName: "T") { $0.encode("", forKey: "a") }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(archive.segment == hexBytes("4b53457a 01000000 02000000 00000000 | 78 | 01"))
  }

  @Test func `3.3: bodies of one width have no ends, and several shapes have numbers`() throws {
    var writer = ArchiveWriter()
    for value in [5, 6] as [UInt8] {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { $0.encode(value, forKey: "a") }
    }
    let fixed = TinyArchive(try writer.finish(root: first))
    #expect(fixed.segment == hexBytes("4b53457a 02000000 02000000 00000080 | 0506"))
    writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode(UInt8(5), forKey: "a") }
    try writer.writeObject(second, typeName: "T") { $0.encode(UInt16(6), forKey: "a") }
    let several = TinyArchive(try writer.finish(root: first))
    #expect(
      several.segment
        == hexBytes("4b53457a 03000000 02000000 ffffffff | 05 0600 | 01 00 01 | 01"))
    // A shape of no width has ends.
    writer = ArchiveWriter()
    for _ in 1...3 { try writer.writeObject(writer.nextObjectID, typeName: "T") { _ in } }
    let empty = TinyArchive(try writer.finish(root: first))
    #expect(empty.segment == hexBytes("4b53457a 00000000 03000000 00000000 | 00 00"))
  }

  @Test(arguments: [254, 255, 256, 257])
  func `3.3: numbers of shapes are as wide as the highest needs`(count: Int) throws {
    var writer = ArchiveWriter()
    for index in 0..<count {
      try writer.writeObject(writer.nextObjectID, typeName: "T") {
        $0.encode(true, forKey: ArchiveKey("\(index)"))
      }
    }
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    #expect(map.segments[0].shapeByteCount == (count > 256 ? 2 : 1))
    try Archive(bytes).requireCanonical()
    for index in [1, 2, 255, count] where index <= count {
      let object = try Archive(bytes).object(ArchiveObjectID(UInt32(index)))
      #expect(try object.decode(Bool.self, forKey: ArchiveKey("\(index - 1)")))
    }
  }

  @Test func `4.1: keys are numbered by first use, after the scopes that are new`() throws {
    let archive = try TinyArchive { coder in
      coder.withScope("S") { $0.encode(true, forKey: "a") }
      coder.encode(true, forKey: "b")
      coder.withScope("S") { $0.encode(true, forKey: "c") }
    }
    #expect(
      archive.keyTable
        == hexBytes("02 01 53 | 04 01 00000000 61 | 00 01 62 | 04 01 00000000 63"))
  }

  @Test(arguments: [255, 256, 65_535]) func `4.1: long names have a length of two bytes`(
    length: Int
  ) throws {
    let name = String(repeating: "n", count: length)
    let archive = try TinyArchive { $0.encode(true, forKey: ArchiveKey(name)) }
    let head = length == 255 ? "00 ff" : length == 256 ? "08 00 01" : "08 ff ff"
    #expect(archive.keyTable.hasPrefix(head + " 6e"))
    #expect(try Archive(archive.bytes).object(first).decode(Bool.self, forKey: ArchiveKey(name)))
    try Archive(archive.bytes).requireCanonical()
  }

  @Test func `4.1: names longer than the format allows are refused whatever the limit`() throws {
    var limits = ArchiveLimits()
    limits.nameByteCount = 1 << 20
    let name = String(repeating: "n", count: 65_536)
    let error = archiveError {
      _ = try archiveBytes(limits: limits) { $0.encode(true, forKey: ArchiveKey(name)) }
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `4.1 and 5.4: a case comes before the keys of its shape`() throws {
    let archive = try TinyArchive { coder in
      let values = DynamicRecord(fields: [.init(key: "v", value: .bool(true))])
      coder.encode(DynamicValue.enumeration("on", values), forKey: "e")
    }
    #expect(archive.keyTable == hexBytes("03 02 6f6e | 00 01 76 | 00 01 65"))
    // The case of type 0, with 1 slot; the object of type 1, 1 slot.
    #expect(
      archive.shapeTable
        == hexBytes("0000 0200 80000000 0f100000 | 0100 0100 86200000"))
  }

  @Test func `4.2: types are numbered by first use, a nested one before the outer`() throws {
    let archive = try TinyArchive { coder in
      let nested = DynamicRecord(typeName: "N", schemaVersion: 2)
      coder.encode(DynamicValue.record(nested), forKey: "r")
    }
    #expect(archive.typeTable == hexBytes("01 01 02000000 4e | 00 04 54657374"))
  }

  @Test func `4.4: the list names the objects of conditional references`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(ArchiveConditionalReference(2), forKey: "a")
    }
    writer.conditionalObjects = [nil, first, nil]
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(archive.record == hexBytes("02000000"))
    #expect(archive.conditionals == hexBytes("00000000 01000000 00000000"))
    #expect(try TinyArchive { _ in }.conditionals.isEmpty)
  }

  @Test func `4.4: a conditional reference of a body that throws needs no entry`() throws {
    struct Stop: Error {}
    var writer = ArchiveWriter()
    #expect(throws: Stop.self) {
      try writer.writeObject(first, typeName: "T") { coder in
        coder.encode(ArchiveConditionalReference(1), forKey: "a")
        throw Stop()
      }
    }
    try writer.writeObject(first, typeName: "T") { $0.encode(true, forKey: "a") }
    #expect(try TinyArchive(writer.finish(root: first)).conditionals.isEmpty)
  }

  @Test func `3.2: archive values have numbers, and a template comes first`() throws {
    var writer = ArchiveWriter(
      reserved: ReservedValues(
        bundleVersion: "1", userInterfaceIdiom: 2,
        timestamp: ArchiveDate(secondsSinceReferenceDate: 1), systemVersion: "3"))
    try writer.writeObject(first, typeName: "T", template: "m") { $0.encode(true, forKey: "a") }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(
      archive.values
        == hexBytes(
          """
          01 2e 01000000 31 | 02 14 08000000 0200000000000000
          03 3c 08000000 000000000000f03f | 04 2e 01000000 33
          """))
    #expect(archive.record == hexBytes("01 | 6d"))
    #expect(archive.keyTable == hexBytes("01 08 74656d706c617465 | 00 01 61"))
  }

  @Test func `3.3: a segment ends before the object that would make it too large`() throws {
    func segments(_ byteCount: Int) throws -> Int {
      var writer = ArchiveWriter()
      let bytes = ArchiveBytes([UInt8](repeating: 1, count: byteCount))
      try writer.writeObject(first, typeName: "T") { $0.encode(bytes, forKey: "v") }
      try writer.writeObject(second, typeName: "T") { $0.encode(true, forKey: "v") }
      let bytesOfBoth = try writer.finish(root: first)
      try Archive(bytesOfBoth).requireCanonical()
      return TinyArchive(bytesOfBoth).segmentCount
    }
    #expect(try segments(65_533) == 1)
    #expect(try segments(65_534) == 1)
    #expect(try segments(65_535) == 2)
    #expect(try segments(65_536) == 2)
  }

  @Test(arguments: [(65_534, 1), (65_535, 1), (65_536, 2)])
  func `3.3: a segment has at most 65,535 objects`(count: Int, segments: Int) throws {
    struct Empty: ArchiveRecord {
      init() {}
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {}
      func encode(to coder: inout ObjectEncoder) {}
    }
    var writer = ArchiveWriter()
    try writer.writeObjects([Empty](repeating: Empty(), count: count), typeName: "T")
    let bytes = try writer.finish(root: first)
    #expect(TinyArchive(bytes).segmentCount == segments)
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(archive.objectCount == count)
    _ = try archive.object(ArchiveObjectID(UInt32(count)))
  }
}
