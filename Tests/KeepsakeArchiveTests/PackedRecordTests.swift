import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// Properties of all records; the argument of a failing test is the seed that makes them.
@Suite struct `Packed records of random values` {
  /// Values of all kinds with many arrays of numbers, and payloads of lengths at which ends take more bytes.
  struct Values {
    var generator: SeededGenerator
    /// The number of long payloads that may still be made; they take most of the time.
    var longCount = 3

    mutating func number(_ kind: Int) -> DynamicValue {
      let bits = generator.next()
      return switch kind {
      case 0: .signed(Int64(truncatingIfNeeded: Int8(truncatingIfNeeded: bits)), bitWidth: 8)
      case 1: .unsigned(bits & 0xFFFF, bitWidth: 16)
      case 2: .signed(Int64(Int32(truncatingIfNeeded: bits)), bitWidth: 32)
      case 3: .unsigned(bits, bitWidth: 64)
      case 4: .int128(Int128(bits) << 30)
      case 5: .float16(bitPattern: UInt16(truncatingIfNeeded: bits))
      case 6: .float(Float(bits & 0xFFFF) / 3)
      case 7: .double(Double(bits & 0xFFFF) / 3)
      case 8: .date(ArchiveDate(secondsSinceReferenceDate: Double(bits & 0xFFFF)))
      case 9: .bool(bits & 1 == 1)
      default: ArchiveUUID(bytes: (0..<16).map { UInt8($0) }).map { .uuid($0) } ?? .null
      }
    }

    /// Numbers of one kind, perhaps with a nil or with something else at the end.
    mutating func numbers(_ count: Int) -> DynamicValue {
      let kind = generator.below(11)
      var values = (0..<count).map { _ in number(kind) }
      if !values.isEmpty, generator.chance(of: 4) { values[generator.below(values.count)] = .null }
      if generator.chance(of: 6) { values.append(.string("end")) }
      return .array(values)
    }

    mutating func bytes() -> DynamicValue {
      var count = generator.below(20)
      if generator.chance(of: 6) { count = 240 + generator.below(30) }
      if longCount > 0, generator.chance(of: 30) {
        longCount -= 1
        count = 65_500 + generator.below(60)
      }
      return .bytes([UInt8](repeating: UInt8(count & 0xFF), count: count))
    }

    mutating func value(_ depth: Int) -> DynamicValue {
      let count = generator.below(5)
      switch generator.below(depth == 0 ? 5 : 10) {
      case 0: return .null
      case 1: return number(generator.below(11))
      case 2: return bytes()
      case 3, 4: return numbers(count)
      case 5: return .record(record(depth - 1))
      case 6: return .enumeration(ArchiveKey("case \(count)"), record(depth - 1))
      case 7:
        // Arrays of arrays and of records, with a nil or another kind at any place.
        let isRow = generator.chance(of: 2)
        return .array(
          (0..<count).map { _ in
            if generator.chance(of: 7) { return value(depth - 1) }
            return isRow ? numbers(2) : .record(record(depth - 1))
          })
      case 8:
        return .dictionary(
          (0..<count).map {
            DynamicEntry(key: .signed(Int64($0), bitWidth: 16), value: value(depth - 1))
          })
      default: return .set((0..<count).map { .unsigned(UInt64($0) << 8, bitWidth: 32) })
      }
    }

    /// A record with some of the keys, in any order.
    mutating func record(_ depth: Int) -> DynamicRecord {
      var record = DynamicRecord(typeName: ["A", "B"][generator.below(2)])
      let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"].shuffled(using: &generator)
      for key in keys.prefix(generator.below(11)) {
        record.fields.append(.init(scope: [], key: ArchiveKey(key), value: value(depth)))
      }
      return record
    }

    /// Records; many of them repeat an earlier record with some values changed.
    mutating func records() -> [DynamicRecord] {
      var records = [record(3)]
      for _ in 0..<12 {
        var next = records[generator.below(records.count)]
        for index in next.fields.indices where generator.chance(of: 3) {
          next.fields[index].value = value(2)
        }
        records.append(generator.chance(of: 3) ? record(3) : next)
      }
      return records
    }
  }

  private func bytes(_ records: [DynamicRecord]) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
    for record in records {
      try writer.writeObject(writer.nextObjectID, typeName: record.typeName) {
        $0.encodeFields(of: record)
      }
    }
    return try writer.finish(root: first)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `Random records are canonical and are read back equal`(seed: UInt64) throws {
    var values = Values(generator: SeededGenerator(seed: seed))
    let records = values.records()
    let archive = try Archive(bytes(records))
    #expect(try archive.verdict() == .canonical)
    #expect(try walk(archive) == records)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `Random records have the same bytes written directly, by a document and copied`(seed: UInt64)
    throws
  {
    var values = Values(generator: SeededGenerator(seed: seed))
    let records = values.records()
    let written = try bytes(records)
    var built = ArchiveDocument(reserved: ReservedValues(bundleVersion: "1.0"))
    for record in records { _ = try built.insert(record) }
    built.rootID = first
    let throughDocument = try built.encoded(order: .stored) == written
    #expect(throughDocument)
    let document = try ArchiveDocument(Archive(written))
    let isWrittenBack = try document.encoded(order: .stored) == written
    #expect(isWrittenBack)
    let isCopied = try copy(document, behind: nil) == written
    #expect(isCopied)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `Random records are canonical and equal when they are copied to other offsets`(seed: UInt64)
    throws
  {
    var values = Values(generator: SeededGenerator(seed: seed))
    let records = values.records()
    let document = try ArchiveDocument(Archive(bytes(records)))
    for phase in 1..<8 {
      let archive = try Archive(copy(document, behind: String(repeating: "x", count: phase)))
      #expect(try archive.verdict() == .canonical)
      for (index, record) in records.enumerated() {
        var expected = record
        expected.fields.insert(
          .init(scope: [], key: "new", value: .string(String(repeating: "x", count: phase))), at: 0)
        let copied = try archive.object(ArchiveObjectID(UInt32(index + 1))).dynamicRecord()
        #expect(copied == expected)
      }
    }
  }

  /// Writes all objects by plans, as a migration does, each after a text under a new key.
  private func copy(_ document: ArchiveDocument, behind text: String?) throws -> [UInt8] {
    var copier = RecordCopier(barring: [])
    return try document.rewritten(limits: .init()) { object, writer in
      let placeholders = object.placeholders()
      let copyPlan = try #require(
        RecordCopyPlan(placeholders, slotCount: object.slotCount, constants: []))
      try writer.writeObject(object.objectID, typeName: placeholders.typeName) { coder in
        if let text { coder.encode(text, forKey: "new") }
        try coder.encode(copyPlan, of: object, computed: [], &copier)
      }
    }
  }
}
