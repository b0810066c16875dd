import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// Tables that break.
///
/// KeyTests.swift tests the keys of writers.
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

  @Test func `A name that is declared twice is refused`() throws {
    let (bytes, map) = try tables()
    let name = map.keys[try index(of: "two", map)].nameOffset
    // "one" twice at the top.
    var changed = bytes
    for (offset, byte) in "one".utf8.enumerated() { changed[name + offset] = byte }
    #expect(openError(changed)?.code == .duplicateKey)
    // A type is identified by its name and version.
    let type = try #require(map.types.first { $0.name == "U" })
    changed = patched(bytes, at: type.nameOffset, byteCount: 1, UInt64(UInt8(ascii: "T")))
    #expect(openError(changed) == nil)
    changed = patched(changed, at: type.nameOffset - 4, byteCount: 4, 0)
    #expect(openError(changed)?.code == .damaged)
  }

  /// A longer entry has the same meaning.
  @Test func `Lengths and versions that are not needed are read, but are not canonical`() throws {
    let map = try tables().map
    let key = map.keys[try index(of: "one", map)]
    let type = try #require(map.types.first { $0.name == "T" })
    for (entry, long) in [
      (key, [8, 3, 0] + Array("one".utf8)), (type, [8, 1, 0, UInt8(ascii: "T")]),
      (type, [1, 1, 0, 0, 0, 0, UInt8(ascii: "T")]),
    ] as [(ArchiveMap.Entry, [UInt8])] {
      let end = entry.nameOffset + entry.name.utf8.count
      let changed = map.replacingEntries(entry.row..<end, with: long)
      #expect(openError(changed) == nil)
      #expect(verifyError(changed)?.code == .nonCanonical)
      let forward = try Reading(forward: PiecewiseSource(changed))
      #expect(try forward == Reading(Archive(changed)))
      #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(changed) }
    }
  }

  @Test func `An archive with unknown flags is refused`() throws {
    let (bytes, map) = try tables()
    for entry in map.keys + map.types {
      for bit in 0..<8 {
        let changed = patched(
          bytes, at: entry.row, byteCount: 1, UInt64(bytes[entry.row] ^ 1 << UInt8(bit)))
        readEverything(changed)
        let isKey = entry.row < map.typeTable
        if bit > 3 || !isKey && (bit == 1 || bit == 2) {
          #expect(openError(changed)?.code == .damaged)
        }
      }
    }
  }

  @Test func `A shape that has a key twice is refused`() throws {
    let (bytes, map) = try tables()
    let slots = map.shape(of: 1).slots
    let key = (map.word(slots[0].row) & ~0xFFF) | Int(slots[1].tag.rawValue)
    let changed = patched(bytes, at: slots[1].row, byteCount: 4, UInt64(key))
    #expect(openError(changed)?.code == .duplicateKey)
  }

  /// Keys and members are stored in order.
  @Test func `Keys and members that are out of order or repeated are refused`() throws {
    for (bytes, _, payload) in [
      try single(Set([1, 2, 3] as [UInt8])), try single([UInt8(1): true, 2: true, 3: true]),
    ] {
      let isSet = ArchiveMap(bytes).shape(of: 1).slots[0].tag == .set
      let members = payload + (isSet ? 1 : 1 + 1)
      #expect(bytes[members..<members + 3] == [1, 2, 3])
      for wrong in [[2, 1, 3], [1, 1, 3], [1, 3, 3], [3, 2, 1]] as [[UInt8]] {
        var changed = bytes
        changed.replaceSubrange(members..<members + 3, with: wrong)
        #expect(readError(changed, DynamicValue.self)?.code == .damaged)
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

  @Test func `Numbers of undeclared entries are refused`() throws {
    let (bytes, map) = try tables()
    for shape in map.shapes {
      for value in [100, 0xFFFF, 1 << 15] as [UInt64] {
        #expect(openError(patched(bytes, at: shape.row, byteCount: 2, value))?.code == .damaged)
        #expect(openError(patched(bytes, at: shape.row + 2, byteCount: 2, value))?.code == .damaged)
        for word in 0..<map.word(shape.row + 2, 2) {
          let row = shape.row + 4 + 4 * word
          let changed = UInt64(map.word(row) & 0xFFF) | value << 12
          #expect(openError(patched(bytes, at: row, byteCount: 4, changed))?.code == .damaged)
        }
      }
    }
    for value in [100, 254, 255] as [UInt64] {
      let changed = patched(bytes, at: map.shapePlace(of: 1), byteCount: 1, value)
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged)
    }
  }

  @Test func `A scope, a key and a case cannot replace each other`() throws {
    let (bytes, map) = try tables()
    let scope = try index(of: "sub", map)
    let key = try index(of: "one", map)
    let home = try index(of: "home", map)
    let inner = try index(of: "in2", map)
    let slot = map.shape(of: 1).slots[0].row
    func word(_ key: Int, _ tag: Int) -> UInt64 { UInt64(key << 12 | tag) }
    for other in [scope, home] {
      let changed = patched(bytes, at: slot, byteCount: 4, word(other, map.word(slot) & 0xFFF))
      #expect(openError(changed)?.code == .damaged)
    }
    // A scope may not be a key, a case, the entry itself, a later one, or an undeclared one.
    let scopePlace = map.keys[inner].nameOffset - 4
    #expect(map.word(scopePlace) == scope)
    for parent in [key, home, inner, inner + 1, 1000] {
      let changed = patched(bytes, at: scopePlace, byteCount: 4, UInt64(parent))
      #expect(openError(changed)?.code == .damaged)
    }
    let shape = try #require(map.shapes.first { bytes[$0.row + 4] == 0x80 })
    for entry in [key, scope, inner] {
      let changed = patched(bytes, at: shape.row + 4, byteCount: 4, word(entry, 0x80))
      #expect(openError(changed)?.code == .damaged)
    }
    // A word of a case comes first, and has no flags.
    for flag in [0x100, 0x200, 0x400, 0x800] {
      let changed = patched(bytes, at: shape.row + 4, byteCount: 4, word(home, 0x80 | flag))
      #expect(openError(changed)?.code == .damaged)
    }
    #expect(
      openError(patched(bytes, at: slot + 4, byteCount: 4, word(home, 0x80)))?.code == .damaged)
    // A case is declared at the top.
    let nested = map.replacingEntries(
      map.keys[home].row..<map.keys[home].nameOffset,
      with: [7, 4] + ArchiveMap.bytes(scope, 4))
    #expect(openError(nested)?.code == .damaged)
  }

  /// A record may use the shapes of its own segment and of those before.
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
    // The shape of the second object, in the row and in the head of the first segment.
    let number = UInt64(map.word(map.shapePlace(of: 2)))
    let row = patched(bytes, at: map.shapePlace(of: 1), byteCount: 4, number)
    let changed = patched(row, at: map.segments[0].offset + 12, byteCount: 4, number)
    #expect(verifyError(changed)?.code == .damaged)
    #expect(verifyError(changed)?.message == "a record names a shape of a later segment")
  }

  /// A fuzzer found this archive: a reader that goes forward cannot know such a type.
  @Test func `A type of a later segment is refused by a full check`() throws {
    var writer = ArchiveWriter()
    for (number, type) in ["T", "U"].enumerated() {
      try writer.writeObject(.init(UInt32(number + 1)), typeName: type) { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 300_000)), forKey: "v")
      }
    }
    let bytes = try writer.finish(root: first)
    // The type of the first object's shape, in its segment and in the footer, becomes type 1.
    let row: [UInt8] = [0, 0, 1, 0, 0x36, 0, 0, 0]
    let map = ArchiveMap(bytes)
    let places = [map.segments[0].tables, map.footer].compactMap { start in
      (start..<bytes.count - row.count).first { bytes[$0..<$0 + row.count].elementsEqual(row) }
    }
    #expect(Set(places).count == 2)
    let changed = places.reduce(bytes) { patched($0, at: $1, byteCount: 2, 1) }
    #expect(verifyError(changed)?.code == .damaged)
    let error = #expect(throws: ArchiveError.self) {
      var reader = try ArchiveStreamReader(PiecewiseSource(changed))
      try reader.forEachObject { _ in }
    }
    #expect(error?.code == .damaged)
  }

  /// A reader computes the offsets of slots from their tags.
  @Test func `A slot whose tag has another width is refused`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(1 as Int64, forKey: "a")
      coder.encode(UInt8(2), forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let row = map.shape(of: 1).slots[0].row
    for tag in [ArchiveTag.int8, .int128, .float, .bool, .uuid] {
      let changed = patched(bytes, at: row, byteCount: 1, UInt64(tag.rawValue))
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged, "\(tag)")
    }
  }

  /// A slot without a width could repeat any number of times.
  @Test func `An impossible tag is refused where it is declared`() throws {
    let (bytes, map) = try tables()
    let row = map.shape(of: 1).slots[0].row
    for tag in [0, 7, 20 << 3, 0x90, 0b00001_010, 0b00100_001, 0b00101_000, 0b00001_001]
      as [UInt64]
    {
      #expect(openError(patched(bytes, at: row, byteCount: 1, tag))?.code == .damaged)
    }
    for flags in [2, 4, 8] as [UInt64] {
      let changed = patched(bytes, at: row + 1, byteCount: 1, UInt64(bytes[row + 1]) | flags)
      #expect(openError(changed)?.code == .damaged)
    }
  }
}
