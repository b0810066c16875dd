import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `A reader written from the specification` {
  /// The contents that the library reads, in the form of the independent reader.
  private func plain(_ bytes: [UInt8]) throws -> PlainArchive {
    let archive = try Archive(bytes)
    var result = PlainArchive()
    result.root = Int(archive.rootID.rawValue)
    result.conditionals = try archive.conditionalObjects.map { Int($0?.rawValue ?? 0) }
    result.records = try walk(archive).map(PlainRecord.init)
    return result
  }

  /// The contents that the independent reader reads, without the archive values.
  private func readAlone(_ bytes: [UInt8]) throws -> PlainArchive {
    var result = try SpecificationReader.read(bytes)
    result.values = []
    return result
  }

  @Test func `The independent reader reads the worked example as the library does`() throws {
    let bytes = try WorkedExample.writtenBytes()
    #expect(try readAlone(bytes) == plain(bytes))
    let values = try SpecificationReader.read(bytes).values
    #expect(
      values == [
        .init(number: 1, tag: 0x2E, bytes: Array("11.0".utf8)),
        .init(number: 3, tag: 0x3C, bytes: [0, 0, 0, 0, 0, 0, 0xE0, 0x3F]),
      ])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `The independent reader reads a random archive as the library does`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let bytes = try random.bytes()
    let verdict = try Archive(bytes).verdict()
    #expect(verdict == (random.hasUnknown ? .canonicalWithUnknownKinds : .canonical))
    #expect(try readAlone(bytes) == plain(bytes))
  }

  @Test
  func `The independent reader reads an archive of several segments as the library does`() throws {
    var writer = ArchiveWriter()
    for number in 1...900 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T\(number / 200)") { coder in
        coder.encode(String(repeating: "x", count: 999), forKey: ArchiveKey("k\(number / 300)"))
      }
    }
    let bytes = try writer.finish(root: second)
    #expect(ArchiveMap(bytes).segments.count == 14)
    #expect(try readAlone(bytes) == plain(bytes))
  }

  /// Both readers check the rules of the specification.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `The independent reader refuses what the library does not call canonical`(seed: UInt64)
    throws
  {
    var random = RandomArchive(seed: seed)
    let original = seed == 0 ? try WorkedExample.writtenBytes() : try random.bytes()
    var refusals = 0
    for _ in 0..<200 {
      var bytes = original
      let offset = Int.random(in: 20..<bytes.count, using: &random.generator)
      switch Int.random(in: 0..<3, using: &random.generator) {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random.generator)
      case 1: bytes[offset] &+= Bool.random(using: &random.generator) ? 1 : 255
      default: bytes[offset] = bytes[Int.random(in: 20..<bytes.count, using: &random.generator)]
      }
      let verdict = try? Archive(bytes).verdict()
      let isCanonical = verdict == .canonical || verdict == .canonicalWithUnknownKinds
      let alone = try? readAlone(bytes)
      #expect((alone != nil) == isCanonical, "byte \(offset) is \(bytes[offset])")
      if isCanonical, let alone { #expect(try alone == plain(bytes)) }
      if !isCanonical { refusals += 1 }
    }
    #expect(refusals > 0)
  }
}

extension PlainRecord {
  fileprivate init(_ record: DynamicRecord) {
    self.init(record, caseName: nil)
  }

  fileprivate init(_ record: DynamicRecord, caseName: String?) {
    self.init(
      typeName: Array(record.typeName.utf8), schemaVersion: Int(record.schemaVersion),
      caseName: caseName.map { Array($0.utf8) },
      fields: record.fields.map { field in
        Field(
          scopes: field.scope.map { Array($0.utf8) }, isReserved: field.key.isReserved,
          name: Array(field.key.name.utf8), value: PlainValue(field.value))
      })
  }
}

extension PlainValue {
  fileprivate init(_ value: DynamicValue) {
    func bytes(_ number: some FixedWidthInteger, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func width(_ bits: Int) -> UInt8 { [8: 1, 16: 2, 32: 3][bits] ?? 4 }
    self =
      switch value {
      case .null: .null
      case .bool(let value): .simple(0x0F, [value ? 1 : 0])
      case .signed(let value, let bits): .simple(2 << 3 | width(bits), bytes(value, bits / 8))
      case .unsigned(let value, let bits): .simple(3 << 3 | width(bits), bytes(value, bits / 8))
      case .int128(let value): .simple(0x15, bytes(value, 16))
      case .uint128(let value): .simple(0x1D, bytes(value, 16))
      case .float16(let bits): .simple(0x22, bytes(bits, 2))
      case .float(let value): .simple(0x23, bytes(value.bitPattern, 4))
      case .double(let value): .simple(0x24, bytes(value.bitPattern, 8))
      case .string(let value): .simple(0x2E, Array(value.utf8))
      case .bytes(let value): .simple(0x36, value)
      case .date(let value): .simple(0x3C, bytes(value.secondsSinceReferenceDate.bitPattern, 8))
      case .uuid(let value): .simple(0x45, value.bytes)
      case .url(let value): .simple(0x4E, Array(value.string.utf8))
      case .reference(let id): .simple(0x53, bytes(id?.rawValue ?? 0, 4))
      case .conditionalReference(let reference): .simple(0x5B, bytes(reference.number, 4))
      case .array(let values): .array(values.map(PlainValue.init))
      case .set(let values): .set(values.map(PlainValue.init))
      case .dictionary(let entries):
        .dictionary(
          keys: entries.map { PlainValue($0.key) }, values: entries.map { PlainValue($0.value) })
      case .record(let record): .record(PlainRecord(record))
      case .enumeration(let name, let record):
        .record(PlainRecord(record, caseName: name.name))
      case .unknown(let tag, let bytes): .simple(tag.rawValue, bytes)
      }
  }
}
