import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Reading through a cache` {
  private let sample: Sample

  init() throws { sample = try Sample(count: 100 * Sample.chunk + 9) }

  private func cache(_ byteCount: Int = 1 << 20) throws -> SealedFileCache {
    SealedFileCache(
      try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)]), byteCount: byteCount)
  }

  @Test func `Every range equals the slice`() throws {
    let cache = try cache(4 * Sample.chunk)
    let count = sample.plaintext.count
    #expect(cache.byteCount == count)
    let offsets = [0, 1, 4095, 4096, 4097, 12_000, 200_000, count - 10, count - 1, count]
    for lower in offsets {
      for upper in offsets where upper >= lower {
        #expect(try cache.read(lower..<upper) == Array(sample.plaintext[lower..<upper]))
      }
    }
    for range in [-1..<1, 0..<count + 1, 0..<Int.max] {
      #expect(code { try cache.read(range) } == .invalidRange)
    }
  }

  @Test func `A chunk is opened once, however often it is read`() throws {
    let cache = try cache()
    for offset in 0..<500 { _ = try cache.read(offset..<offset + 8) }
    #expect(cache.openedChunkCount == 1)
    _ = try cache.read(4090..<4100)
    #expect(cache.openedChunkCount == 2)
    _ = try cache.read(0..<50 * Sample.chunk)
    #expect(cache.openedChunkCount == 50)
  }

  @Test func `The chunk that was not used for longest makes room`() throws {
    let cache = try cache(2 * Sample.chunk)
    #expect(cache.chunkCapacity == 2)
    func read(_ chunks: Int...) throws -> Int {
      for chunk in chunks { _ = try cache.read(chunk * Sample.chunk..<chunk * Sample.chunk + 1) }
      return cache.openedChunkCount
    }
    #expect(try read(0, 1, 0, 1) == 2)
    #expect(try read(0, 2) == 3)
    #expect(try read(0) == 3)
    #expect(try read(1) == 4)
    #expect(try read(0) == 4)
    #expect(try read(2) == 5)
  }

  @Test func `What does not fit is read past the cache, and pushes nothing out`() throws {
    let cache = try cache(2 * Sample.chunk)
    _ = try cache.read(0..<1)
    _ = try cache.read(0..<10 * Sample.chunk)
    #expect(cache.openedChunkCount == 11)
    _ = try cache.read(0..<1)
    #expect(cache.openedChunkCount == 11)
  }

  @Test func `A damaged chunk is refused each time, and no other`() throws {
    var bytes = sample.bytes
    bytes[sample.sealedRange(3).lowerBound] ^= 1
    let cache = SealedFileCache(try SealedFile.open(bytes: bytes, with: [.key(sample.key)]))
    for _ in 0..<2 {
      #expect(error { try cache.read(3 * 4096..<3 * 4096 + 1) }?.chunkIndex == 3)
    }
    #expect(try cache.read(0..<3 * 4096) == Array(sample.plaintext[..<(3 * 4096)]))
  }

  @Test func `Many threads read through one cache`() async throws {
    let cache = try cache(8 * Sample.chunk)
    let plaintext = sample.plaintext
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let start = index * 6151 % 390_000
          return try cache.read(start..<start + 9000) == Array(plaintext[start..<start + 9000])
        }
      }
      for try await agrees in group { #expect(agrees) }
    }
  }

  /// A file of 1 GiB, of which only the chunks that are read exist; the rest is a hole.
  @Test func `Small reads in a file of 1 GiB open the chunks that they touch, and no others`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/large"
      let key = try SealKey.generate()
      let length = 1 << 30
      let plan = try SealPlan(recipients: [.key(key)], options: SealOptions())
      let payload = plan.payload(plaintextLength: length)
      try write(plan.header(plaintextLength: length).bytes, to: path)
      #expect(run("truncate", "-s", "\(payload.layout.fileSize)", path))
      let touched = [16_383, 16_382, 8_000, 12_345]
      let part = pattern(65_536)
      for chunk in touched {
        let sealed = try XChaCha20Poly1305.seal(
          part, key: payload.cipher.payloadKey,
          nonce: payload.cipher.nonce(of: chunk, isFinal: chunk == 16_383))
        try write(sealed, to: directory + "/part")
        #expect(
          run(
            "dd", "if=\(directory)/part", "of=\(path)", "bs=65536", "conv=notrunc",
            "oflag=seek_bytes", "seek=\(payload.layout.offset(of: chunk))"))
      }
      let cache = SealedFileCache(try SealedFile.open(path, with: [.key(key)]))
      // As a reader of an archive does: the end, tables before it, a directory, a record.
      #expect(try cache.read(length - 64..<length) == Array(part[65_472...]))
      #expect(try cache.read(length - 70_000..<length - 60_000).count == 10_000)
      #expect(try cache.read(8_000 << 16..<(8_000 << 16) + 100) == Array(part[..<100]))
      for offset in stride(from: 0, to: 60_000, by: 1_000) {
        let start = 12_345 << 16 + offset
        #expect(try cache.read(start..<start + 8) == Array(part[offset..<offset + 8]))
      }
      #expect(cache.openedChunkCount == touched.count)
    }
  }
}
