import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Writers reuse memory and tables of earlier archives, which must not show in the bytes.
@Suite struct `An archive that is written after others` {
  /// Limits that no archive had before, so that a writer with them reuses nothing.
  private func fresh(_ number: Int) -> ArchiveLimits {
    var limits = ArchiveLimits()
    limits.byteCount -= 1 + number
    return limits
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `An archive has the same bytes as if it were the first one`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for turn in 0..<30 {
      // A few archives are written many times, so that each one follows itself and every other one.
      let choice = UInt64(generator.below(5)) + 10 * seed
      var archive = RandomArchive(seed: choice)
      var same = RandomArchive(seed: choice)
      let bytes = try archive.bytes()
      #expect(try bytes == same.bytes(limits: fresh(turn + 100 * Int(seed))))
    }
  }

  /// A record that is stored inline, unless it has a name.
  private struct Point: ArchiveRecord {
    var x: Int
    var name: String?

    init(x: Int, name: String?) {
      self.x = x
      self.name = name
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(x, forKey: "x")
      if let name { coder.encode(name, forKey: "name") }
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      x = try coder.decode(forKey: "x")
      name = try coder.decodeIfPresent(forKey: "name")
    }
  }

  /// Writes records of one type that differ in their keys, integers and inline records.
  private func write(
    _ kinds: [Int], limits: ArchiveLimits = .init()
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(limits: limits)
    for kind in kinds {
      do {
        try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
          coder.encode(kind == 1 ? Int.max : kind, forKey: "number")
          if kind != 2 {
            coder.encode("text", forKey: ArchiveKey("a key that is long enough \(kind / 5)"))
          }
          coder.encode(
            Point(x: kind == 3 ? Int.min : 1, name: kind == 4 ? "payload" : nil), forKey: "point")
          // A later error takes this object back, with everything that it added to the tables.
          coder.encode(kind, forKey: ArchiveKey("late \(kind)"))
          if kind == 5 { throw ArchiveError(.invalidValue, "no") }
          coder.withScope("scope") { coder in
            coder.encode([kind, kind == 6 ? 1 << 40 : 2], forKey: "list")
          }
        }
      } catch let error as ArchiveError where kind == 5 && error.code == .invalidValue {
        // The object is not written.
      }
    }
    return try writer.finish(root: first)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `An archive has its own shapes, whatever earlier ones had`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for turn in 0..<40 {
      let kinds = [generator.below(5)] + (0..<generator.below(5)).map { _ in generator.below(8) }
      let bytes = try write(kinds)
      let expected = try write(kinds, limits: fresh(10_000 + turn + 100 * Int(seed)))
      if bytes != expected { Issue.record("the seed \(seed) gives other bytes in turn \(turn)") }
      #expect(try Archive(bytes).verdict() == .canonical)
    }
  }

  @Test func `An archive after others is held to its own limits`() throws {
    for _ in 0..<3 {
      _ = try write([0, 2, 4])
      var limits = ArchiveLimits()
      limits.nameByteCount = 20
      let error = #expect(throws: ArchiveError.self) { try write([0], limits: limits) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func `An archive after one with many keys has the bytes of a first archive`() throws {
    // The first archive has more keys than a writer keeps room for; the second has few.
    for turn in 0..<3 {
      let many = (0..<2000).map { "key \($0) of turn \(turn)" }
      var writer = ArchiveWriter()
      try writer.writeObject(first, typeName: "Many") { coder in
        for key in many { coder.encode(true, forKey: ArchiveKey(key)) }
      }
      let bytes = try writer.finish(root: first)
      #expect(try Archive(bytes).object(first).keys.count == 2000)
      #expect(try write([0]) == write([0], limits: fresh(30_000 + turn)))
    }
  }
}

/// Archives whose tables have the same bytes share the tables that were read first.
@Suite struct `An archive whose tables were read before` {
  private func archive(_ text: String, key: ArchiveKey = "a") throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode(text, forKey: key) }
    return try writer.finish(root: first)
  }

  @Test func `An archive with known tables has values of its own`() throws {
    for text in ["one", "another", "a third one"] {
      let archive = try Archive(archive(text))
      #expect(try archive.object(first).decode(String.self, forKey: "a") == text)
      try archive.requireCanonical()
    }
  }

  @Test func `An archive with known tables is held to its own limits`() throws {
    let bytes = try archive("text")
    var limits = ArchiveLimits()
    limits.keyCount = 0
    for _ in 0..<2 {
      _ = try Archive(bytes)
      let error = #expect(throws: ArchiveError.self) { try Archive(bytes, limits: limits) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test
  func `An archive finds its own keys where only one byte differs from known tables`() throws {
    for name in ["a", "b", "a", "c"] {
      let object = try Archive(archive("text", key: ArchiveKey(name))).object(first)
      #expect(object.keys == [ArchiveKey(name)])
    }
    for name in ["a name of some length", "a name of some lengtg", "b name of some length"] {
      let object = try Archive(archive("text", key: ArchiveKey(name))).object(first)
      #expect(object.keys == [ArchiveKey(name)])
    }
  }

  @Test func `An archive reports offsets in its own tables`() throws {
    for text in ["short", "a text that moves the tables"] {
      var bytes = try archive(text)
      let tables = ArchiveMap(bytes).footer
      // The length of the name takes two bytes.
      #expect(Array(bytes[tables + 20..<tables + 23]) == [0, 1, UInt8(ascii: "a")])
      bytes.replaceSubrange(tables + 20..<tables + 22, with: [8, 1, 0])
      bytes[tables + 16] += 1
      guard case .notCanonical(let error) = try Archive(bytes).verdict() else {
        Issue.record("it is canonical")
        continue
      }
      // The number of bytes comes first.
      #expect(error.offset == tables + 16)
    }
  }

  @Test
  func `Archives with the same tables can be opened in several threads at once`() async throws {
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for thread in 0..<4 {
        group.addTask {
          try (0..<200).map { number in
            let key = ArchiveKey("key \(number % 12)")
            let bytes = try archive("\(thread) \(number)", key: key)
            return try Archive(bytes).object(first).decode(String.self, forKey: key)
          }
        }
      }
      return try await group.reduce(into: [String]()) { $0 += $1 }
    }
    #expect(Set(texts) == Set((0..<4).flatMap { thread in (0..<200).map { "\(thread) \($0)" } }))
  }
}
