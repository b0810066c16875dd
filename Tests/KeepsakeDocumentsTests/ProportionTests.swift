import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Reads many values from few bytes without their types, counts the memory in the allocator, and compares it with the
/// bytes of the archive (Spec/archive.md, 7.6).
@Suite(.enabled(if: Allocation.isCounted)) struct `Memory in proportion to the bytes` {
  /// An archive whose values take much more memory than its bytes.
  struct Sample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: @Sendable () throws -> [UInt8]
  }

  /// The most memory for each byte of an archive, and for each object that is kept.
  private static let factor = 64
  private static let objectByteCount = 128

  private static let bool: UInt32 = 0x0F
  private static let array: UInt32 = 0x6E

  /// An archive of one object with one value under the key "a".
  private static func single(
    _ payload: [UInt8], keys: [[UInt8]] = [], types: [String] = [], shapes: [[UInt8]] = []
  ) -> [UInt8] {
    var archive = RawArchive()
    archive.keys = keys + [RawArchive.key("a")]
    archive.types = (["T"] + types).map { RawArchive.type($0) }
    archive.shapes =
      shapes + [RawArchive.shape(type: 0, [RawArchive.slot(array, keys.count)])]
    archive.segments = [([payload], UInt32(shapes.count))]
    return archive.bytes
  }

  /// An array of records of one shape.
  private static func cells(
    _ keys: [[UInt8]], _ words: [UInt32], _ body: [UInt8], count: Int
  ) -> [UInt8] {
    single(
      [0x60, 0] + [[UInt8]](repeating: body, count: count).joined(), keys: keys, types: [""],
      shapes: [RawArchive.shape(type: 1, words)])
  }

  private static let scopes = RawArchive.scopes((0..<63).map { "s\($0)" })

  private static func inScopes(_ count: Int) -> [[UInt8]] {
    scopes + (0..<count).map { RawArchive.key(String($0, radix: 16), scope: 62) }
  }

  static let samples = [
    Sample(testDescription: "truth values in 63 scopes") {
      cells(
        inScopes(64), (0..<64).map { RawArchive.slot(bool, 63 + $0) },
        [UInt8](repeating: 0xFF, count: 8), count: 512)
    },
    Sample(testDescription: "absent values in 63 scopes") {
      cells(
        inScopes(64),
        (0..<64).map { RawArchive.slot(0, 63 + $0, isNullable: true, omitsNil: true) },
        [UInt8](repeating: 0xFF, count: 8), count: 512)
    },
    Sample(testDescription: "one object with 60,000 keys in 63 scopes") {
      var archive = RawArchive()
      archive.keys = inScopes(60_000)
      archive.types = [RawArchive.type("T")]
      archive.shapes = [
        RawArchive.shape(type: 0, (0..<60_000).map { RawArchive.slot(bool, 63 + $0) })
      ]
      archive.segments = [
        ([[UInt8](repeating: 0xFF, count: 7_500)], RawArchive.fixedWidth)
      ]
      return archive.bytes
    },
    Sample(testDescription: "records of eight truth values") {
      cells(
        (0..<8).map { RawArchive.key("k\($0)") }, (0..<8).map { RawArchive.slot(bool, $0) },
        [0xAA], count: 4_096)
    },
    Sample(testDescription: "records of 65,535 absent values") {
      cells(
        (0..<65_535).map { RawArchive.key("k" + String($0, radix: 16)) },
        (0..<65_535).map { RawArchive.slot(0, $0, isNullable: true, omitsNil: true) },
        [UInt8](repeating: 0xFF, count: 8_191) + [0x7F], count: 64)
    },
    Sample(testDescription: "an array of truth values") {
      single([0x0F] + [UInt8](repeating: 0xFF, count: 4_096))
    },
    Sample(testDescription: "records in records") {
      var shapes = [RawArchive.shape(type: 1, [RawArchive.slot(bool, 0)])]
      for depth in 0..<6 as Range<UInt32> {
        shapes.append(
          RawArchive.shape(
            type: 1, (0..<4).flatMap { [RawArchive.slot(0x60, $0), depth] }))
      }
      return single(
        [0x60, 6] + [UInt8](repeating: 1, count: 4_096 * 2),
        keys: (0..<4).map { RawArchive.key("k\($0)") }, types: [""], shapes: shapes)
    },
    Sample(testDescription: "cases of one byte") {
      single(
        [0x80, 0] + [UInt8](repeating: 1, count: 8_192),
        keys: [
          RawArchive.key(String(repeating: "c", count: 65_535), space: 3), RawArchive.key("b"),
        ],
        types: [String(repeating: "E", count: 65_535)],
        shapes: [RawArchive.shape(type: 1, [0x80, RawArchive.slot(bool, 1)])])
    },
    Sample(testDescription: "records of 65,535 nils") {
      cells(
        (0..<65_535).map { RawArchive.key("k" + String($0, radix: 16)) },
        (0..<65_535).map { RawArchive.slot(0, $0, isNullable: true) },
        [UInt8](repeating: 0xFF, count: 8_191) + [0x7F], count: 64)
    },
    Sample(testDescription: "objects with 8,000 records of a byte") {
      var archive = RawArchive()
      archive.keys = (0..<8_000).map { RawArchive.key(String($0, radix: 16)) }
      archive.types = [RawArchive.type("T"), RawArchive.type("")]
      archive.shapes = [
        RawArchive.shape(type: 1, [RawArchive.slot(bool, 0)]),
        RawArchive.shape(type: 0, (0..<8_000).flatMap { [RawArchive.slot(0x60, $0), 0] }),
      ]
      archive.segments = [
        (
          [[UInt8]](repeating: [UInt8](repeating: 1, count: 8_000), count: 8),
          1 | RawArchive.fixedWidth
        )
      ]
      return archive.bytes
    },
    Sample(testDescription: "arrays of records without keys") {
      let inner = [0x66, 1, 120] + [UInt8](repeating: 0, count: 119)
      let count = 256
      return single(
        [0x6E] + RawArchive.word(UInt16(count))
          + (1..<count).flatMap { RawArchive.word(UInt16($0 * inner.count)) }
          + [[UInt8]](repeating: inner, count: count).joined(),
        types: [""],
        shapes: [
          RawArchive.shape(type: 1, [RawArchive.slot(bool, 0)]), RawArchive.shape(type: 1, []),
        ])
    },
    Sample(testDescription: "rows of one number") {
      single([0x93, 0x19] + RawArchive.word(1 as UInt16) + [UInt8](repeating: 5, count: 8_192))
    },
  ]

  /// An archive with one value, as a writer writes it.
  private static func written(_ value: DynamicValue) throws -> [UInt8] {
    try archiveBytes { $0.encode(value, forKey: "a") }
  }

  private static func array(of value: DynamicValue, count: Int = 5_000) throws -> [UInt8] {
    try written(.array([DynamicValue](repeating: value, count: count)))
  }

  /// A dictionary of 256 numbers, which is kept as bytes where its budget is that of its own bytes.
  private static let numbers = DynamicValue.dictionary(
    (0..<256).map { .init(key: .unsigned($0, bitWidth: 8), value: .unsigned($0, bitWidth: 8)) })

  static let writtenSamples = [
    Sample(testDescription: "numbers of eight bits") { try array(of: .signed(1, bitWidth: 8)) },
    Sample(testDescription: "truth values") { try array(of: .bool(true)) },
    Sample(testDescription: "empty strings") { try array(of: .string("")) },
    Sample(testDescription: "bytes of one byte") { try array(of: .bytes([1])) },
    Sample(testDescription: "nils") { try array(of: .null) },
    Sample(testDescription: "numbers that may be nil") {
      try written(
        .array(
          (0..<5_000).map { $0.isMultiple(of: 2) ? .null : .unsigned(7, bitWidth: 8) }))
    },
    Sample(testDescription: "bits of an unknown kind") {
      try array(of: .unknown(ArchiveTag(rawValue: 20 << 3 | 7), bytes: [1]))
    },
    Sample(testDescription: "empty arrays") { try array(of: .array([])) },
    Sample(testDescription: "arrays of three truth values") {
      try array(of: .array([.bool(true), .bool(false), .bool(true)]))
    },
    Sample(testDescription: "arrays of one number") {
      try array(of: .array([.unsigned(1, bitWidth: 8)]))
    },
    Sample(testDescription: "empty records") { try array(of: .record(DynamicRecord())) },
    Sample(testDescription: "records of an empty string") {
      try array(of: .record(DynamicRecord(fields: [.init(key: "a", value: .string(""))])))
    },
    Sample(testDescription: "records of one truth value") {
      try array(of: .record(DynamicRecord(fields: [.init(key: "a", value: .bool(true))])))
    },
    Sample(testDescription: "cases without values") {
      try array(of: .enumeration("on", DynamicRecord()))
    },
    Sample(testDescription: "cases of one truth value") {
      try array(
        of: .enumeration("on", DynamicRecord(fields: [.init(key: "a", value: .bool(true))])))
    },
    Sample(testDescription: "dictionaries of one truth value") {
      try array(of: .dictionary([.init(key: .string("a"), value: .bool(true))]))
    },
    Sample(testDescription: "dictionaries of 256 truth values") {
      try array(
        of: .dictionary(
          (0..<256).map { .init(key: .unsigned($0, bitWidth: 8), value: .bool(true)) }),
        count: 64)
    },
    Sample(testDescription: "dictionaries of 256 cases with an empty text") {
      try array(
        of: .dictionary(
          (0..<256).map {
            DynamicEntry(
              key: .unsigned($0, bitWidth: 8),
              value: .enumeration(
                "on", DynamicRecord(fields: [.init(key: "a", value: .string(""))])))
          }),
        count: 64)
    },
    Sample(testDescription: "dictionaries of two keys") {
      try array(
        of: .dictionary([
          .init(key: .bool(false), value: .string("")), .init(key: .bool(true), value: .string("")),
        ]))
    },
    Sample(testDescription: "dictionaries of 256 texts and truth values") {
      try array(
        of: .dictionary((0..<256).map { .init(key: .string("\($0)"), value: .bool(true)) }),
        count: 64)
    },
    Sample(testDescription: "dictionaries of 256 numbers") {
      try array(of: numbers, count: 64)
    },
    Sample(testDescription: "dictionaries of dictionaries of one truth value") {
      let inner = DynamicValue.dictionary([.init(key: .bool(true), value: .bool(true))])
      return try array(
        of: .dictionary((0..<256).map { .init(key: .unsigned($0, bitWidth: 8), value: inner) }),
        count: 64)
    },
    Sample(testDescription: "dictionaries of empty dictionaries") {
      try array(
        of: .dictionary(
          (0..<256).map { .init(key: .unsigned($0, bitWidth: 8), value: .dictionary([])) }),
        count: 64)
    },
    Sample(testDescription: "60 dictionaries in each other") {
      var value = DynamicValue.dictionary([.init(key: .bool(true), value: .bool(true))])
      for _ in 0..<58 { value = .dictionary([.init(key: .bool(true), value: value)]) }
      return try array(of: value, count: 64)
    },
    Sample(testDescription: "sets of two truth values") {
      try array(of: .set([.bool(false), .bool(true)]))
    },
    Sample(testDescription: "sets of one number") {
      try array(of: .set([.unsigned(1, bitWidth: 8)]))
    },
    Sample(testDescription: "sets of 256 numbers") {
      try array(of: .set((0..<256).map { .unsigned($0, bitWidth: 8) }), count: 64)
    },
    Sample(testDescription: "60 arrays in each other") {
      var value = DynamicValue.array([.bool(true)])
      for _ in 0..<60 { value = .array([value, .bool(true)]) }
      return try written(value)
    },
  ]

  @Test(arguments: samples + writtenSamples)
  func `Reading without types allocates at most 64 bytes for each byte`(sample: Sample) throws {
    let bytes = try sample.bytes()
    let archive = try Archive(bytes)
    let most = try Allocation.most {
      var records: [DynamicRecord] = []
      for number in 0..<archive.objectCount {
        records.append(try archive.object(ArchiveObjectID(UInt32(number + 1))).dynamicRecord())
      }
    }
    let limit = Self.factor * bytes.count + Self.objectByteCount * archive.objectCount
    #expect(most <= limit, "\(bytes.count) bytes took \(most), \(most / bytes.count) for each")
  }

  // Each object has a type, a scope and a key of its own, so the tables have as many rows as there are objects.
  @Test(arguments: [false, true])
  func `Reading objects with names of their own allocates in proportion to their number`(
    inBlocks: Bool
  ) throws {
    func total(_ count: UInt32) throws -> Int {
      var writer = ArchiveWriter()
      for id in (1...count).map({ ArchiveObjectID($0) }) {
        try writer.writeObject(id, typeName: "T\(id)") { coder in
          coder.withScope("s\(id)") { $0.encode("text", forKey: ArchiveKey("k\(id)")) }
        }
      }
      let bytes = try writer.finish(root: first)
      return try Allocation.total {
        let archive = try inBlocks ? Archive(source: NotedSource(bytes)) : Archive(bytes)
        for id in (1...count).map({ ArchiveObjectID($0) }) {
          let record = try archive.object(id).dynamicRecord()
          #expect(record.fields.count == 1)
        }
      }
    }
    let (some, twice) = (try total(4_000), try total(8_000))
    #expect(twice * 10 < some * 22, "\(some) bytes and \(twice)")
  }

  @Test(arguments: writtenSamples)
  func `Values that are kept as bytes are the values that were written`(sample: Sample) throws {
    let bytes = try sample.bytes()
    let record = try Archive(bytes).object(first).dynamicRecord()
    var made = record
    made.typeName = "Other"
    made.typeName = record.typeName
    #expect(made == record)
    #expect(made.hashValue == record.hashValue)
    guard case .array(let values)? = record["a"] else { return #expect(Bool(false), "no array") }
    var changed = values
    changed[0] = .string("changed")
    #expect(changed.count == values.count)
    #expect(changed[0] == .string("changed"))
    #expect(changed.dropFirst().elementsEqual(values.dropFirst()))
    changed[0] = values[0]
    changed.append(.null)
    changed.removeLast()
    #expect(changed == values)
    let again: [UInt8] = try archiveBytes { $0.encodeFields(of: record) }
    #expect(again == bytes)
  }

  @Test func `A dictionary that is kept as bytes is used like an array`() throws {
    let value = DynamicValue.dictionary(
      (0..<256).map { .init(key: .unsigned($0, bitWidth: 8), value: .bool($0 == 3)) })
    let record = try Archive(Self.written(value)).object(first).dynamicRecord()
    guard case .dictionary(let entries)? = record["a"] else {
      return #expect(Bool(false), "no dictionary")
    }
    #expect(entries.count == 256)
    #expect(entries[3].key == .unsigned(3, bitWidth: 8) && entries[3].value == .bool(true))
    let made = DynamicEntries(Array(entries))
    #expect(made == entries && made.hashValue == entries.hashValue)
    var changed = entries
    changed[4].value = .string("changed")
    #expect(changed != entries)
    #expect(changed[4].value == .string("changed") && changed[3] == entries[3])
    changed[4] = entries[4]
    changed.append(.init(key: .bool(true), value: .null))
    #expect(changed.count == 257)
    changed.removeLast()
    #expect(changed == entries)
    changed.removeFirst()
    #expect(changed.elementsEqual(entries.dropFirst()))
  }

  @Test func `Damage in dictionaries that are kept as bytes is found when they are read`() throws {
    // The values of these take so much memory that no dictionary after them is decoded.
    let others = [DynamicValue](
      repeating: .dictionary([.init(key: .bool(true), value: .bool(true))]), count: 5_000)
    func error(_ entry: DynamicEntry, textCount: Int = 1) throws -> ArchiveError? {
      let damaged = DynamicValue.dictionary([.init(key: .string(""), value: .string("")), entry])
      var bytes = try Self.written(.array(others + [damaged]))
      for _ in 0..<textCount {
        let text = try #require(bytes.indices.last { bytes[$0...].starts(with: "~~~~".utf8) })
        bytes[text] = 0xFF
      }
      return archiveError { _ = try Archive(bytes).object(first).dynamicRecord() }
    }
    let value = try error(.init(key: .string("k"), value: .string("~~~~")))
    #expect(value?.code == .invalidUTF8 && value?.keyPath == ["a", "[5000]", "[1]"])
    // The path of a key has no index, which would look like that of a value.
    let key = try error(.init(key: .string("~~~~"), value: .string("v")))
    #expect(key?.code == .invalidUTF8 && key?.keyPath == ["a", "[5000]"])
    // The keys are read before the values.
    let both = try error(.init(key: .string("~~~~"), value: .string("~~~~")), textCount: 2)
    #expect(both?.code == .invalidUTF8 && both?.keyPath == ["a", "[5000]"])
  }

  @Test func `An archive may be released while its values are kept as bytes`() throws {
    func record() throws -> DynamicRecord {
      try Archive(Self.array(of: .bool(true))).object(first).dynamicRecord()
    }
    guard case .array(let values)? = try record()["a"] else {
      return #expect(Bool(false), "no array")
    }
    #expect(values.count == 5_000)
    #expect(values.allSatisfy { $0 == .bool(true) })
  }

  @Test func `Damage in values that are kept as bytes is found when they are read`() throws {
    let keys = [RawArchive.key("k")]
    let bytes = Self.single(
      [0x60, 0] + [[UInt8]](repeating: [1, 0, 0, 0], count: 8_000).joined() + [9, 0, 0, 0],
      keys: keys, types: [""],
      shapes: [RawArchive.shape(type: 1, [RawArchive.slot(0x53, 0)])])
    let error = archiveError { _ = try Archive(bytes).object(first).dynamicRecord() }
    #expect(error?.code != nil)
    #expect(error?.keyPath == ["a", "[8000]", "k"])
  }

  /// An archive of about four megabytes with an object of some keys in 63 scopes of 65,535 bytes each.
  private static func longScopes(_ keyCount: Int) -> [UInt8] {
    var archive = RawArchive()
    archive.keys =
      RawArchive.scopes((0..<63).map { String(repeating: $0 % 2 == 0 ? "s" : "t", count: 65_535) })
      + (0..<keyCount).map { RawArchive.key("k\($0)", scope: 62) }
    archive.types = [RawArchive.type("T")]
    archive.shapes = [
      RawArchive.shape(type: 0, (0..<keyCount).map { RawArchive.slot(bool, 63 + $0) })
    ]
    archive.segments = [
      ([[UInt8](repeating: 0xFF, count: keyCount / 8)], RawArchive.fixedWidth)
    ]
    return archive.bytes
  }

  @Test
  func `Names of keys in long scopes are shortened to take less memory than the archive`() throws {
    let bytes = Self.longScopes(4_096)
    let archive = try Archive(bytes)
    var names: [String] = []
    let most = try Allocation.most {
      var length = 0
      for field in try archive.object(first).dynamicRecord().fields {
        names.append(field.name)
        length += "\(field.name): \(field.value)".utf8.count
      }
      #expect(length < bytes.count)
    }
    #expect(most < 2 * bytes.count, "\(most)")
    #expect(Set(names).count == 4_096)
    #expect(names.allSatisfy { $0.utf8.count < 1_024 && $0.contains("…") })
  }

  @Test func `Names of fields begin below the scope that is read`() throws {
    let value: [UInt8] = try archiveBytes { coder in
      coder.withScope("a") { coder in
        coder.encode(1, forKey: "one")
        coder.withScope("b") { coder in
          coder.encode(2, forKey: "two")
          coder.encode(Int?.none, forKey: "three")
          coder.withScope("c") { $0.encode(4, forKey: "four") }
        }
      }
      coder.encode(5, forKey: "five")
    }
    let object = try Archive(value).object(first)
    #expect(
      try object.dynamicRecord().fields.map(\.name) == [
        "a.one", "a.b.two", "a.b.three", "a.b.c.four", "five",
      ])
    let outer = try object.scope("a").dynamicRecord().fields.map(\.name)
    #expect(outer == ["one", "b.two", "b.three", "b.c.four"])
    let inner = try object.scope("a").scope("b").dynamicRecord().fields.map(\.name)
    #expect(inner == ["two", "three", "c.four"])
    #expect(try ArchiveDocument(Archive(value)).encoded() == value)
  }
}
