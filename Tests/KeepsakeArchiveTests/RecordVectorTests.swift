import KeepsakeArchive
import Testing

/// What Spec/archive.md, section 4, says of a writer, each rule by the smallest archive that shows
/// it.
@Suite struct `The bytes of records and tables` {
  @Test func `4.4: slots are in the order of writing, without gaps`() throws {
    let archive = try TinyArchive { coder in
      coder.encode(UInt8(1), forKey: "d")
      coder.encode(UInt32(2), forKey: "c")
      coder.encode("x", forKey: "b")
      coder.encode(true, forKey: "a")
    }
    #expect(archive.record == hexBytes("01 | 01 02000000 | 01 | 78"))
  }

  @Test func `4.4: two orders are two shapes, and one order is one`() throws {
    var writer = ArchiveWriter()
    for id in 1...4 as ClosedRange<UInt32> {
      try writer.writeObject(.init(id), typeName: "T") { coder in
        if id == 2 { coder.encode(true, forKey: "b") }
        coder.encode(true, forKey: "a")
        if id != 2 { coder.encode(true, forKey: "b") }
      }
    }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(
      (1...4).map { archive.record($0).prefix(2) } == ["01", "02", "01", "01"])
  }

  @Test func `4.4: nil bits lie before the first and the ninth slot that may hold nil`() throws {
    let archive = try TinyArchive { coder in
      for index in 0..<9 as Range<UInt8> {
        coder.encode(index == 1 || index == 8 ? nil : index, forKey: ArchiveKey("\(index)"))
        if index == 3 { coder.encode(UInt8(0xFF), forKey: "never nil") }
      }
    }
    #expect(
      archive.record == hexBytes("01 | 02 00 00 02 03 ff 04 05 06 07 01 00"))
  }

  @Test func `4.4: a payload takes no slot, but its nil bit its place`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("x" as String?, forKey: "a")
      coder.encode(nil as UInt8?, forKey: "b")
      coder.encode(nil as String?, forKey: "c")
      coder.encode(UInt8(7), forKey: "d")
    }
    #expect(archive.record == hexBytes("01 | 06 00 07 | 01 | 78"))
  }

  @Test func `4.4: the ends lie behind the slots, and the payloads behind the ends`() throws {
    let archive = try TinyArchive { coder in
      coder.encode([Int8(5)], forKey: "a")
      coder.encode(UInt8(7), forKey: "b")
    }
    #expect(archive.record == hexBytes("01 | 07 | 11 05"))
  }

  @Test func `4.4: ends are as wide as the length of the body needs, and the last is not stored`()
    throws
  {
    // Two ends: the body has as many bytes more than the payloads as they take.
    for (length, ends) in [
      (253, "fc fd"), (254, "fd00 fe00"), (65_531, "fafffbff"), (65_532, "fbff0000 fcff0000"),
    ] {
      let archive = try TinyArchive { coder in
        coder.encode(String(repeating: "x", count: length - 1), forKey: "a")
        coder.encode("y", forKey: "b")
        coder.encode("", forKey: "c")
      }
      let expected = hexBytes("01 \(ends)")
      #expect(archive.record.prefix(expected.utf8.count) == expected)
      #expect(archive.record.utf8.count == expected.utf8.count + 3 * length)
    }
  }

  @Test func `4.4: truth values are bits among those of nils`() throws {
    let archive = try TinyArchive { coder in
      coder.encode(true, forKey: "a")
      coder.encode(UInt8(7), forKey: "b")
      coder.encode(false as Bool?, forKey: "c")
      coder.encode(nil as Bool?, forKey: "d")
      coder.encode(true as Bool?, forKey: "e")
      coder.encode(true, forKey: "f")
    }
    // a; nil and value of c, d and e; f is the eighth bit.
    #expect(archive.record == hexBytes("01 | c9 07"))
    let nine = try TinyArchive { coder in
      for index in 0..<7 { coder.encode(index == 0, forKey: ArchiveKey("\(index)")) }
      coder.encode(UInt8(5), forKey: "slot")
      coder.encode(true as Bool?, forKey: "b")
    }
    // The nil bit is the eighth one, and the value the first of the next byte.
    #expect(nine.record == hexBytes("01 | 01 05 01"))
  }

  @Test func `4.4: a record within another has ends of its own width`() throws {
    let text = ArchivedRecord(fields: [.init(key: "t", value: .string("x"))])
    let archive = try TinyArchive { coder in
      coder.encode(String(repeating: "x", count: 256), forKey: "a")
      coder.encode(ArchivedValue.record(text), forKey: "b")
    }
    #expect(archive.record.hasPrefix(hexBytes("02 | 0001")))
    #expect(archive.record.hasSuffix(hexBytes("01 78")))
  }

  @Test func `5.2: there is nothing between payloads`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("ab", forKey: "a")
      coder.encode([Int8(5)], forKey: "b")
      coder.encode("z", forKey: "c")
    }
    #expect(archive.record == hexBytes("01 | 02 04 | 6162 11 05 7a"))
  }

  @Test func `5.3: a nil keeps the tag, and its end is where it would begin`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("x", forKey: "a")
      coder.encode(nil as [Int8]?, forKey: "b")
      coder.encode("y", forKey: "c")
    }
    #expect(archive.record == hexBytes("01 | 01 | 01 01 | 78 79"))
    #expect(archive.shapeTable.contains("6e 01 00 00"))
  }

  /// The text begins at 132, the array behind it: three bytes before its zero bytes and numbers.
  @Test(arguments: 0..<16)
  func `5.5: the zero bytes around many numbers say where the array lies`(length: Int) throws {
    let before = -(132 + length + 3) & 7
    let archive = try TinyArchive { coder in
      coder.encode(String(repeating: "x", count: length), forKey: "a")
      coder.encode([Double](repeating: 1.5, count: 32), forKey: "v")
    }
    let zeros = [before, 7 - before].map { String(repeating: "00", count: $0) }
    let slots = String(repeating: "000000000000f83f", count: 32)
    #expect(
      archive.record.hasSuffix(" " + hexBytes("92 24 0\(before)" + zeros[0] + slots + zeros[1])))
    // It takes as many bytes wherever it lies; the end of the text has two.
    #expect((archive.record.utf8.count + 1) / 3 == 1 + 2 + length + 3 + 256 + 7)
  }

  @Test func `4.1: records follow each other, and padding comes once behind them`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode("x", forKey: "a") }
    try writer.writeObject(second, typeName: "T") { $0.encode("", forKey: "a") }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(
      archive.recordsAndDirectory
        == hexBytes(
          """
          00 | 01 78 | 01 | 00000000
          00000000 01000000 03000000 04000000
          """))
  }

  @Test func `4.2: keys are numbered by first use, after the scopes that are new`() throws {
    let archive = try TinyArchive { coder in
      coder.withScope("S") { $0.encode(true, forKey: "a") }
      coder.encode(true, forKey: "b")
      coder.withScope("S") { $0.encode(true, forKey: "c") }
    }
    #expect(
      archive.keyTable
        == hexBytes(
          """
          00000000 01000000 02 00000000000000 | 01000000 01000000 00 00000000000000
          00000000 01000000 00 00000000000000 | 01000000 01000000 00 00000000000000
          53 61 62 63 00000000
          """))
  }

  @Test func `4.2 and 5.4: a case comes before the keys of its shape`() throws {
    let archive = try TinyArchive { coder in
      let values = ArchivedRecord(fields: [.init(key: "v", value: .bool(true))])
      coder.encode(ArchivedValue.enumeration("on", values), forKey: "e")
    }
    #expect(
      archive.keyTable
        == hexBytes(
          """
          00000000 02000000 03 00000000000000 | 00000000 01000000 00 00000000000000
          00000000 01000000 00 00000000000000 | 6f6e 76 65 00000000
          """))
    // Record 0 of type 0; the case of type 0 too, 1 slot; the object of type 1, 1 slot.
    #expect(
      archive.shapeTable
        == hexBytes(
          """
          00000000 00000000 00000000 00000000
          00000000 01000000 01000000 00000000 | 01000000 0f 00 0000
          01000000 01000000 00000000 00000000 | 02000000 86 00 0000
          """))
  }

  @Test func `4.3: types are numbered by first use, a nested one before the outer`() throws {
    let archive = try TinyArchive { coder in
      let nested = ArchivedRecord(typeName: "N", schemaVersion: 2)
      coder.encode(ArchivedValue.record(nested), forKey: "r")
    }
    #expect(
      archive.typeTable
        == hexBytes(
          """
          00000000 00000000 0000000000000000 | 01000000 02000000 0000000000000000
          04000000 00000000 0000000000000000 | 4e 54657374 000000
          """))
  }

  @Test func `4.5: the list names the objects of conditional references`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(ArchiveConditionalReference(2), forKey: "a")
    }
    writer.conditionalObjects = [nil, first, nil]
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(archive.record == hexBytes("01 | 02000000"))
    #expect(archive.conditionals == hexBytes("00000000 01000000 00000000 | 00000000"))
    #expect(try TinyArchive { _ in }.conditionals.isEmpty)
  }

  @Test func `4.5: a conditional reference of a body that throws needs no entry`() throws {
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

  @Test func `4.6: reserved values have their order, and a template comes first`() throws {
    var writer = ArchiveWriter(
      reserved: ReservedValues(
        bundleVersion: "1", userInterfaceIdiom: 2,
        timestamp: ArchiveDate(secondsSinceReferenceDate: 1), systemVersion: "3"))
    try writer.writeObject(first, typeName: "T", template: "m") { $0.encode(true, forKey: "a") }
    let archive = TinyArchive(try writer.finish(root: first))
    #expect(
      archive.record(0)
        == hexBytes(
          """
          00 | 0200000000000000 000000000000f03f | 01 | 31 33
          """))
    #expect(archive.record == hexBytes("01 | 01 | 6d"))
  }

  @Test func `4.1: a segment ends with the record that brings its records to the size`() throws {
    func segments(_ byteCount: Int) throws -> Int {
      var writer = ArchiveWriter()
      let bytes = ArchiveBytes([UInt8](repeating: 1, count: byteCount))
      try writer.writeObject(first, typeName: "T") { $0.encode(bytes, forKey: "v") }
      try writer.writeObject(second, typeName: "T") { $0.encode(true, forKey: "v") }
      return TinyArchive(try writer.finish(root: first)).segmentCount
    }
    // Record 0 has one byte, and the number of the object's shape too.
    #expect(try segments(262_144 - 2) == 2)
    #expect(try segments(262_144 - 3) == 1)
  }
}
