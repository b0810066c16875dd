import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// Properties that hold for all archives; the argument of a failing test is the seed that makes its archive.
@Suite struct `Records that are copied from one archive to another` {
  /// Writes an archive again, each object by a plan that changes nothing.
  private func copy(
    _ archive: Archive, barring barred: [RecordCopier.BarredType] = []
  ) throws -> [UInt8] {
    var copier = RecordCopier(barring: barred)
    return try copy(archive, &copier)
  }

  private func copy(_ archive: Archive, _ copier: inout RecordCopier) throws -> [UInt8] {
    let document = try ArchiveDocument(archive)
    return try document.rewritten(limits: .init()) { object, writer in
      let placeholders = object.placeholders()
      let copyPlan = RecordCopyPlan(placeholders, slotCount: object.slotCount, constants: [])
      guard let copyPlan else { return try document.write(object.dynamicRecord(), to: &writer) }
      try writer.writeObject(
        object.objectID, typeName: placeholders.typeName, schemaVersion: placeholders.schemaVersion
      ) { coder in try coder.encode(copyPlan, of: object, computed: [], &copier) }
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `Copied records have the same bytes when nothing is changed`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let bytes = try random.bytes()
    let copied = try copy(Archive(bytes))
    #expect(copied == bytes)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `Copying changed bytes gives the result or the error of a document`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let original = try random.bytes()
    for _ in 0..<60 {
      var bytes = original
      bytes[Int.random(in: 24..<bytes.count, using: &random.generator)] ^=
        UInt8.random(in: 1...255, using: &random.generator)
      guard let archive = try? Archive(bytes) else { continue }
      let copied = Result { try copy(archive) }
      let written = Result { try ArchiveDocument(archive).encoded(order: .stored) }
      switch (copied, written) {
      case (.success(let copied), .success(let written)):
        #expect(copied == written)
      case (.failure(let copied as ArchiveError), .failure(let written as ArchiveError)):
        #expect(copied.code == written.code)
        // Copying finds an error of a segment before it reads any of its objects.
        #expect([nil, written.objectID].contains(copied.objectID), "\(copied) and \(written)")
        #expect(copied.keyPath == written.keyPath)
      case (.failure(let copied as ArchiveError), .success):
        // Copying reads all segments, and so finds segments that do not follow each other.
        let error = #expect(throws: ArchiveError.self) { try archive.requireCanonical() }
        #expect(error?.code == copied.code)
      default: Issue.record("\(copied) and \(written)")
      }
    }
  }

  @Test(arguments: 0..<8)
  func `Copied records have zero bytes around their numbers, whatever was there`(length: Int) throws
  {
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "x", count: length), forKey: "text")
      coder.encode([[Double](repeating: 1.5, count: 32)], forKey: "v")
    }
    // The form of aligned numbers, the tag of `Double` and the number of zero bytes before them.
    let start = bytes.indices.first { bytes[$0...].starts(with: [0x92, 0x24]) }
    let array = try #require(start)
    let slots = array + 3 + Int(bytes[array + 2])
    let after = 7 - Int(bytes[array + 2])
    let zeros = Array(array + 3..<slots) + Array(slots + 256..<slots + 256 + after)
    #expect(zeros.count == 7)
    for offset in zeros {
      #expect(try copy(Archive(patched(bytes, at: offset, byteCount: 1, 7))) == bytes)
    }
  }

  /// A value for which every bit pattern is valid is copied without a check.
  @Test func `Slots have rules unless they hold numbers or bits that cannot be nil`() throws {
    let identifier = try #require(ArchiveUUID(bytes: Array(1...16)))
    let inner = DynamicRecord(fields: [.init(key: "x", value: .bool(true))])
    let free: [DynamicValue] = [
      .bool(true), .signed(-1, bitWidth: 8), .signed(-1, bitWidth: 64), .unsigned(1, bitWidth: 16),
      .unsigned(1, bitWidth: 32), .int128(-1), .uint128(1), .float16(bitPattern: 0x3C00),
      .float(1), .double(1), .date(ArchiveDate(secondsSinceReferenceDate: 1)), .uuid(identifier),
    ]
    let ruled: [DynamicValue] = [
      .null, .string("x"), .bytes([1]), .url(ArchiveURL("a:")), .reference(first), .array([]),
      .dictionary([]), .set([]), .record(inner), .enumeration("on", inner),
    ]
    let object = try archive { coder in
      for (number, value) in (free + ruled).enumerated() {
        coder.encode(value, forKey: ArchiveKey("\(number)"))
        coder.encode(value as DynamicValue?, forKey: ArchiveKey("\(number) or nil"))
      }
    }.object(first)
    let count = free.count + ruled.count
    #expect(object.slotCount == 2 * count)
    for number in 0..<count {
      #expect(object.hasRules(slot: 2 * number) == (number >= free.count), "\(number)")
      #expect(object.hasRules(slot: 2 * number + 1) == true, "\(number)")
    }
  }

  @Test func `A record is not copied if a barred record is nested in it at any depth`() throws {
    let inner = DynamicRecord(typeName: "Inner", schemaVersion: 2)
    let values: [DynamicValue] = [
      .record(inner), .array([.record(inner)]), .enumeration("a", inner),
      .dictionary([.init(key: .bool(true), value: .record(inner))]),
      .record(.init(fields: [.init(key: "x", value: .array([.null, .record(inner)]))])),
    ]
    for value in values {
      var document = ArchiveDocument()
      document.rootID = try document.insert(
        .init(typeName: "T", fields: [.init(key: "a", value: value)]))
      let bytes = try document.encoded()
      let archive = try Archive(bytes)
      for barred in [
        RecordCopier.BarredType(name: "Inner"), .init(name: "Inner", schemaVersion: 2),
      ] {
        var copier = RecordCopier(barring: [barred])
        let error = #expect(throws: ArchiveError.self) { try copy(archive, &copier) }
        #expect(error?.code == .invalidValue && copier.hasMetBarred)
      }
      let copied = try copy(archive, barring: [.init(name: "T")])
      #expect(copied == bytes)
    }
  }
}
