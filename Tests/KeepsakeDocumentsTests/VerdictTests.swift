import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Spec/archive.md, 7.4 and 7.5.
@Suite struct `The verdict on an archive` {
  private func breach(_ bytes: [UInt8]) throws -> ArchiveError? {
    let archive = try Archive(bytes)
    try archive.verify()
    guard case .notCanonical(let error) = try archive.verdict() else { return nil }
    #expect(error.code == .nonCanonical)
    return error
  }

  @Test func `The verdict tells canonical archives from those with unknown kinds`() throws {
    #expect(try Archive(Sample.bytes()).verdict() == .canonical)
    let unknown = DynamicValue.unknown(ArchiveTag(rawValue: 20 << 3 | 2), bytes: [1, 2])
    for value in [unknown, .array([.null, unknown])] {
      let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
      #expect(try Archive(bytes).verdict() == .canonicalWithUnknownKinds)
    }
  }

  /// An archive of objects with one truth value each, in one segment; the offset of the first one.
  private func flags(_ count: UInt32) throws -> (bytes: [UInt8], offset: Int) {
    var writer = ArchiveWriter()
    for number in 1...count {
      try writer.writeObject(.init(number), typeName: "T") { $0.encode(true, forKey: "flag") }
    }
    let bytes = try writer.finish(root: first)
    let flags = [UInt8](repeating: 1, count: Int(count))
    return (bytes, try #require(bytes.indices.first { bytes[$0...].starts(with: flags) }))
  }

  @Test func `The verdict names the first byte that differs, and its object`() throws {
    let (bytes, offset) = try flags(9)
    #expect(try breach(bytes) == nil)
    for object in 0..<9 {
      // Seven bits of the byte have no meaning, and a writer clears them.
      var changed = patched(bytes, at: offset + object, byteCount: 1, 3)
      #expect(try breach(changed)?.offset == offset + object)
      #expect(try breach(changed)?.objectID == ArchiveObjectID(UInt32(object + 1)))
      changed[offset + 8] = 5
      #expect(try breach(changed)?.offset == offset + object)
    }
  }

  /// An archive of some objects in segments of their own, since each has many bytes.
  private func large(_ count: UInt32) throws -> [UInt8] {
    var writer = ArchiveWriter()
    for number in 1...count {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        let byte = UInt8(200 + number)
        coder.encode(ArchiveBytes([UInt8](repeating: byte, count: 100_000)), forKey: "v")
        coder.encode(true, forKey: "flag")
      }
    }
    return try writer.finish(root: first)
  }

  @Test func `The verdict finds a difference in each segment`() throws {
    let bytes = try large(4)
    #expect(try breach(bytes) == nil)
    for number in 1...4 as ClosedRange<UInt8> {
      let start = try #require(bytes.firstIndex(of: 200 + number))
      // The byte of the truth value comes before the bytes of the other one.
      let flag = start - 1
      try #require(bytes[flag] == 1)
      let error = try breach(patched(bytes, at: flag, byteCount: 1, 0x81))
      #expect(error?.offset == flag)
      #expect(error?.objectID == ArchiveObjectID(UInt32(number)))
    }
  }

  /// An archive of one object with one truth value, built byte by byte.
  private func raw(
    keys: [String] = ["flag"], types: [String] = ["T"], objectCount: Int = 1
  ) -> RawArchive {
    var archive = RawArchive()
    archive.keys = keys.map { RawArchive.key($0) }
    archive.types = types.map { RawArchive.type($0) }
    archive.shapes = [RawArchive.shape(type: 0, [RawArchive.slot(0x0F, 0)])]
    archive.segments = [
      ([[UInt8]](repeating: [1], count: objectCount), RawArchive.fixedWidth)
    ]
    return archive
  }

  @Test func `The verdict finds a difference behind the objects`() throws {
    for count in [1, 2] {
      let bytes = raw(objectCount: count).bytes
      #expect(try breach(bytes) == nil)
      let footer = Int(number(in: bytes, at: bytes.count - 8, byteCount: 8))
      // The number of keys, or of types, is the first difference.
      #expect(
        try breach(raw(keys: ["flag", "unused"], objectCount: count).bytes)?.offset == footer)
      let types = try breach(raw(types: ["T", "unused"], objectCount: count).bytes)
      #expect(types?.offset == footer + 4 && types?.objectID == nil)
    }
  }

  @Test func `The verdict does not judge the minor version and the archive values`() throws {
    let bytes = try Sample.bytes()
    #expect(try breach(patched(bytes, at: 10, byteCount: 1, 7)) == nil)
  }

  @Test func `Damage is thrown before the verdict`() throws {
    var bytes = try archiveBytes { coder in
      coder.encode(true, forKey: "flag")
      coder.encode("~~~~", forKey: "text")
    }
    let text = try #require(bytes.indices.first { bytes[$0...].starts(with: "~~~~".utf8) })
    bytes[text] = 0xFF
    let archive = try Archive(bytes)
    for error in [
      archiveError { try archive.verify() }, archiveError { _ = try archive.verdict() },
    ] {
      #expect(error?.code == .invalidUTF8 && error?.keyPath == ["text"])
      #expect(error?.objectID == first)
    }
  }

  @Test(.enabled(if: Allocation.isCounted))
  func `The verdict takes the memory of a few segments`() throws {
    let archive = try Archive(large(40))
    let most = try Allocation.most { _ = try archive.verdict() }
    #expect(most < 1_000_000, "\(most)")
  }
}
