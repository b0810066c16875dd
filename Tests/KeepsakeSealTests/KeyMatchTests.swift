import Testing

@testable import KeepsakeSeal

@Suite struct `Finding the key` {
  @Test func `A wrong key and no key cause the same error`() throws {
    let sample = try Sample()
    let other = try SealKey.generate()
    let wrong = error { try SealedFile.open(bytes: sample.bytes, with: [.key(other)]) }
    let none = error { try SealedFile.open(bytes: sample.bytes, with: []) }
    #expect(wrong == SealError(.noMatchingKey))
    #expect(none == wrong)
  }

  @Test func `Each of several keys opens the file, and its slot is reported`() throws {
    let keys = try (0..<32).map { _ in try SealKey.generate() }
    let bytes = try SealedFile.seal(pattern(10).span, for: keys.map { .key($0) })
    for (index, key) in keys.enumerated() {
      let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
      #expect(opened.openedBySlot == index)
      #expect(try opened.read() == pattern(10))
    }
    let other = try SealKey.generate()
    #expect(
      try SealedFile.open(bytes: bytes, with: [.key(other), .key(keys[3])]).openedBySlot == 3)
  }

  @Test func `Sealing needs 1 to 32 different keys`() throws {
    let keys = try (0..<33).map { _ in try SealKey.generate() }
    let copy = SealKey(secret: try SecretBytes(joining: [], keys[0].secret))
    for bad in [[], keys, [keys[0], keys[1], copy]] {
      #expect(code { try SealedFile.seal([1].span, for: bad.map { .key($0) }) } == .invalidKeys)
    }
  }

  @Test func `Another context is not taken for a wrong key or damage`() throws {
    let sample = try Sample(context: [1, 2, 3])
    for context: [UInt8] in [[], [1, 2], [1, 2, 3, 0], [1, 2, 4]] {
      #expect(
        code {
          try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)], context: context)
        }
          == .contextMismatch)
    }
    let opened = try SealedFile.open(
      bytes: sample.bytes, with: [.key(sample.key)], context: [1, 2, 3])
    #expect(try opened.read() == sample.plaintext)
  }

  @Test func `A slot of an unknown type is skipped, but covered by the header MAC`() throws {
    let key = try SealKey.generate()
    let unknown = try Slot(parsing: [200] + pattern(191))
    let plan = try SealPlan(
      recipients: [.key(key)], options: SealOptions(),
      randomness: SealRandomness.fresh(for: [.key(key)]), foreignSlots: [unknown])
    var bytes = try plan.sealed([1, 2, 3].span)
    let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
    #expect(opened.openedBySlot == 1)
    #expect(opened.summary.slotTypes == [SealSlotType(rawValue: 200), .rawKey])
    #expect(try opened.read() == [1, 2, 3])

    bytes[128 + 100] ^= 1
    let end = opened.summary.headerLength - 16
    bytes.replaceSubrange(
      end..<end + 16, with: try Blake2b.hash(Array(bytes[..<end]), count: 16))
    #expect(code { try SealedFile.open(bytes: bytes, with: [.key(key)]) } == .damagedHeader)
  }

  @Test func `A later version of the raw-key slot is skipped`() throws {
    let sample = try Sample()
    let bytes = try sample.forged { $0[129] = 1 }
    #expect(code { try sample.read(bytes) } == .noMatchingKey)
  }

  @Test func `A slot of another file does not open this one`() throws {
    let sample = try Sample()
    let other = try Sample(key: sample.key)
    let bytes = try sample.forged { $0.replaceSubrange(128..<320, with: other.bytes[128..<320]) }
    #expect(code { try sample.read(bytes) } == .noMatchingKey)
  }

  @Test func `A slot that fits the key but does not unwrap is damage`() throws {
    let sample = try Sample()
    for offset in [128 + 88, 128 + 112, 128 + 159] {
      let bytes = try sample.forged { $0[offset] ^= 1 }
      #expect(code { try sample.read(bytes) } == .damagedHeader)
    }
  }

  @Test func `The header MAC detects a removed or reordered slot`() throws {
    let keys = try (0..<2).map { _ in try SealKey.generate() }
    let bytes = try SealedFile.seal(pattern(9).span, for: keys.map { .key($0) })
    let length = try SealedFile.inspect(bytes: bytes).headerLength
    func repaired(_ bytes: [UInt8], headerLength: Int) throws -> [UInt8] {
      let end = headerLength - 16
      let check = try Blake2b.hash(Array(bytes[..<end]), count: 16)
      return Array(bytes[..<end]) + check + bytes[headerLength...]
    }
    var swapped = bytes
    swapped.replaceSubrange(128..<320, with: bytes[320..<512])
    swapped.replaceSubrange(320..<512, with: bytes[128..<320])
    var removed = bytes
    removed.removeSubrange(320..<512)
    removed[16] = 1
    var shorter: [UInt8] = []
    shorter.appendLittleEndian(UInt32(length - 192))
    removed.replaceSubrange(12..<16, with: shorter)
    for forged in [
      try repaired(swapped, headerLength: length),
      try repaired(removed, headerLength: length - 192),
    ] {
      #expect(code { try SealedFile.open(bytes: forged, with: [.key(keys[0])]) } == .damagedHeader)
    }
  }
}
