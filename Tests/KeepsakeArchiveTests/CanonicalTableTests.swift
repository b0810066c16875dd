import KeepsakeArchive
import Testing

/// Tables that can be read and that no writer makes (Spec/archive.md, 7.5).
@Suite struct `Tables that are not canonical` {
  private func breach(_ bytes: [UInt8]) throws -> String? {
    // The independent reader knows the rule too.
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(bytes) }
    guard case .notCanonical(let error) = try Archive(bytes).verdict() else { return nil }
    #expect(error.code == .nonCanonical)
    return error.message
  }

  @Test func `Two shapes that are the same`() throws {
    var writer = ArchiveWriter()
    for (index, keys) in ["a", "b", "ab"].enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        for key in keys { coder.encode(true, forKey: ArchiveKey(String(key))) }
      }
    }
    let original = try writer.finish(root: first)
    // The shape of the second object gets the key of the first; the third still uses both.
    let row = hexBytes("01000000 01000000 00000000 00000000 01000000 0f 00 0000")
    let offsets = stride(from: 0, to: original.count - 24, by: 8).filter { offset in
      original[offset..<offset + 24].elementsEqual(bytes(ofHex: row))
    }
    #expect(offsets.count == 2)
    let changed = offsets.reduce(original) { patched($0, at: $1 + 16, byteCount: 4, 0) }
    #expect(try breach(changed) == "two shapes are the same")
  }

  @Test func `A key that an earlier segment declares than the one that uses it`() throws {
    var writer = ArchiveWriter()
    for (index, keys) in ["a", "ab"].enumerated() {
      let size = index == 0 ? 262_144 : 8
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        let value = ArchiveBytes([UInt8](repeating: 1, count: size))
        for key in keys { coder.encode(value, forKey: ArchiveKey(String(key))) }
      }
    }
    let original = try writer.finish(root: first)
    let changed = movingKeyToFirstSegment(original)
    #expect(try breach(changed)?.hasPrefix("keys or types are not declared in the order") == true)
  }

  @Test func `A schema version of the archive's own record`() throws {
    let original = try archiveBytes { $0.encode(1, forKey: "a") }
    let map = ArchiveMap(original)
    // The type of record 0 is the first that is declared.
    #expect(map.word(map.typeTable) == 0)
    let changed = map.patchingTables(at: map.typeTable + 4, byteCount: 4, 7)
    #expect(try breach(changed) == "the archive's own record has a schema version")
  }

  /// Moves the only key of the second segment to the first one, whose only key has as short a name.
  private func movingKeyToFirstSegment(_ original: [UInt8]) -> [UInt8] {
    func word(_ offset: Int) -> Int { Int(number(in: original, at: offset, byteCount: 8)) }
    let second = 64 + word(64 + 48)
    func keys(_ segment: Int) -> Int {
      segment + word(segment + 48) - word(segment + 32)
    }
    let row = original[keys(second)..<keys(second) + 16]
    var bytes = Array(original[..<(keys(64) + 16)]) + row + [0x61, 0x62, 0, 0, 0, 0, 0, 0]
    bytes += original[(keys(64) + 24)..<keys(second)] + original[(keys(second) + 24)...]
    func add(_ difference: Int, at offset: Int, _ byteCount: Int) {
      let value = number(in: bytes, at: offset, byteCount: byteCount)
      let sum = UInt64(Int(value) + difference)
      bytes = patched(bytes, at: offset, byteCount: byteCount, sum)
    }
    let rows = bytes.count - 32 - 64
    for (segment, directoryRow, difference) in [(64, rows, 16), (second + 16, rows + 32, -24)] {
      add(difference / 16, at: segment + 16, 4)
      add(difference, at: segment + 32, 8)
      add(difference, at: segment + 48, 8)
      add(difference, at: directoryRow + 8, 8)
    }
    add(16, at: rows + 32, 8)
    add(-8, at: bytes.count - 32, 8)
    add(-8, at: bytes.count - 16, 8)
    return bytes
  }

  private func bytes(ofHex text: String) -> [UInt8] {
    text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
  }
}
