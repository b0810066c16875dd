import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `Freshness` {
  private let key: SealKey

  init() throws { key = try .generate() }

  private func sealed(_ generation: UInt64) throws -> [UInt8] {
    try SealedFile.seal([1].span, for: [.key(key)], options: SealOptions(generation: generation))
  }

  private func open(
    _ bytes: [UInt8], _ expectation: SealExpectation
  ) throws -> SealedFile {
    try SealedFile.open(bytes: bytes, with: [.key(key)], expecting: expectation)
  }

  @Test func `Without an expectation the freshness is unverified`() throws {
    let bytes = try sealed(3)
    #expect(try open(bytes, .nothing).freshness == .unverified)
    #expect(try SealedFile.open(bytes: bytes, with: [.key(key)]).freshness == .unverified)
  }

  @Test func `An older generation is refused`() throws {
    let bytes = try sealed(3)
    #expect(try open(bytes, .atLeast(generation: 3)).freshness == .notOlder)
    #expect(try open(bytes, .atLeast(generation: 0)).freshness == .notOlder)
    let failure = error { try open(bytes, .atLeast(generation: 4)) }
    #expect(failure == SealError(.staleFile, detail: "generation 3, expected at least 4"))
  }

  @Test func `A pin accepts its own file and later generations`() throws {
    let (second, third, fourth) = (try sealed(2), try sealed(3), try sealed(4))
    let pin = try open(third, .nothing).pin
    #expect(pin.generation == 3)
    #expect(try open(third, .notBefore(pin)).freshness == .sameHeader)
    #expect(try open(fourth, .notBefore(pin)).freshness == .notOlder)
    #expect(code { try open(second, .notBefore(pin)) } == .staleFile)
    // Only the file that was seen can be the latest one of its generation.
    let sibling = try sealed(3)
    #expect(code { try open(sibling, .notBefore(pin)) } == .staleFile)
  }

  @Test func `An exact pin accepts only its own file`() throws {
    let (third, fourth) = (try sealed(3), try sealed(4))
    let pin = try open(third, .nothing).pin
    #expect(try open(third, .exactly(pin)).freshness == .sameHeader)
    #expect(code { try open(fourth, .exactly(pin)) } == .staleFile)
  }

  @Test func `An old header with a removed slot is refused when it is put back`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let other = try SealKey.generate()
      let written = try SealedFile.seal(
        pattern(100).span, to: path, for: [.key(key), .key(other)],
        options: SealOptions(generation: 1))
      let old = try contents(of: path)
      let summary = try SealedFile.rewrap(
        path, with: [.key(key)], removing: [.recipient(.key(other))]
      ).summary
      #expect(summary.fileID == written.fileID)
      let pin = SealedFilePin(summary, generation: 1)
      #expect(try SealedFile.open(path, with: [.key(key)], expecting: .exactly(pin)).pin == pin)
      try write(old, to: path)
      for expectation in [SealExpectation.exactly(pin), .notBefore(pin)] {
        let failure = error {
          try SealedFile.open(path, with: [.key(key)], expecting: expectation)
        }
        #expect(failure?.code == .staleFile)
        #expect(failure?.path == path)
      }
    }
  }

  @Test func `A pin survives a round trip through its bytes`() throws {
    let pin = try open(sealed(0x0102_0304_0506_0708), .nothing).pin
    #expect(pin.bytes.count == SealedFilePin.byteCount)
    #expect(try SealedFilePin(bytes: pin.bytes) == pin)
    #expect(Array(pin.bytes[32..<40]) == [8, 7, 6, 5, 4, 3, 2, 1])
    for length in [0, 72, 103, 105] {
      #expect(code { try SealedFilePin(bytes: pattern(length)) } == .invalidPin)
    }
  }

  @Test func `A content pin survives a round trip, and differs from the header's pin`()
    throws
  {
    let opened = try SealedFile.open(bytes: sealed(7), with: [.key(key)])
    let pin = try opened.contentPin()
    #expect(try SealedFilePin(bytes: pin.bytes) == pin)
    #expect(pin.bytes[72...] == pin.contentDigest?[...])
    #expect(opened.pin.bytes[72...].allSatisfy { $0 == 0 })
    #expect(pin != opened.pin && pin.hasHeader(of: opened.pin))
  }

  @Test func `A writer returns the content digest when its options request it`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      var options = SealOptions(chunkSize: .kibibytes4, generation: 1)
      #expect(
        try SealedFile.seal(pattern(99).span, to: path, for: [.key(key)], options: options)
          .contentDigest
          == nil)
      options.computesContentDigest = true
      for count in [99, 300 * 4_096] {
        let summary = try SealedFile.seal(
          pattern(count).span, to: path, for: [.key(key)], options: options)
        #expect(!summary.isSigned && summary.contentDigest != nil)
        let pin = SealedFilePin(summary, generation: 1)
        let opened = try SealedFile.open(path, with: [.key(key)], expecting: .exactly(pin))
        #expect(opened.freshness == .exact)
        #expect(try opened.read() == pattern(count))
        #expect(try SealedFile.open(path, with: [.key(key)]).contentPin() == pin)
        let writer = try SealedFileWriter(to: path, for: [.key(key)], options: options)
        try writer.write(pattern(count).span)
        let other = SealedFilePin(try writer.finish(), generation: 1)
        #expect(try SealedFile.open(path, with: [.key(key)]).contentPin() == other)
      }
    }
  }

  @Test func `A pin detects a change that is made after the opening`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let options = SealOptions(chunkSize: .kibibytes4, computesContentDigest: true)
      let summary = try SealedFile.seal(
        pattern(9_000).span, to: path, for: [.key(key)], options: options)
      let opened = try SealedFile.open(
        path, with: [.key(key)], expecting: .exactly(SealedFilePin(summary, generation: 0)))
      let header = try UnlockedHeader(
        SealedSource(path: path).header(policy: SealPolicy()), identities: [.key(key)], context: [],
        policy: SealPolicy())
      let other = try header.payload().seal(
        pattern(9_000, seed: 2).span, after: header.header.bytes, threads: 1, progress: .none)
      let file = try Directory(path: directory).openForWriting("f")
      try file.write(other.span, at: 0)
      #expect(error { try opened.read(0..<1) }?.code == .damagedChunk)
    }
  }

  @Test func `Accidental damage is distinguished from other content`() throws {
    let options = SealOptions(chunkSize: .kibibytes4)
    var bytes = try SealedFile.seal(pattern(9_000).span, for: [.key(key)], options: options)
    let pin = try SealedFile.open(bytes: bytes, with: [.key(key)]).contentPin()
    bytes[bytes.count - 1] ^= 1
    #expect(
      error { try open(bytes, .exactly(pin)) } == SealError(.damagedChunk, chunkIndex: 2))
    let damaged = try SealedFile.open(bytes: bytes, with: [.key(key)])
    #expect(error { try damaged.contentPin() }?.code == .damagedChunk)
    // A file with another header is not read beyond it.
    #expect(code { try open(sealed(0), .exactly(pin)) } == .staleFile)
  }

  @Test func `A wrong key is reported before the freshness is checked`() throws {
    let bytes = try sealed(1)
    let other = try SealKey.generate()
    let failure = error {
      try SealedFile.open(
        bytes: bytes, with: [.key(other)], expecting: .atLeast(generation: 9))
    }
    #expect(failure?.code == .noMatchingKey)
  }
}
