import Testing

@testable import KeepsakeSeal

@Suite struct `Reading a stream` {
  private let key: SealKey

  init() throws { key = try .generate() }

  private func opened(
    _ count: Int, chunkSize: SealOptions.ChunkSize = .kibibytes4, threads: Int? = nil
  ) throws -> SealedFile {
    let plaintext = pattern(count)
    let bytes = try SealedFile.seal(
      plaintext.span, for: [.key(key)], options: SealOptions(chunkSize: chunkSize))
    return try SealedFile.open(
      bytes: bytes, with: [.key(key)], policy: SealPolicy(threadCount: threads))
  }

  @Test(arguments: [0, 1, 4096, 1 << 20, (1 << 20) + 1, (3 << 20) + 77])
  func `The segments add up to the plaintext`(count: Int) throws {
    for threads in [1, 4] {
      var reader = try opened(count, threads: threads).makeReader()
      var plaintext: [UInt8] = []
      while let segment = try reader.next() {
        #expect(!segment.isEmpty)
        plaintext += segment
        #expect(reader.offset == plaintext.count)
      }
      #expect(plaintext == pattern(count))
      #expect(try reader.next() == nil)
    }
  }

  @Test func `Pieces of any size and segments add up to the plaintext`() throws {
    let count = (2 << 20) + 77
    var reader = try opened(count).makeReader()
    var plaintext: [UInt8] = []
    var size = 1
    while plaintext.count < count {
      plaintext += try [UInt8](capacity: size) { output throws in try reader.read(into: &output) }
      size = size * 7 % 500_009
      if size % 5 == 0, let segment = try reader.next() { plaintext += segment }
    }
    #expect(plaintext == pattern(count))
    let rest = try [UInt8](capacity: 10) { output throws in try reader.read(into: &output) }
    #expect(rest.isEmpty)
  }

  @Test func `A reader can start and continue anywhere`() throws {
    let file = try opened(100_000)
    for offset in [0, 1, 4095, 4096, 50_001, 99_999] {
      var reader = try file.makeReader(at: offset)
      #expect(try reader.next()?.first == pattern(100_000)[offset])
      try reader.skip(to: 7)
      let piece = try [UInt8](capacity: 3) { output throws in try reader.read(into: &output) }
      #expect(piece == Array(pattern(100_000)[7..<10]))
    }
    var end = try file.makeReader(at: 100_000)
    #expect(try end.next() == nil)
    #expect(code { try file.makeReader(at: 100_001) } == .invalidRange)
    #expect(code { try file.makeReader(at: -1) } == .invalidRange)
  }

  @Test func `A damaged chunk stops the reader, which can continue after it`() throws {
    let sample = try Sample(count: 600 * Sample.chunk)
    var bytes = sample.bytes
    bytes[sample.sealedRange(300).lowerBound] ^= 1
    let file = try SealedFile.open(
      bytes: bytes, with: [.key(sample.key)], policy: SealPolicy(threadCount: 4))
    var reader = try file.makeReader()
    var read = 0
    let failure = error { while let segment = try reader.next() { read += segment.count } }
    #expect(failure?.chunkIndex == 300)
    #expect(read == 256 * Sample.chunk)
    #expect(reader.offset == read)
    #expect(code { try reader.next() } == .damagedChunk)
    try reader.skip(to: 301 * Sample.chunk)
    #expect(try reader.next() == Array(sample.plaintext[(301 * Sample.chunk)...].prefix(1 << 20)))
  }

  @Test func `The empty chunk of an empty file is verified`() throws {
    let bytes = try SealedFile.seal([UInt8]().span, for: [.key(key)])
    var changed = bytes
    changed[bytes.count - 1] ^= 1
    let file = try SealedFile.open(bytes: changed, with: [.key(key)])
    var reader = try file.makeReader()
    #expect(code { try reader.next() } == .damagedChunk)
    #expect(code { try file.read() } == .damagedChunk)
  }

  @Test func `Sequential, whole and range reads from many threads agree`() async throws {
    let count = (3 << 20) + 5
    let file = try opened(count, chunkSize: .kibibytes16)
    let plaintext = pattern(count)
    #expect(try file.read() == plaintext)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<8 {
        group.addTask {
          var reader = try file.makeReader(at: index * 1000)
          let segment = try reader.next() ?? []
          let range = index * 300_000..<index * 300_000 + 400_000
          return try Array(plaintext[(index * 1000)...].prefix(segment.count)) == segment
            && file.read(range) == Array(plaintext[range])
        }
      }
      for try await agrees in group { #expect(agrees) }
    }
  }

  @Test func `A range is appended to memory that the caller provides`() throws {
    let file = try opened(10_000)
    let bytes = try [UInt8](capacity: 6000) { output throws in
      try file.read(5..<10, into: &output)
      try file.read(4000..<9000, into: &output)
      let failure = error { try file.read(0..<2000, into: &output) }
      #expect(failure?.code == .invalidRange)
      try file.read(3..<3, into: &output)
    }
    #expect(bytes == Array(pattern(10_000)[5..<10]) + Array(pattern(10_000)[4000..<9000]))
  }

  @Test func `The caller's memory is zero after a range could not be read`() throws {
    let sample = try Sample()
    var bytes = sample.bytes
    bytes[sample.sealedRange(2).lowerBound] ^= 1
    let file = try SealedFile.open(
      bytes: bytes, with: [.key(sample.key)], policy: SealPolicy(threadCount: 1))
    let count = sample.plaintext.count
    var failure: SealError?
    // This memory also shows bytes that were not appended.
    let memory = try SecretBytes(
      count: 1 + count,
      writing: { output in
        output.append(7)
        failure = error { try file.read(0..<count, into: &output) }
      })
    #expect(failure?.code == .damagedChunk && failure?.chunkIndex == 2)
    #expect(memory.publicBytes(0..<1 + count) == [7] + [UInt8](repeating: 0, count: count))
  }
}
