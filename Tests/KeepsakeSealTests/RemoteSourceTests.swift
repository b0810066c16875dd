import Synchronization
import Testing

@testable import KeepsakeSeal

@Suite struct `A source of the app's own` {
  /// Sealed bytes in memory; records the ranges that are read.
  private final class Storage: SealedFileSource {
    let bytes: [UInt8]
    let reads = Mutex<[Range<Int>]>([])
    let answer: @Sendable ([UInt8]) throws -> [UInt8]

    init(_ bytes: [UInt8], answer: @escaping @Sendable ([UInt8]) throws -> [UInt8] = { $0 }) {
      self.bytes = bytes
      self.answer = answer
    }

    var byteCount: Int { bytes.count }

    func read(_ range: Range<Int>) throws -> [UInt8] {
      reads.withLock { $0.append(range) }
      return try answer(Array(bytes[range]))
    }
  }

  private struct Offline: Error {}

  @Test func `A pin of the content reads each chunk once`() throws {
    let key = try SealKey.generate()
    let options = SealOptions(chunkSize: .kibibytes4, computesContentDigest: true)
    let storage = Storage(
      try SealedFile.seal(pattern((1 << 20) + 9_000).span, for: [.key(key)], options: options))
    let file = try SealedFile.open(source: storage, with: [.key(key)])
    storage.reads.withLock { $0 = [] }
    #expect(try file.contentPin().contentDigest != nil)
    let chunks = storage.byteCount - file.summary.headerLength
    #expect(storage.reads.withLock { $0.map(\.count).reduce(0, +) } == chunks)
  }

  @Test func `A preamble that changes between two reads is refused`() throws {
    let key = try SealKey.generate()
    let bytes = try SealedFile.seal(
      pattern(9_000).span, for: [.key(key)],
      options: SealOptions(chunkSize: .kibibytes4, padding: .padme))
    let isFirst = Mutex(true)
    // The padding is cut off, and the first answer states the shorter length; the second answer is covered by
    // the MAC.
    let storage = Storage(Array(bytes.dropLast(9_216 - 9_000))) { bytes in
      guard isFirst.withLock({ $0 }) else { return bytes }
      isFirst.withLock { $0 = false }
      var bytes = bytes
      bytes.replaceSubrange(32..<34, with: [0x28, 0x23])
      return bytes
    }
    #expect(
      code { try SealedFile.open(source: storage, with: [.key(key)]) } == .changedMeanwhile)
  }

  @Test func `Only the header and the chunks of the range are read`() throws {
    let sample = try Sample(count: 100 * Sample.chunk)
    let storage = Storage(sample.bytes)
    let opened = try SealedFile.open(source: storage, with: [.key(sample.key)])
    #expect(storage.reads.withLock { $0 } == [0..<128, 0..<sample.headerLength])
    for range in [0..<1, 4095..<4097, 50_000..<90_000, 409_599..<409_600, 5..<5] {
      storage.reads.withLock { $0 = [] }
      #expect(try opened.read(range) == Array(sample.plaintext[range]))
      let expected = try opened.ciphertextRange(forPlaintext: range)
      let asked = storage.reads.withLock { $0 }
      #expect(asked == (expected.isEmpty ? [] : [expected]))
    }
  }

  @Test func `The ciphertext range is whole chunks with their tags`() throws {
    let sample = try Sample()
    let summary = try SealedFile.inspect(bytes: sample.bytes)
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)])
    let first = sample.sealedRange(0), last = sample.sealedRange(2)
    for (range, expected) in [
      (0..<1, first), (0..<4096, first),
      (4095..<4097, first.lowerBound..<sample.sealedRange(1).upperBound),
      (8192..<8292, last), (0..<8292, first.lowerBound..<sample.bytes.count),
      (8292..<8292, first.lowerBound..<first.lowerBound),
    ] {
      #expect(try opened.ciphertextRange(forPlaintext: range) == expected)
      #expect(try summary.ciphertextRange(forPlaintext: range) == expected)
    }
    for range in [-1..<2, 5..<8293, 0..<Int.max] {
      #expect(code { try opened.ciphertextRange(forPlaintext: range) } == .invalidRange)
      #expect(code { try summary.ciphertextRange(forPlaintext: range) } == .invalidRange)
    }
  }

  @Test func `An error of the source and a wrong count are reported as its failures`() throws {
    let sample = try Sample()
    let offline = error {
      try SealedFile.open(
        source: Storage(sample.bytes) { _ in throw Offline() }, with: [.key(sample.key)])
    }
    #expect(offline == SealError(.sourceFailed, detail: "Offline()"))
    #expect(offline?.underlyingError is Offline)
    for change: @Sendable ([UInt8]) -> [UInt8] in [{ Array($0.dropLast()) }, { $0 + [0] }] {
      let failure = error {
        try SealedFile.open(
          source: Storage(sample.bytes, answer: change), with: [.key(sample.key)])
      }
      #expect(failure?.code == .sourceFailed)
    }
  }

  @Test func `The bytes of a source are verified`() throws {
    let sample = try Sample()
    let storage = Storage(sample.bytes) { bytes in
      bytes.count == Sample.sealedChunk ? Array(bytes.reversed()) : bytes
    }
    let opened = try SealedFile.open(source: storage, with: [.key(sample.key)])
    #expect(error { try opened.read(0..<10) } == SealError(.damagedChunk, chunkIndex: 0))
    let negative = Storage([])
    #expect(code { try SealedFile.open(source: negative, with: [.key(sample.key)]) } == .emptyFile)
  }
}
