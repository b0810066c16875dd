/// Changes the parts of archives that readers check, and repairs everything around the change.
package struct ArchiveForger {
  private var generator: SeededGenerator

  package init(seed: UInt32) {
    generator = SeededGenerator(seed: UInt64(seed))
  }

  /// An archive with consistent numbers and a few changed parts; the input when it is not an archive.
  package static func repaired(_ input: [UInt8], _ choice: UInt32) -> [UInt8] {
    var forger = ArchiveForger(seed: choice)
    guard var parts = ArchiveParts(input), parts.segments.count > 0 else { return input }
    for _ in 0..<forger.below(4) { forger.change(&parts) }
    var bytes = parts.assembled(aligningNumbers: forger.below(16) != 0)
    if forger.below(4) == 0 {
      // Changes one of the numbers around the parts.
      let ends = [0..<192, max(0, bytes.count - 256)..<bytes.count]
      let range = ends[forger.below(2)].clamped(to: 0..<bytes.count)
      forger.changeWord(of: &bytes, at: (range.lowerBound + forger.below(range.count)) & ~3)
    }
    return bytes
  }

  mutating func next() -> UInt64 { generator.next() }

  mutating func below(_ count: Int) -> Int { generator.below(max(count, 1)) }

  private mutating func change(_ parts: inout ArchiveParts) {
    switch below(11) {
    case 10: moveEntries(of: &parts)
    case 0...4: changeRecord(of: &parts)
    case 5: changeShape(of: &parts)
    case 6: changeName(of: &parts)
    case 7: repeatRow(of: &parts)
    case 8: moveRecords(of: &parts)
    default: changeIDs(of: &parts)
    }
  }

  /// A number that is likely to be wrong in some way.
  mutating func word(near old: UInt32, size: Int) -> UInt32 {
    switch below(8) {
    case 0: 0
    case 1: old &+ 1
    case 2: old &- 1
    case 3: old &+ 8
    case 4: UInt32(truncatingIfNeeded: below(size + 9))
    case 5: [.max, 1 << 31, 0x7FFF_FFFF, 0xFFFF_FFF8][below(4)]
    case 6: UInt32(below(16))
    default: old ^ 1 << UInt32(below(32))
    }
  }

  mutating func changeWord(of bytes: inout [UInt8], at offset: Int) {
    bytes.store(word: word(near: bytes.word(offset), size: bytes.count), at: offset)
  }

  /// A tag of a known or an unknown kind, or an impossible one.
  mutating func tag(_ old: UInt8) -> UInt8 {
    let known: [UInt8] = [
      0x00, 0x0F, 0x11, 0x12, 0x13, 0x14, 0x15, 0x19, 0x1C, 0x1D, 0x22, 0x23, 0x24, 0x2E, 0x36,
      0x3C, 0x45, 0x4E, 0x51, 0x53, 0x5A, 0x5B, 0x60, 0x66, 0x6E, 0x76, 0x7E, 0x80, 0x86, 0x90,
      0x91, 0x92, 0x93, 0x94,
    ]
    return switch below(4) {
    case 0: UInt8(truncatingIfNeeded: next())
    case 1: old ^ 1 << UInt8(below(8))
    default: known[below(known.count)]
    }
  }

  /// Changes a shape, which is a word with its type and its number of words, and a word for each slot.
  private mutating func changeShape(of parts: inout ArchiveParts) {
    let offset = below(parts.tables[2].bytes.count) & ~3
    guard offset + 4 <= parts.tables[2].bytes.count else { return }
    // The word of a slot starts with the tag and the flags for nil and absent values.
    switch below(4) {
    case 0: parts.tables[2].bytes[offset + 1] ^= UInt8(1 + below(3))
    case 1: parts.tables[2].bytes[offset] = tag(parts.tables[2].bytes[offset])
    case 2:
      let key = parts.tables[2].bytes.word(offset) >> 12
      let word = parts.tables[2].bytes.word(offset) & 0xFFF
      parts.tables[2].bytes.store(word: word | self.word(near: key, size: 32) << 12, at: offset)
    default: changeWord(of: &parts.tables[2].bytes, at: offset)
    }
  }

  private mutating func changeName(of parts: inout ArchiveParts) {
    let table = below(2)
    let size = parts.tables[table].bytes.count
    guard size > 0 else { return }
    if below(2) == 0 {
      changeWord(of: &parts.tables[table].bytes, at: below(size) & ~3)
    } else {
      parts.tables[table].bytes[below(size)] = UInt8(truncatingIfNeeded: next())
    }
  }

  private mutating func repeatRow(of parts: inout ArchiveParts) {
    let table = below(3)
    let starts = parts.entryStarts(ofTable: table)
    guard !starts.isEmpty else { return }
    let start = starts[below(starts.count)]
    let size = parts.tables[table].bytes.count
    let length = ArchiveParts.entryByteCount(parts.tables[table].bytes, at: start, ofTable: table)
    let row = parts.tables[table].bytes[start..<min(start + length, size)]
    parts.tables[table].bytes.insert(contentsOf: row, at: below(2) == 0 ? start : size)
    if below(4) != 0 { parts.tables[table].count &+= 1 }
  }

  private mutating func moveRecords(of parts: inout ArchiveParts) {
    let segment = below(parts.segments.count)
    let count = parts.segments[segment].count
    switch below(4) {
    case 0: parts.segments[segment].swapAt(below(count), below(count))
    case 1 where count < 64:
      parts.segments[segment].append(parts.segments[segment][below(count)])
    case 2 where count > 1: parts.segments[segment].remove(at: below(count))
    default:
      let split = below(count)
      guard split > 0, parts.segments.count < 8 else { return }
      let rest = Array(parts.segments[segment][split...])
      parts.segments[segment].removeSubrange(split...)
      parts.segments.insert(rest, at: segment + 1)
      if segment < parts.shares.count { parts.shares.insert([0, 0, 0], at: segment + 1) }
      if segment + 2 == parts.segments.count { parts.declareRest(in: segment) }
    }
  }

  /// Makes a segment declare more or fewer entries than it uses.
  private mutating func moveEntries(of parts: inout ArchiveParts) {
    guard parts.shares.count > 1 else { return }
    let segment = below(parts.shares.count)
    let table = below(3)
    let share = Int(word(near: UInt32(clamping: parts.shares[segment][table]), size: 8))
    parts.shares[segment][table] = share
  }

  private mutating func changeIDs(of parts: inout ArchiveParts) {
    switch below(4) {
    case 0: parts.root = word(near: parts.root, size: 8)
    case 2 where !parts.values.isEmpty:
      let offset = below(parts.values.count)
      parts.values[offset] = UInt8(
        truncatingIfNeeded: word(near: UInt32(parts.values[offset]), size: 16))
    case 1 where parts.conditionals.count > 0:
      let index = below(parts.conditionals.count)
      parts.conditionals[index] = word(near: parts.conditionals[index], size: 8)
    default: parts.conditionals.append(UInt32(below(4)))
    }
  }
}
