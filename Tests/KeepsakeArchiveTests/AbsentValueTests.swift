import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

/// Spec/archive.md, 5.3: a value that is left out keeps its slot.
@Suite struct `Values that are left out` {
  /// An optional value of each class of slot and payload.
  struct Options: Equatable {
    var flag: Bool?
    var number: UInt16?
    var text: String?
    var point: Point?
    var list: [Int8]?
    var id: ArchiveUUID?

    static let all = Options(
      flag: true, number: 7, text: "x", point: Point(x: 1, y: 2), list: [3],
      id: ArchiveUUID(bytes: Array(1...16)))

    func encode(to coder: inout ObjectEncoder) {
      coder.encodeIfPresent(flag, forKey: "flag")
      coder.encodeIfPresent(number, forKey: "number")
      coder.encodeIfPresent(text, forKey: "text")
      coder.withScope("S") { coder in
        coder.encodeIfPresent(point, forKey: "point")
        coder.encodeIfPresent(list, forKey: "list")
      }
      coder.encodeIfPresent(id, forKey: "id")
    }

    init(
      flag: Bool? = nil, number: UInt16? = nil, text: String? = nil, point: Point? = nil,
      list: [Int8]? = nil, id: ArchiveUUID? = nil
    ) {
      (self.flag, self.number, self.text) = (flag, number, text)
      (self.point, self.list, self.id) = (point, list, id)
    }

    init(from coder: borrowing ObjectDecoder) throws {
      flag = try coder.decodeIfPresent(forKey: "flag")
      number = try coder.decodeIfPresent(forKey: "number")
      text = try coder.decodeIfPresent(forKey: "text")
      let scope = coder.scope("S")
      point = try scope.decodeIfPresent(forKey: "point")
      list = try scope.decodeIfPresent(forKey: "list")
      id = try coder.decodeIfPresent(forKey: "id")
    }

    /// The options whose bits are set in a number.
    static func some(_ bits: Int) -> Options {
      var options = Options()
      if bits & 1 != 0 { options.flag = all.flag }
      if bits & 2 != 0 { options.number = all.number }
      if bits & 4 != 0 { options.text = all.text }
      if bits & 8 != 0 { options.point = all.point }
      if bits & 16 != 0 { options.list = all.list }
      if bits & 32 != 0 { options.id = all.id }
      return options
    }
  }

  private func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter()
    for bits in 0..<64 {
      try writer.writeObject(writer.nextObjectID, typeName: "T") {
        Options.some(bits).encode(to: &$0)
      }
    }
    return try writer.finish(root: first)
  }

  // Holds.
  @Test
  func `Values that are left out make no other shapes and are absent to every reader`() throws {
    let bytes = try bytes()
    #expect(ArchiveMap(bytes).shapes.count == 2)
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    #expect(try Reading(forward: PiecewiseSource(bytes)) == Reading(archive))
    let plain = try SpecificationReader.read(bytes)
    for bits in 0..<64 {
      let object = try archive.object(ArchiveObjectID(UInt32(bits + 1)))
      let options = Options.some(bits)
      #expect(try Options(from: object) == options)
      #expect(object.contains("number") == (options.number != nil))
      #expect(object.keys.contains("text") == (options.text != nil))
      #expect(object.scopeNames == (bits & 24 == 0 ? [] : ["S"]))
      let record = try object.dynamicRecord()
      #expect(record.fields.count == bits.nonzeroBitCount)
      #expect(plain.records[bits].fields.count == bits.nonzeroBitCount)
      if options.number == nil {
        for error in [
          archiveError { _ = try object.decode(UInt16.self, forKey: "number") },
          archiveError { _ = try object.decode(UInt16?.self, forKey: "number") },
          archiveError { _ = try object.decode(Int.self, forKey: "number") },
          archiveError { _ = try object.decode(DynamicValue.self, forKey: "number") },
        ] {
          #expect(error?.code == .absentKey && error?.keyPath == ["number"])
        }
        #expect(archiveError { _ = try object.bytes(forKey: "none").count }?.code == .absentKey)
        #expect(try object.decode(UInt16.self, forKey: "number", default: 9) == 9)
      }
    }
  }

  @Test func `A nested record refuses a reserved key beside a value that is left out`() throws {
    var record = try archive { $0.encodeIfPresent(nil as Int?, forKey: "n") }.object(first)
      .dynamicRecord()
    #expect(record.absentSlots.count == 1)
    record[.bundleVersion] = .string("1")
    let error = archiveError {
      _ = try archiveBytes { $0.encode(DynamicValue.record(record), forKey: "v") }
    }
    #expect(error?.code == .reservedKey)
  }

  @Test func `Absent values are written again as they were`() throws {
    let bytes = try bytes()
    let document = try ArchiveDocument(Archive(bytes))
    #expect(try document.encoded(order: .stored) == bytes)
    var copier = RecordCopier(barring: [])
    let copied = try document.rewritten(limits: .init()) { object, writer in
      let copyPlan = try #require(
        RecordCopyPlan(object.placeholders(), slotCount: object.slotCount, constants: []))
      try writer.writeObject(object.objectID, typeName: "T") { coder in
        try coder.encode(copyPlan, of: object, computed: [], &copier)
      }
    }
    #expect(copied == bytes)
  }

  // Holds.
  @Test func `An absent value is stored as one bit, and its slot holds zeros`() throws {
    func record(_ options: Options) throws -> String {
      try TinyArchive { coder in
        coder.encodeIfPresent(options.flag, forKey: "flag")
        coder.encodeIfPresent(options.number, forKey: "number")
        coder.encodeIfPresent(options.text, forKey: "text")
        coder.encode(UInt8(9), forKey: "last")
      }.record
    }
    #expect(try record(.all) == hexBytes("02 0700 09 | 78"))
    #expect(try record(Options()) == hexBytes("0d 0000 09"))
    let shape = try TinyArchive { $0.encodeIfPresent(nil as String?, forKey: "a") }.shapeTable
    #expect(shape == hexBytes("0000 0100 2e 03 00 00"))
  }

  // Holds.
  @Test func `An absent dynamic value gets a slot of the null kind`() throws {
    let bytes = try archiveBytes { $0.encodeIfPresent(nil as DynamicValue?, forKey: "a") }
    #expect(ArchiveMap(bytes).shapes[0].slots[0].tag == .null)
    let object = try Archive(bytes).object(first)
    #expect(object.contains("a") == false)
    #expect(try Archive(bytes).verdict() == .canonical)
    #expect(try ArchiveDocument(Archive(bytes)).encoded() == bytes)
  }

  @Test func `Absent values keep their slots when another one is edited`() throws {
    var document = try ArchiveDocument(Archive(bytes()))
    // Object 5 has only its text.
    let id = ArchiveObjectID(5)
    try document.update(id) { record in
      #expect(record.fields.map(\.name) == ["text"])
      record["number"] = .unsigned(8, bitWidth: 16)
      record["text"] = .null
      record.typeName = "U"
    }
    try document.update(ArchiveObjectID(64)) { $0.removeValue(forKey: "number") }
    let archive = try Archive(document.encoded(order: .stored))
    #expect(try archive.verdict() == .canonical)
    let object = try archive.object(id)
    #expect(object.typeName == "U" && object.keys == ["number", "text"])
    #expect(try object.decode(UInt16.self, forKey: "number") == 8)
    #expect(try object.decode(String?.self, forKey: "text") == nil)
    #expect(try object.dynamicRecord().fields.map(\.name) == ["text", "number"])
    let last = try archive.object(ArchiveObjectID(64))
    #expect(last.contains("number") == false)
  }

  /// Bit 9 of a slot's word requires bit 8, and the slot of an absent value holds zeros like that of any nil.
  @Test func `An absent value needs a nil bit, and a slot of zeros to be canonical`() throws {
    let bytes = try archiveBytes { $0.encodeIfPresent(nil as UInt16?, forKey: "a") }
    let map = ArchiveMap(bytes)
    let word = map.shapes[0].slots[0].row
    #expect(openError(patched(bytes, at: word + 1, byteCount: 1, 2))?.code == .damaged)
    let changed = patched(bytes, at: map.record(1).upperBound - 1, byteCount: 1, 1)
    #expect(verifyError(changed)?.code == .nonCanonical)
    let object = try Archive(changed).object(first)
    #expect(object.contains("a") == false)
  }

  @Test func `A value under a reserved key cannot be left out`() throws {
    let error = archiveError {
      _ = try archiveBytes { $0.encodeIfPresent("x" as String?, forKey: .template) }
    }
    #expect(error?.code == .reservedKey)
  }
}
