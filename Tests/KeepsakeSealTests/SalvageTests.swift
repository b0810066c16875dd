import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Salvaging a damaged file` {
  private let sample: Sample

  init() throws { sample = try Sample(count: 5 * Sample.chunk + 100) }

  /// The parts that are recovered from a file, and the lost ranges.
  private func salvage(
    _ bytes: [UInt8]
  ) throws -> (parts: [Int: [UInt8]], lost: [Range<Int>]) {
    try withTemporaryDirectory { directory in
      try write(bytes, to: directory + "/f")
      var parts: [Int: [UInt8]] = [:]
      let lost = try SealedFile.salvage(directory + "/f", with: [.key(sample.key)]) {
        offset, bytes in
        parts[offset] = bytes.indices.map { bytes[$0] }
      }
      return (parts, lost)
    }
  }

  /// True when exactly the given chunks were recovered, unchanged.
  private func isIntact(_ parts: [Int: [UInt8]], _ chunks: [Int]) -> Bool {
    parts.keys.sorted() == chunks.map { $0 * Sample.chunk }
      && parts.allSatisfy { offset, bytes in
        Array(sample.plaintext[offset...].prefix(Sample.chunk)) == bytes
      }
  }

  @Test func `All of an intact file is recovered`() throws {
    let (parts, lost) = try salvage(sample.bytes)
    #expect(isIntact(parts, Array(0...5)))
    #expect(lost == [])
  }

  @Test func `Damaged chunks are left out, and adjacent ones are reported as one range`() throws {
    var bytes = sample.bytes
    for chunk in [1, 2, 5] { bytes[sample.sealedRange(chunk).upperBound - 1] ^= 1 }
    let (parts, lost) = try salvage(bytes)
    #expect(isIntact(parts, [0, 3, 4]))
    #expect(lost == [4096..<12_288, 20_480..<20_580])
  }

  @Test func `The whole chunks before the cut of a truncated file are recovered`() throws {
    for (length, intact) in [
      (sample.sealedRange(3).lowerBound, [0, 1, 2]),
      (sample.sealedRange(3).lowerBound + 1, [0, 1, 2]),
      (sample.headerLength, []), (sample.bytes.count - 1, [0, 1, 2, 3, 4]),
    ] {
      let (parts, lost) = try salvage(Array(sample.bytes[..<length]))
      #expect(isIntact(parts, intact))
      #expect(lost == [intact.count * Sample.chunk..<sample.plaintext.count])
    }
  }

  @Test func `Bytes after the end are ignored, and moved chunks are left out`() throws {
    #expect(try salvage(sample.bytes + [1, 2, 3]).lost == [])
    var swapped = sample.bytes
    swapped.replaceSubrange(sample.sealedRange(0), with: sample.bytes[sample.sealedRange(1)])
    swapped.replaceSubrange(sample.sealedRange(1), with: sample.bytes[sample.sealedRange(0)])
    let (parts, lost) = try salvage(swapped)
    #expect(isIntact(parts, [2, 3, 4, 5]))
    #expect(lost == [0..<2 * Sample.chunk])
  }

  @Test func `Without an intact header or the key, nothing is recovered`() throws {
    var bytes = sample.bytes
    bytes[200] ^= 1
    #expect(code { try salvage(bytes) } == .damagedHeader)
    for length in [sample.headerLength - 1, 200] {
      let failure = error { try salvage(Array(sample.bytes[..<length])) }
      #expect(failure?.code == .truncated && failure?.detail == "it ends within the header")
    }
    let other = try Sample(count: 10)
    #expect(code { try salvage(other.bytes) } == .noMatchingKey)
  }

  @Test func `A receiver can stop the recovery with its own error`() throws {
    struct Enough: Error {}
    try withTemporaryDirectory { directory in
      try write(sample.bytes, to: directory + "/f")
      #expect(throws: Enough.self) {
        _ = try SealedFile.salvage(directory + "/f", with: [.key(sample.key)]) { _, _ in
          throw Enough()
        }
      }
    }
  }
}
