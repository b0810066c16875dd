import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeImport
import Testing

/// A value that Foundation archives, and the value that it becomes.
struct ArchivedSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable () -> Any
  let value: DynamicValue

  init(_ name: String, _ value: DynamicValue, _ make: @escaping @Sendable () -> Any) {
    (testDescription, self.value, self.make) = (name, value, make)
  }

  /// The file that Foundation makes.
  func file(_ format: PropertyListSerialization.PropertyListFormat) -> [UInt8] {
    keyedArchive(make(), format)
  }
}

/// The file that Foundation makes of an object.
func keyedArchive(
  _ root: Any, _ format: PropertyListSerialization.PropertyListFormat = .binary
) -> [UInt8] {
  let archiver = NSKeyedArchiver(requiringSecureCoding: false)
  archiver.outputFormat = format
  archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
  archiver.finishEncoding()
  return Array(archiver.encodedData)
}

private func date(_ seconds: Double) -> DynamicValue {
  .date(ArchiveDate(secondsSinceReferenceDate: seconds))
}

private func identified(_ bytes: [UInt8]) -> DynamicValue {
  ArchiveUUID(bytes: bytes).map { .uuid($0) } ?? .null
}

private func whole(_ number: Int64) -> DynamicValue { .signed(number, bitWidth: 64) }

private func record(_ name: String, _ fields: (String, DynamicValue)...) -> DynamicValue {
  .record(
    DynamicRecord(
      typeName: name, fields: fields.map { .init(key: ArchiveKey($0.0), value: $0.1) }))
}

private func dictionary(_ entries: (DynamicValue, DynamicValue)...) -> DynamicValue {
  .dictionary(entries.map { DynamicEntry(key: $0.0, value: $0.1) })
}

@Suite struct `An archive that Foundation makes` {
  private static let identifier = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  private static let identifierBytes: [UInt8] = [
    0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F,
  ]

  private static let texts: [ArchivedSample] = [
    .init("an empty text", .string("")) { "" },
    .init("a text", .string("Ada")) { "Ada" },
    .init("a text with a sentinel's name", .string("$null")) { "$null" },
    .init("a text beyond ASCII", .string("Grüße, 世界 😀")) { "Grüße, 世界 😀" },
    .init("a text in two forms", .string("é e\u{301}")) { "é e\u{301}" },
    .init("a long text", .string(String(repeating: "x", count: 100_000))) {
      String(repeating: "x", count: 100_000)
    },
    .init("a text that XML escapes", .string("<&>\"'")) { "<&>\"'" },
    .init("a text of lines", .string("a\nb\tc")) { "a\nb\tc" },
    .init("a mutable text", .string("Ada")) { NSMutableString(string: "Ada") },
    .init("an attributed text", .string("Ada")) { NSAttributedString(string: "Ada") },
    .init("a mutable attributed text", .string("")) { NSMutableAttributedString(string: "") },
  ]

  private static let numbers: [ArchivedSample] = [
    .init("true", .bool(true)) { NSNumber(value: true) },
    .init("false", .bool(false)) { NSNumber(value: false) },
    .init("zero", whole(0)) { 0 },
    .init("an integer of 8 bits", whole(-128)) { NSNumber(value: Int8.min) },
    .init("an unsigned integer of 8 bits", whole(255)) { NSNumber(value: UInt8.max) },
    .init("an integer of 16 bits", whole(-32_768)) { NSNumber(value: Int16.min) },
    .init("an unsigned integer of 16 bits", whole(65_535)) { NSNumber(value: UInt16.max) },
    .init("an integer of 32 bits", whole(-2_147_483_648)) { NSNumber(value: Int32.min) },
    .init("an unsigned integer of 32 bits", whole(4_294_967_295)) { NSNumber(value: UInt32.max) },
    .init("the least integer", whole(.min)) { NSNumber(value: Int64.min) },
    .init("the largest integer", whole(.max)) { NSNumber(value: Int64.max) },
    .init("the largest unsigned integer", .unsigned(.max, bitWidth: 64)) {
      NSNumber(value: UInt64.max)
    },
    .init("a real number", .double(0.1)) { 0.1 },
    .init("a whole real number", .double(3)) { NSNumber(value: 3.0) },
    .init("a large real number", .double(1.7976931348623157e308)) {
      Double.greatestFiniteMagnitude
    },
    .init("a negative zero", .double(-0.0)) { NSNumber(value: -0.0) },
    .init("a real number of 32 bits", .float(0.5)) { NSNumber(value: Float(0.5)) },
  ]

  private static let scalars: [ArchivedSample] = [
    .init("no bytes", .bytes([])) { Data() },
    .init("bytes", .bytes([0, 1, 255])) { Data([0, 1, 255]) },
    .init("many bytes", .bytes([UInt8](repeating: 7, count: 70_000))) {
      Data(repeating: 7, count: 70_000)
    },
    .init("mutable bytes", .bytes([1, 2])) { NSMutableData(data: Data([1, 2])) },
    .init("a date", date(0.5)) { Date(timeIntervalSinceReferenceDate: 0.5) },
    .init("a date before 2001", date(-1e9)) { Date(timeIntervalSinceReferenceDate: -1e9) },
    .init("a distant date", date(63_113_904_000)) { Date.distantFuture },
    .init("a UUID", identified(identifierBytes)) {
      UUID(uuidString: identifier) as Any
    },
    .init("a URL", .url(ArchiveURL("https://example.com/a?b=c#d"))) {
      URL(string: "https://example.com/a?b=c#d") as Any
    },
    .init("a URL of a file", .url(ArchiveURL("file:///tmp/a%20b"))) {
      URL(string: "file:///tmp/a%20b") as Any
    },
    .init(
      "a relative URL",
      record(
        "NSURL", ("base", .url(ArchiveURL("https://example.com/a/"))), ("relative", .string("b")))
    ) { NSURL(string: "b", relativeTo: URL(string: "https://example.com/a/")) as Any },
    .init("nothing", .null) { NSNull() },
    .init("a point", record("NSPoint", ("x", .double(1.5)), ("y", .double(-2)))) {
      NSValue(point: NSPoint(x: 1.5, y: -2))
    },
    .init("a size", record("NSSize", ("width", .double(3)), ("height", .double(4)))) {
      NSValue(size: NSSize(width: 3, height: 4))
    },
    .init(
      "a rectangle",
      record(
        "NSRect", ("x", .double(1)), ("y", .double(2)), ("width", .double(3)),
        ("height", .double(4.25)))
    ) { NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4.25)) },
    .init("a range", record("NSRange", ("location", whole(5)), ("length", whole(6)))) {
      NSValue(range: NSRange(location: 5, length: 6))
    },
  ]

  private static let collections: [ArchivedSample] = [
    .init("an empty array", .array([])) { NSArray() },
    .init("an array of integers", .array([whole(1), whole(2)])) { [1, 2] },
    .init("an array of real numbers", .array([.double(1.5), .double(2.5)])) { [1.5, 2.5] },
    .init("an array of both", .array([.double(1), .double(2.5)])) { [1, 2.5] as [Any] },
    .init("an array of texts", .array([.string("a"), .string("b"), .string("a")])) {
      ["a", "b", "a"]
    },
    .init("an array of kinds", .array([.string("a"), .bool(true), .bytes([1]), date(1), .null])) {
      ["a", true, Data([1]), Date(timeIntervalSinceReferenceDate: 1), NSNull()] as [Any]
    },
    .init("a mutable array", .array([whole(1)])) { NSMutableArray(array: [1]) },
    .init("arrays in arrays", .array([.array([.array([])]), .array([whole(1)])])) {
      [[[Int]()], [1]] as [Any]
    },
    .init("an array of many", .array((0..<1_000).map { whole($0) })) { Array(0..<1_000) },
    .init("an empty set", .set([])) { NSSet() },
    .init("a set of texts", .set([.string("a"), .string("b")])) { NSSet(array: ["a", "b"]) },
    .init("a mutable set", .set([whole(1), whole(2)])) { NSMutableSet(array: [1, 2]) },
    .init("an ordered set", .array([.string("b"), .string("a")])) {
      NSOrderedSet(array: ["b", "a"])
    },
    .init("an empty ordered set", .array([])) { NSOrderedSet() },
    .init("a mutable ordered set", .array([whole(2), whole(1)])) {
      NSMutableOrderedSet(array: [2, 1])
    },
    .init("an empty dictionary", .dictionary([])) { NSDictionary() },
    .init(
      "a dictionary", dictionary((.string("a"), whole(1)), (.string("b"), .array([.string("c")])))
    ) { ["a": 1, "b": ["c"]] as [String: Any] },
    .init("a mutable dictionary", dictionary((.string("a"), date(2)))) {
      NSMutableDictionary(dictionary: ["a": Date(timeIntervalSinceReferenceDate: 2)])
    },
    .init("a dictionary of numbers", dictionary((whole(7), .string("x")))) { [7: "x"] },
    .init("a dictionary under a date", dictionary((date(3), .bool(false)))) {
      [Date(timeIntervalSinceReferenceDate: 3): false]
    },
    .init(
      "a dictionary under a UUID",
      dictionary((identified(identifierBytes), whole(1)))
    ) { [UUID(uuidString: identifier): 1] },
    .init(
      "dictionaries in dictionaries",
      dictionary((.string("a"), dictionary((.string("a"), dictionary((.string("a"), whole(1)))))))
    ) { ["a": ["a": ["a": 1]]] },
    .init("a set in an array", .array([.set([.string("a")]), .set([])])) {
      [NSSet(array: ["a"]), NSSet()]
    },
    .init(
      "an array of URLs and UUIDs",
      .array([.url(ArchiveURL("a:b")), identified([UInt8](repeating: 0, count: 16))])
    ) {
      [URL(string: "a:b") as Any, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
    },
  ]

  static let samples = texts + numbers + scalars + collections

  @Test func `The tests have at least 68 sample values`() { #expect(Self.samples.count >= 68) }

  @Test(arguments: samples)
  func `Each value is imported unchanged, from the binary form and from XML`(
    sample: ArchivedSample
  ) throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let file = sample.file(format)
      #expect(ImportedArchive.isKeyedArchive(file))
      let imported = try ImportedArchive(file)
      #expect(imported.archiverName == "NSKeyedArchiver")
      #expect(imported.classes.isEmpty && imported.plainTextCount == 0)
      var expected = sample.value
      // XML has no real numbers of 32 bits.
      if case .float(let value) = expected, format == .xml { expected = .double(Double(value)) }
      // Foundation writes 0.0 in XML for both zeros.
      if case .double(0) = expected, format == .xml { expected = .double(0) }
      var document = ArchiveDocument()
      document.rootID = try document.insert(
        DynamicRecord(typeName: "Imported", fields: [.init(key: "root", value: expected)]))
      #expect(try imported.document.encoded() == document.encoded())
    }
  }

  private static let folder = ProcessInfo.processInfo.environment["KEEPSAKE_SAMPLES"]

  /// For the comparison with other readers, `Peers/compare.py`.
  @Test(.enabled(if: folder != nil))
  func `The sample files are written to the folder of an environment variable`() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder), isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for sample in Self.samples {
      try Data(sample.file(.binary)).write(
        to: folder.appendingPathComponent(sample.testDescription))
    }
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `Several values at the top become the keys of one record`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(5, forKey: "count")
    archiver.encode("Ada", forKey: "name")
    archiver.encode(true, forKey: "$odd")
    archiver.encode(nil as NSString?, forKey: "none")
    archiver.finishEncoding()
    var options = ImportOptions()
    options.topTypeName = "Settings"
    options.reserved = ReservedValues(bundleVersion: "1.0")
    let imported = try ImportedArchive(Array(archiver.encodedData), options: options)
    let root = try imported.document.object(ArchiveObjectID(1))
    #expect(root.typeName == "Settings" && imported.document.objectCount == 1)
    #expect(root["count"] == whole(5) && root["name"] == .string("Ada"))
    #expect(root["$odd"] == .bool(true) && root["none"] == .null)
    #expect(imported.document.reserved.bundleVersion == "1.0")
  }

  @Test func `The attributes of a text are left out and counted`() throws {
    let file = KeyedFile(
      .object(4, ("NSString", .uid(2)), ("NSAttributes", .uid(3))), .string("Ada"),
      .object(5, ("NS.keys", .array([.uid(2)])), ("NS.objects", .array([.uid(2)]))),
      .classNamed("NSAttributedString"), .classNamed("NSDictionary"))
    for bytes in [file.binary, file.xml] {
      let imported = try ImportedArchive(bytes)
      #expect(try imported.document.object(ArchiveObjectID(1))["root"] == .string("Ada"))
      #expect(imported.plainTextCount == 1)
    }
  }
}
