import Testing

@testable import KeepsakeSeal

@Suite struct `A damaged file` {
  /// The codes that a changed byte of the header may cause: never a wrong key.
  static let headerCodes: Set<SealError.Code> = [
    .notSealedFile, .draftVersion, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags,
    .malformedHeader,
    .damagedHeader, .truncated, .trailingBytes, .limitExceeded,
  ]

  @Test func `Every flipped bit of the header is detected, and never taken for a wrong key`() throws
  {
    let sample = try Sample(count: Sample.chunk + 1)
    var bytes = sample.bytes
    for bit in 0..<sample.headerLength * 8 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let found = code { try sample.read(bytes) }
      #expect(
        found.map(Self.headerCodes.contains) == true, "bit \(bit): \(String(describing: found))")
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(try sample.read(bytes) == sample.plaintext)
  }

  @Test func `Every bit of the header that a forger flips is detected`() throws {
    let sample = try Sample(count: Sample.chunk + 1)
    for bit in 0..<(sample.headerLength - 16) * 8 {
      let bytes = try sample.forged { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
      #expect(code { try sample.read(bytes) } != nil, "bit \(bit)")
    }
  }

  @Test func `Every flipped bit of the payload is detected in its own chunk`() throws {
    let sample = try Sample(count: Sample.chunk + 1)
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)])
    var bytes = sample.bytes
    for bit in sample.headerLength * 8..<bytes.count * 8 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let chunk = (bit / 8 - sample.headerLength) / Sample.sealedChunk
      let failure = error {
        try opened.payload.read(
          opened.payload.layout.plaintextRange(of: chunk..<chunk + 1), from: .memory(bytes),
          threads: 1)
      }
      if failure != SealError(.damagedChunk, chunkIndex: chunk) {
        Issue.record("bit \(bit): \(String(describing: failure))")
      }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test func `Every truncation is detected when the file is opened`() throws {
    let sample = try Sample(count: Sample.chunk + 1)
    for length in 0..<sample.bytes.count {
      let expected: SealError.Code = length == 0 ? .emptyFile : .truncated
      let found = code {
        try SealedFile.open(bytes: Array(sample.bytes[..<length]), with: [.key(sample.key)])
      }
      if found != expected { Issue.record("length \(length): \(String(describing: found))") }
    }
  }

  @Test func `Appended bytes are detected when the file is opened`() throws {
    let sample = try Sample()
    let last = Array(sample.bytes[sample.sealedRange(2)])
    for tail in [[0], [UInt8](repeating: 0, count: Sample.sealedChunk), last] {
      #expect(code { try sample.read(sample.bytes + tail) } == .trailingBytes)
    }
  }

  @Test func `Chunks that are reordered or repeated are detected`() throws {
    let sample = try Sample(count: 3 * Sample.chunk)
    let chunks = (0..<3).map { Array(sample.bytes[sample.sealedRange($0)]) }
    for order in [[1, 0, 2], [0, 2, 1], [2, 1, 0], [0, 0, 2], [0, 1, 1], [2, 1, 2]] {
      let bytes = sample.bytes[..<sample.headerLength] + order.flatMap { chunks[$0] }
      let first = order.enumerated().first { $0.offset != $0.element }
      #expect(
        error { try sample.read(Array(bytes)) }
          == SealError(.damagedChunk, chunkIndex: first?.offset))
    }
  }

  @Test func `A chunk or a payload of another file with the same key is detected`() throws {
    let sample = try Sample()
    let other = try Sample(key: sample.key)
    var spliced = sample.bytes
    spliced.replaceSubrange(sample.sealedRange(1), with: other.bytes[other.sealedRange(1)])
    #expect(error { try sample.read(spliced) } == SealError(.damagedChunk, chunkIndex: 1))
    let exchanged =
      sample.bytes[..<sample.headerLength] + other.bytes[other.headerLength...]
    #expect(
      error { try sample.read(Array(exchanged)) } == SealError(.damagedChunk, chunkIndex: 0))
  }

  @Test func `The header MAC detects a last chunk that is removed with its length`() throws {
    let sample = try Sample(count: 3 * Sample.chunk)
    var length: [UInt8] = []
    length.appendLittleEndian(UInt64(2 * Sample.chunk))
    let forged = try sample.forged { $0.replaceSubrange(32..<40, with: length) }
    let bytes = Array(forged.dropLast(Sample.sealedChunk))
    #expect(code { try sample.read(bytes) } == .damagedHeader)
  }

  @Test func `A chunk shows whether it is the last, even when the header is forged`() throws {
    // A holder of the data key can write a header for a shorter payload.
    let key = try SealKey.generate()
    let randomness = try SealRandomness.fresh(for: [.key(key)])
    func sealed(_ count: Int) throws -> [UInt8] {
      try SealPlan(
        recipients: [.key(key)], options: SealOptions(chunkSize: .kibibytes4),
        randomness: randomness
      ).sealed(pattern(count).span)
    }
    let two = try sealed(2 * Sample.chunk)
    let three = try sealed(3 * Sample.chunk)
    let header = try SealedFile.inspect(bytes: two).headerLength
    let cut = two[..<header] + three[header...].dropLast(Sample.sealedChunk)
    let opened = try SealedFile.open(bytes: Array(cut), with: [.key(key)])
    #expect(try opened.read(0..<Sample.chunk) == Array(pattern(2 * Sample.chunk)[..<Sample.chunk]))
    #expect(error { try opened.read() } == SealError(.damagedChunk, chunkIndex: 1))
  }
}
