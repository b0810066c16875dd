import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Small archives that together hold every kind of value.
enum SmallArchives {
  static func all() throws -> [[UInt8]] { try [values(), graph(), nested(), optionals()] }

  static func values() throws -> [UInt8] {
    try archiveBytes(reserved: ReservedValues(bundleVersion: "11.0")) { coder in
      coder.encode(true, forKey: "b")
      coder.encode(Int8(-3), forKey: "i8")
      coder.encode(70000, forKey: "i")
      coder.encode(UInt16(9), forKey: "u16")
      coder.encode(Int128(-1) << 70, forKey: "i128")
      coder.encode(UInt128(1) << 70, forKey: "u128")
      coder.encode(Float16(1.5), forKey: "f16")
      coder.encode(Float(1.5), forKey: "f")
      coder.encode(2.5, forKey: "d")
      coder.encode("short", forKey: "s")
      coder.encode("a longer string", forKey: "t")
      coder.encode(ArchiveBytes([1, 2, 3, 4, 5, 6, 7, 8, 9]), forKey: "y")
      coder.encode(ArchiveDate(secondsSinceReferenceDate: 1), forKey: "when")
      coder.encode(ArchiveUUID(bytes: Array(1...16)).map { [$0] } ?? [], forKey: "ids")
      coder.encode(ArchiveURL("https://a.example/"), forKey: "url")
    }
  }

  static func graph() throws -> [UInt8] {
    let root = NamedNode(1, name: "n", label: "a label of some length")
    root.next = Node(2)
    root.next?.next = root
    root.others = [root, Node(3)]
    defer { Node.release(root) }
    return try Archive.encode(root)
  }

  static func nested() throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(userInterfaceIdiom: 1))
    writer.conditionalObjects = [first, nil]
    try writer.writeObject(first, typeName: "T", schemaVersion: 2, template: "main") { coder in
      coder.encode(["a": [1, 2], "b": [], "a key of some length": [3]], forKey: "map")
      coder.encode([Int16(-1): Route.home, 300: .list([1, -1])], forKey: "routes")
      coder.encode(Set(["x", "y", ""]), forKey: "set")
      coder.encode(Set([1, 2, 3] as [UInt32]), forKey: "numbers")
      coder.encode([Point(x: 1, y: 2), Point(x: 3, y: 4)], forKey: "points")
      coder.encode((0...2).map { ArchiveConditionalReference($0) }, forKey: "owners")
      coder.encode(
        DynamicValue.array([
          .null, .signed(-1, bitWidth: 8), .string("text of a tail"), .array([]),
          .unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [1, 2, 3]),
          .enumeration("case", .init(typeName: "E", fields: [.init(key: "k", value: .null)])),
          ArchiveUUID(bytes: Array(1...16)).map { .uuid($0) } ?? .null,
        ]),
        forKey: "mixed")
      coder.encode([nil, "a", nil, "b"], forKey: "holes")
    }
    return try writer.finish(root: first)
  }

  /// More keys with optional values than one byte of nil bits holds.
  static func optionals() throws -> [UInt8] {
    try archiveBytes(Optionals().encode)
  }

  /// Optional values; every second value is nil.
  struct Optionals {
    var numbers: [Int16?] = [1, nil, 3, nil, 5, nil, 7, nil, 9, nil]
    var text: String? = "text"
    var noText: String?
    var list: [String]? = ["a", "bc", ""]
    var noList: [String]?
    var point: Point? = Point(x: 1, y: 2)
    var noPoint: Point?

    init() {}

    init(_ coder: borrowing ObjectDecoder) throws {
      for index in numbers.indices {
        numbers[index] = try coder.decode(forKey: ArchiveKey("number \(index)"))
      }
      text = try coder.decode(forKey: "text")
      noText = try coder.decode(forKey: "no text")
      list = try coder.decode(forKey: "list")
      noList = try coder.decode(forKey: "no list")
      point = try coder.decode(forKey: "point")
      noPoint = try coder.decode(forKey: "no point")
    }

    func encode(to coder: inout ObjectEncoder) {
      for (index, number) in numbers.enumerated() {
        coder.encode(number, forKey: ArchiveKey("number \(index)"))
      }
      coder.encode(text, forKey: "text")
      coder.encode(noText, forKey: "no text")
      coder.encode(list, forKey: "list")
      coder.encode(noList, forKey: "no list")
      coder.encode(point, forKey: "point")
      coder.encode(noPoint, forKey: "no point")
    }
  }
}

@Suite struct `Damaged archives` {
  @Test func `Every strict prefix of an archive is refused`() throws {
    for bytes in try SmallArchives.all() {
      for length in 0..<bytes.count {
        let error = archiveError { _ = try Archive(Array(bytes[..<length])) }
        #expect(error?.code == .truncated, "prefix of \(length) bytes")
      }
    }
  }

  @Test func `Bytes after the end are refused`() throws {
    for bytes in try SmallArchives.all() {
      for extra in [1, 8, 32] {
        let longer = bytes + [UInt8](repeating: 0, count: extra)
        #expect(archiveError { _ = try Archive(longer) } != nil)
      }
      #expect(archiveError { _ = try Archive(bytes + bytes) } != nil)
    }
  }

  @Test func `Other files are told apart from damaged archives`() {
    let text = Array(
      "{\"json\": true, \"and\": \"long enough to be an archive, as far as size\"}".utf8)
    #expect(archiveError { _ = try Archive(text) }?.code == .notAnArchive)
    #expect(archiveError { _ = try Archive([]) }?.code == .truncated)
    #expect(
      archiveError { _ = try Archive([UInt8](repeating: 0, count: 4096)) }?.code == .notAnArchive)
  }

  /// A flipped bit either shows as an error, or changes a value: then a writer makes exactly the
  /// same archive from the values that are read from it.
  @Test(arguments: [0, 1, 2, 3])
  func `A flipped bit is refused or gives an archive that a writer makes`(index: Int) throws {
    let original = try SmallArchives.all()[index]
    var accepted = 0
    for bit in 0..<original.count * 8 {
      // This reader ignores the minor version.
      if (80..<96).contains(bit) { continue }
      var bytes = original
      bytes[bit / 8] ^= 1 << UInt8(bit & 7)
      let error = archiveError {
        let archive = try Archive(bytes)
        // Lazy reading must be safe whatever a full check finds.
        defer { _ = try? walk(archive) }
        try archive.requireCanonical()
      }
      if error != nil { continue }
      accepted += 1
      let isSame = try ArchiveDocument(Archive(bytes)).encoded(order: .stored) == bytes
      #expect(isSame, "bit \(bit & 7) of byte \(bit / 8)")
    }
    #expect(accepted > 0)
  }

  @Test func `Damage to one object leaves the others readable`() throws {
    let bytes = try SmallArchives.graph()
    let archive = try Archive(
      patched(bytes, at: ArchiveMap(bytes).shapePlace(of: 2), byteCount: 1, 99))
    #expect(archiveError { _ = try archive.object(second) }?.code == .damaged)
    #expect(archiveError { _ = try archive.object(second) }?.objectID == second)
    #expect(try archive.object(first).decode(String.self, forKey: "label") == "n")
    #expect(archiveError { try archive.requireCanonical() }?.objectID == second)
  }
}
