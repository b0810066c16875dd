import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Records with about 65,535 keys, the most words of a shape: their integers change their width and their nested
/// records leave their slots while they are written (Spec/archive.md, 4.3 and 5.1).
@Suite struct `Records at the limit of words` {
  /// Writes an integer, texts and another integer, under `keyCount` keys together.
  private static func write(_ keyCount: Int, _ integers: [Int], _ coder: inout ObjectEncoder) {
    coder.encode(integers[0], forKey: "first")
    for number in 0..<keyCount - 2 {
      coder.encode(number == 7 ? "text" : "", forKey: ArchiveKey("k\(number)"))
    }
    coder.encode(integers[1], forKey: "last")
  }

  private static func read(_ bytes: [UInt8], _ keyCount: Int, _ integers: [Int]) throws {
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    let object = try archive.object(first)
    #expect(try object.decode(Int.self, forKey: "first") == integers[0])
    #expect(try object.decode(String.self, forKey: "k7") == "text")
    #expect(try object.decode(String.self, forKey: ArchiveKey("k\(keyCount - 3)")) == "")
    #expect(try object.decode(Int.self, forKey: "last") == integers[1])
  }

  private static func check(isFromFormat error: ArchiveError?) {
    #expect(error?.code == .limitExceeded)
    #expect(error?.description.contains("no room for more than 65535") == true)
    #expect(error?.description.contains("No limit can be raised for it") == true)
    #expect(error?.description.contains("as a dictionary") == true)
  }

  @Test(
    arguments: [65_534, 65_535, 65_536, 65_537], [[1, 1], [1, .max], [.max, 1], [.max, .max]])
  func `Integers of any width are written up to the limit, and refused above it`(
    keyCount: Int, integers: [Int]
  ) throws {
    var writer = ArchiveWriter()
    let error = archiveError {
      try writer.writeObject(first, typeName: "Test") { Self.write(keyCount, integers, &$0) }
    }
    if keyCount <= 65_535 {
      #expect(error == nil)
      return try Self.read(try writer.finish(root: first), keyCount, integers)
    }
    Self.check(isFromFormat: error)
    // Nothing remains of the record that was refused.
    try writer.writeObject(first, typeName: "Test") { Self.write(5, integers, &$0) }
    let small = try archiveBytes { Self.write(5, integers, &$0) }
    #expect(try writer.finish(root: first) == small)
  }

  @Test(arguments: [32_766, 32_767, 32_768])
  func `An inline record takes two words`(cellCount: Int) throws {
    struct Pair: ArchiveRecord {
      static let archiveTypeName = "Pair"
      var value: Bool
      init(value: Bool) { self.value = value }
      func encode(to coder: inout ObjectEncoder) { coder.encode(value, forKey: "v") }
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        value = try coder.decode(Bool.self, forKey: "v")
      }
    }
    var bytes: [UInt8] = []
    let error = archiveError {
      bytes = try archiveBytes { coder in
        coder.encode(1, forKey: "first")
        for number in 0..<cellCount {
          coder.encode(Pair(value: number == 3), forKey: ArchiveKey("k\(number)"))
        }
      }
    }
    if cellCount == 32_768 { return Self.check(isFromFormat: error) }
    #expect(error == nil)
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(first).decode(Pair.self, forKey: "k3").value)
  }

  @Test(arguments: [65_534, 65_535, 65_536])
  func `A case with values takes a word for its name`(keyCount: Int) throws {
    let fields = (0..<keyCount).map { number in
      DynamicRecord.Field(key: ArchiveKey("k\(number)"), value: .string(""))
    }
    let value = DynamicValue.enumeration("case", DynamicRecord(fields: fields))
    let error = archiveError {
      let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
      #expect(try Archive(bytes).object(first).decode(DynamicValue.self, forKey: "v") == value)
    }
    if keyCount < 65_535 { #expect(error == nil) } else { Self.check(isFromFormat: error) }
  }

  @Test(arguments: [65_534, 65_535, 65_536])
  func `An error names the caller's limit if it is the lower one`(keyCount: Int) throws {
    var limits = ArchiveLimits()
    limits.slotCount = keyCount - 1
    let error = archiveError {
      _ = try archiveBytes(limits: limits) { Self.write(keyCount, [1, 1], &$0) }
    }
    #expect(error?.code == .limitExceeded)
    if keyCount > 65_535 { return Self.check(isFromFormat: error) }
    #expect(error?.description.contains("ArchiveLimits.slotCount allows \(keyCount - 1)") == true)
    #expect(error?.description.contains("raise slotCount in the ArchiveLimits") == true)
  }

  @Test func `A limit above that of the format changes nothing, and the error says so`() throws {
    var limits = ArchiveLimits()
    limits.slotCount = 200_000
    limits.nameByteCount = 200_000
    Self.check(
      isFromFormat: archiveError {
        _ = try archiveBytes(limits: limits) { Self.write(70_000, [1, .max], &$0) }
      })
    for length in [65_534, 65_535, 65_536] {
      let key = ArchiveKey(String(repeating: "k", count: length))
      let error = archiveError {
        let bytes = try archiveBytes(limits: limits) { $0.encode(1, forKey: key) }
        #expect(try Archive(bytes).object(first).decode(Int.self, forKey: key) == 1)
      }
      #expect((error == nil) == (length <= 65_535))
      if let error {
        #expect(error.description.contains("no room for more than 65535"))
        #expect(error.description.contains("use a shorter name"))
        #expect(!error.description.contains("ArchiveLimits"))
      }
    }
  }
}

/// The parts of a path that are shown (Spec/archive.md, 7.6).
@Suite struct `A path that is shown` {
  @Test(arguments: [1_023, 1_024, 1_025])
  func `A path of up to 1,024 bytes is whole, and a longer one is cut in the middle`(length: Int) {
    let name = String(repeating: "a", count: length - 7) + "z"
    let field = DynamicRecord.Field(scope: ["outer"], key: ArchiveKey(name), value: .null)
    if length <= 1_024 {
      #expect(field.name == "outer." + name)
    } else {
      #expect(field.name.count < 300)
      #expect(field.name.hasPrefix("outer.aaa") && field.name.hasSuffix("aaz"))
      #expect(field.name.contains("…"))
    }
  }

  @Test func `The path in an error is short, however deep the value is`() throws {
    let value = (0..<80).reduce(DynamicValue.null) { value, _ in
      .array([.record(.init(fields: [.init(key: "replies", value: value)]))])
    }
    let error = archiveError { _ = try archiveBytes { $0.encode(value, forKey: "thread") } }
    #expect(error?.code == .limitExceeded)
    let text = try #require(error?.description)
    #expect(text.count < 500)
  }
}
