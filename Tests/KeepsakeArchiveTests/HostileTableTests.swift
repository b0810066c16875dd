import KeepsakeArchive
import Testing

/// Hostile inputs 24 to 28; what writers and keys do is among the tests of keys.
@Suite struct `Hostile tables` {
  private func tables() throws -> (bytes: [UInt8], map: ArchiveMap) {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(1, forKey: "one")
      coder.encode("text", forKey: "two")
      coder.withScope("sub") { $0.encode(Route.home, forKey: "in2") }
    }
    try writer.writeObject(second, typeName: "U", schemaVersion: 1) { $0.encode(1, forKey: "six") }
    let bytes = try writer.finish(root: first)
    return (bytes, ArchiveMap(bytes))
  }

  private func index(of key: String, _ map: ArchiveMap) throws -> Int {
    try #require(map.keyNames.firstIndex(of: key))
  }

  /// Hostile input 24.
  @Test func `A name that is declared twice is refused`() throws {
    let (bytes, map) = try tables()
    let name = map.name(try index(of: "two", map), in: map.keyTable)
    // "one" twice at the top.
    var changed = bytes
    for (offset, byte) in "one".utf8.enumerated() { changed[name + offset] = byte }
    #expect(openError(changed)?.code == .duplicateKey)
    // The name and the version of a type are what tells it apart.
    let types = (0..<map.word(map.footer + 20)).map { index in
      bytes[map.name(index, in: map.typeTable)]
    }
    let last = try #require(types.lastIndex(of: UInt8(ascii: "U")))
    changed = patched(
      bytes, at: map.name(last, in: map.typeTable), byteCount: 1, UInt64(UInt8(ascii: "T")))
    #expect(openError(changed) == nil)
    changed = patched(changed, at: map.typeTable + 16 * last + 4, byteCount: 4, 0)
    #expect(openError(changed)?.code == .damaged)
  }

  /// Hostile input 24.
  @Test func `A shape that has a key twice is refused`() throws {
    let (bytes, map) = try tables()
    let slots = map.shape(of: 1).slots
    let key = number(in: bytes, at: slots[0].row, byteCount: 4)
    #expect(openError(patched(bytes, at: slots[1].row, byteCount: 4, key))?.code == .duplicateKey)
  }

  /// Hostile input 25: the order in which keys and members lie is part of what they say.
  @Test func `Keys and members out of order or twice are refused`() throws {
    for (bytes, _, payload) in [
      try single(Set([1, 2, 3] as [UInt8])), try single([UInt8(1): true, 2: true, 3: true]),
    ] {
      let isSet = ArchiveMap(bytes).shape(of: 1).slots[0].tag == .set
      let members = payload + (isSet ? 1 : 1 + 1)
      #expect(bytes[members..<members + 3] == [1, 2, 3])
      for wrong in [[2, 1, 3], [1, 1, 3], [1, 3, 3], [3, 2, 1]] as [[UInt8]] {
        var changed = bytes
        changed.replaceSubrange(members..<members + 3, with: wrong)
        #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
        #expect(readError(changed, Set<UInt8>.self) != nil)
        #expect(verifyError(changed)?.code == .damaged)
      }
    }
    let (bytes, _, payload) = try single(Set(["a", "b"]))
    let text = payload + 3
    #expect(Array(bytes[text..<text + 2]) == Array("ab".utf8))
    for wrong in ["ba", "aa"] {
      var changed = bytes
      changed.replaceSubrange(text..<text + 2, with: Array(wrong.utf8))
      #expect(readError(changed, Set<String>.self)?.code == .damaged)
    }
  }

  /// Hostile input 26.
  @Test func `Numbers of entries that are not declared are refused`() throws {
    let (bytes, map) = try tables()
    for shape in map.shapes {
      for value in [100, UInt64(UInt32.max), 1 << 31] as [UInt64] {
        #expect(openError(patched(bytes, at: shape.row, byteCount: 4, value))?.code == .damaged)
        let isCase = patched(bytes, at: shape.row + 8, byteCount: 4, value)
        #expect(openError(isCase)?.code == .damaged)
        #expect(
          openError(patched(bytes, at: shape.row + 12, byteCount: 4, value))?.code == .damaged)
        for slot in shape.slots {
          #expect(openError(patched(bytes, at: slot.row, byteCount: 4, value))?.code == .damaged)
        }
      }
    }
    let record = map.record(1).lowerBound
    for value in [100, 254, 255] as [UInt64] {
      let changed = patched(bytes, at: record, byteCount: 1, value)
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged)
    }
  }

  /// Hostile input 26.
  @Test func `Scopes, keys and cases do not stand for each other`() throws {
    let (bytes, map) = try tables()
    let scope = try index(of: "sub", map)
    let key = try index(of: "one", map)
    let home = try index(of: "home", map)
    let inner = try index(of: "in2", map)
    let slot = map.shape(of: 1).slots[0].row
    for other in [scope, home] {
      #expect(openError(patched(bytes, at: slot, byteCount: 4, UInt64(other)))?.code == .damaged)
    }
    // A scope that is a key, a case, the entry itself, a later one, or none that exists.
    for parent in [key + 1, home + 1, inner + 1, inner + 2, 1000] {
      let changed = patched(bytes, at: map.keyTable + 16 * inner, byteCount: 4, UInt64(parent))
      #expect(openError(changed)?.code == .damaged)
    }
    let shape = try #require(map.shapes.first { map.word($0.row + 8) != 0 })
    for entry in [key, scope, inner] {
      let changed = patched(bytes, at: shape.row + 8, byteCount: 4, UInt64(entry + 1))
      #expect(openError(changed)?.code == .damaged)
    }
    // A case is declared at the top, and there are four namespaces.
    let nested = patched(bytes, at: map.keyTable + 16 * home, byteCount: 4, UInt64(scope + 1))
    #expect(openError(nested)?.code == .damaged)
    for space in [4, 255, 256, 1 << 40] as [UInt64] {
      let changed = patched(bytes, at: map.keyTable + 16 * key + 8, byteCount: 8, space)
      #expect(openError(changed)?.code == .damaged)
    }
  }

  /// Hostile input 26: a record may use the shapes of its own segment and of those before.
  @Test func `A shape of a later segment is refused by a full check`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 300_000)), forKey: "v")
    }
    try writer.writeObject(second, typeName: "T") { coder in
      coder.encode(ArchiveBytes([1]), forKey: "w")
    }
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    #expect(map.segments.count == 2)
    // The shape of the second record.
    let number = UInt64(bytes[map.record(2).lowerBound])
    let changed = patched(bytes, at: map.record(1).lowerBound, byteCount: 1, number)
    #expect(verifyError(changed)?.code == .damaged)
    #expect(verifyError(changed)?.message == "a record names a shape of a later segment")
  }

  /// Found by a fuzzer: a reader that goes forward cannot know such a type.
  @Test func `A type of a later segment is refused by a full check`() throws {
    var writer = ArchiveWriter()
    for (number, type) in ["T", "U"].enumerated() {
      try writer.writeObject(.init(UInt32(number + 1)), typeName: type) { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 300_000)), forKey: "v")
      }
    }
    let bytes = try writer.finish(root: first)
    // The row of the first object's shape, in its segment and in the footer: type 1, one slot.
    let row: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0]
    let map = ArchiveMap(bytes)
    let places = [map.segments[0].tables, map.footer].compactMap { start in
      stride(from: start, to: bytes.count - row.count, by: 8).first {
        bytes[$0..<$0 + row.count].elementsEqual(row)
      }
    }
    #expect(Set(places).count == 2)
    let changed = places.reduce(bytes) { patched($0, at: $1, byteCount: 4, 2) }
    #expect(verifyError(changed)?.code == .damaged)
    #expect(throws: ArchiveError.self) {
      var reader = try ArchiveStreamReader(PiecewiseSource(changed))
      try reader.forEachObject { _ in }
    }
  }

  /// Hostile input 28: where slots lie is computed, so a shape cannot say otherwise.
  @Test func `A slot of another width does not fit the record`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(1, forKey: "a")
      coder.encode(UInt8(2), forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let row = map.shape(of: 1).slots[0].row
    for tag in [ArchiveTag.int8, .int128, .float, .bool, .uuid] {
      let changed = map.patchingTables(at: row + 4, byteCount: 1, UInt64(tag.rawValue))
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged, "\(tag)")
    }
  }

  /// Hostile input 39: what has no width could be there any number of times.
  @Test func `A tag that cannot be is refused where it is declared`() throws {
    let (bytes, map) = try tables()
    let row = map.shape(of: 1).slots[0].row
    for tag in [0, 7, 20 << 3, 0x90, 0b00001_010, 0b00100_001, 0b00101_000, 0b00001_001]
      as [UInt64]
    {
      #expect(openError(patched(bytes, at: row + 4, byteCount: 1, tag))?.code == .damaged)
    }
    for flags in [2, 3, 1 << 8, 1 << 16] as [UInt64] {
      #expect(openError(patched(bytes, at: row + 5, byteCount: 3, flags))?.code == .damaged)
    }
  }
}
