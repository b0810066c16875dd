import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// Tables that can be read and that no writer makes (Spec/archive.md, 7.5).
@Suite struct `Tables that are not canonical` {
  /// The offset at which the bytes first differ from those of a writer.
  private func firstDifference(_ bytes: [UInt8]) throws -> Int? {
    // The independent reader knows the rule too.
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(bytes) }
    guard case .notCanonical(let error) = try Archive(bytes).verdict() else { return nil }
    #expect(error.code == .nonCanonical)
    return error.offset
  }

  @Test func `Two shapes that are the same are not canonical`() throws {
    var writer = ArchiveWriter()
    for (index, keys) in ["a", "b", "ab"].enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        for key in keys { coder.encode(true, forKey: ArchiveKey(String(key))) }
      }
    }
    let original = try writer.finish(root: first)
    // The shape of the second object gets the key of the first; the third still uses both.
    let map = ArchiveMap(original)
    let word = map.shape(of: 1).slots[0].row
    let changed = patched(
      original, at: map.shape(of: 2).slots[0].row, byteCount: 4, UInt64(map.word(word)))
    let place = try firstDifference(changed)
    // The writer gives the second object the shape of the first.
    #expect(place == map.segments[0].directory + 2)
  }

  @Test func `A key that is declared before the segment that uses it is not canonical`() throws {
    var writer = ArchiveWriter()
    for (index, keys) in ["a", "ab"].enumerated() {
      let size = index == 0 ? 65_536 : 8
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        let value = ArchiveBytes([UInt8](repeating: 1, count: size))
        for key in keys { coder.encode(value, forKey: ArchiveKey(String(key))) }
      }
    }
    let original = try writer.finish(root: first)
    let map = ArchiveMap(original)
    // The tables of the first segment get the second key too.
    let tables = map.segments[0].tables
    let key = tables + 20
    #expect(Array(original[key..<key + 3]) == [0, 1, UInt8(ascii: "a")])
    var changed = original
    changed.insert(contentsOf: [0, 1, UInt8(ascii: "b")], at: key + 3)
    changed = patched(changed, at: tables, byteCount: 4, 2)
    changed = patched(changed, at: tables + 16, byteCount: 4, UInt64(map.word(tables + 16) + 3))
    changed = patched(
      changed, at: map.segments[1].row + 3, byteCount: 8, UInt64(map.segments[1].offset + 3))
    changed = patched(changed, at: map.tail + 3 + 16, byteCount: 8, UInt64(map.footer + 3))
    let place = try firstDifference(changed)
    #expect(place == tables)
  }

  /// Two objects whose segment says that their shapes differ.
  @Test
  func `Numbers of shapes that are too wide or not needed are not canonical`() throws {
    var writer = ArchiveWriter()
    for key in ["a", "b"] {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode("x", forKey: ArchiveKey(key))
      }
    }
    let original = try writer.finish(root: first)
    let map = ArchiveMap(original)
    let segment = map.segments[0]
    func replacing(_ directory: [UInt8]) -> [UInt8] {
      var changed = original
      changed.replaceSubrange(segment.directory..<segment.tables, with: directory)
      let distance = changed.count - original.count
      return patched(
        changed, at: map.tail + distance + 16, byteCount: 8, UInt64(map.footer + distance))
    }
    #expect(replacing([1, 0, 1, 1]) == original)
    for directory in [[2, 0, 0, 1, 0, 1], [4, 0, 0, 0, 0, 1, 0, 0, 0, 1]] as [[UInt8]] {
      #expect(try firstDifference(replacing(directory)) == segment.directory)
    }
    for width in [0, 3, 5, 8] as [UInt8] {
      #expect(verifyError(replacing([width, 0, 1, 1]))?.code == .damaged)
    }
    #expect(verifyError(replacing([1, 0, 2, 1]))?.code == .damaged)
    #expect(verifyError(replacing([1, 0, 1, 3]))?.code == .damaged)
    let place = try firstDifference(replacing([1, 0, 0, 1]))
    // The head of the segment would say that there is one shape.
    #expect(place == segment.offset + 12)
  }
}
