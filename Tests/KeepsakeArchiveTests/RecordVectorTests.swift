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
    #expect(archive.record == hexBytes("01000000 01 02000000 01000000 01 78 00"))
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
      archive.record == hexBytes("01000000 02 00 00 02 03 ff 04 05 06 07 01 00"))
  }

  @Test func `4.4: the tail begins at a multiple of eight if it holds a container`() throws {
    let archive = try TinyArchive { coder in
      coder.encode(UInt8(7), forKey: "a")
      coder.encode([Int8(5)], forKey: "b")
    }
    #expect(
      archive.record
        == hexBytes("01000000 07 09000000 00000000000000 | 11000000 01000000 05 00000000000000"))
  }

  @Test func `5.2: payloads follow each other, containers at a multiple of eight`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("ab", forKey: "a")
      coder.encode([Int8(5)], forKey: "b")
      coder.encode("z", forKey: "c")
    }
    #expect(
      archive.record
        == hexBytes(
          """
          01000000 02000000 11000000 12000000
          6162 000000000000 11000000 01000000 05 7a 000000000000
          """))
  }

  @Test func `5.3: a nil keeps the tag, and the end of a container its padding`() throws {
    let archive = try TinyArchive { coder in
      coder.encode("x", forKey: "a")
      coder.encode(nil as [Int8]?, forKey: "b")
      coder.encode("y", forKey: "c")
    }
    #expect(
      archive.record
        == hexBytes(
          """
          01000000 01000000 01 08000000 09000000 00000000000000
          78 00000000000000 79 00000000000000
          """))
    #expect(archive.shapeTable.contains("6e 01 00 00"))
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
          00000000 01000000 01000000 00000000 | 01000000 09 00 0000
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
    #expect(archive.record == hexBytes("01000000 02000000"))
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
          00000000 01000000 0200000000000000 000000000000f03f 02000000 31 33 0000
          """))
    #expect(archive.record == hexBytes("01000000 01000000 01 6d | 000000000000"))
  }

  @Test func `4.1: a segment ends with the record that brings its records to the size`() throws {
    func segments(_ byteCount: Int) throws -> Int {
      var writer = ArchiveWriter()
      let bytes = ArchiveBytes([UInt8](repeating: 1, count: byteCount))
      try writer.writeObject(first, typeName: "T") { $0.encode(bytes, forKey: "v") }
      try writer.writeObject(second, typeName: "T") { $0.encode(true, forKey: "v") }
      return TinyArchive(try writer.finish(root: first)).segmentCount
    }
    // Record 0 has 8 bytes; the shape and the slot of the object have 8.
    #expect(try segments(262_144 - 16) == 2)
    #expect(try segments(262_144 - 24) == 1)
  }
}
