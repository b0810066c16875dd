import KeepsakeSeal
import TestSupport
import Testing

@Suite struct `Reading a range` {
  @Test func `Each range around the ends of chunks is read as the slice of the plaintext`() throws {
    let sample = try Sample()
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)])
    let count = sample.plaintext.count
    let offsets = [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, count - 1, count]
    for lower in offsets {
      for upper in offsets where upper >= lower {
        #expect(try opened.read(lower..<upper) == Array(sample.plaintext[lower..<upper]))
      }
    }
  }

  @Test func `A range across batches of a file is read as the slice of the plaintext`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let plaintext = pattern(9 << 20)
      try SealedFile.seal(plaintext.span, to: directory + "/f", for: [.key(key)])
      let opened = try SealedFile.open(directory + "/f", with: [.key(key)])
      for range in [100..<(9 << 20) - 100, (4 << 20) - 1..<(4 << 20) + 1, 65_536..<131_072] {
        #expect(try opened.read(range) == Array(plaintext[range]))
      }
    }
  }

  @Test func `A range outside the plaintext is refused`() throws {
    let sample = try Sample(count: 10)
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)])
    for range in [-1..<2, 5..<11, 11..<11, Int.min..<Int.max, 0..<Int.max] {
      #expect(code { try opened.read(range) } == .invalidRange)
    }
    #expect(try opened.read(10..<10).isEmpty)
  }

  @Test func `The error of a range outside the plaintext names the file`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let path = directory + "/f"
      try SealedFile.seal(pattern(10).span, to: path, for: [.key(key)])
      let opened = try SealedFile.open(path, with: [.key(key)])
      var reader = try opened.makeReader()
      for failure in [
        error { try opened.read(5..<11) },
        error { try opened.ciphertextRange(forPlaintext: 5..<11) },
        error { try reader.skip(to: 11) },
      ] {
        #expect(failure?.code == .invalidRange && failure?.path == path)
        #expect(failure?.description.contains("of 10 bytes") == true)
      }
    }
  }

  @Test func `A damaged chunk does not prevent reading the others`() throws {
    let sample = try Sample()
    var bytes = sample.bytes
    bytes[sample.sealedRange(1).lowerBound] ^= 1
    let opened = try SealedFile.open(bytes: bytes, with: [.key(sample.key)])
    #expect(try opened.read(0..<4096) == Array(sample.plaintext[..<4096]))
    #expect(try opened.read(8192..<8292) == Array(sample.plaintext[8192...]))
    let failure = error { try opened.read(4095..<4097) }
    #expect(failure?.code == .damagedChunk)
    #expect(failure?.chunkIndex == 1)
    #expect(error { try opened.read() }?.chunkIndex == 1)
  }

  @Test func `A file that shrinks after it was opened is truncated, not read beyond`() throws {
    try withTemporaryDirectory { directory in
      let sample = try Sample()
      let path = directory + "/f"
      try write(sample.bytes, to: path)
      let opened = try SealedFile.open(path, with: [.key(sample.key)])
      #expect(run("truncate", "-s", "\(sample.headerLength + 5000)", path))
      #expect(try opened.read(0..<4096) == Array(sample.plaintext[..<4096]))
      let failure = error { try opened.read() }
      #expect(failure?.code == .truncated)
      #expect(failure?.path == path)
    }
  }
}
