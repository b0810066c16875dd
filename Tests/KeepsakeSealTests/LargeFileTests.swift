import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `A file beyond 4 GiB` {
  /// Only the header and two chunks are written; the rest of the file is a hole.
  @Test func `Chunks beyond 4 GiB are read at their offset`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/large"
      let key = try SealKey.generate()
      let length = (5 << 30) + 10
      let plan = try SealPlan(
        recipients: [.key(key)], options: SealOptions(chunkSize: .mebibyte1))
      let payload = plan.payload(plaintextLength: length)
      let layout = payload.layout
      try write(plan.header(plaintextLength: length).bytes, to: path)
      #expect(run("truncate", "-s", "\(layout.fileSize)", path))
      let last = layout.chunkCount - 1
      let sealed = try XChaCha20Poly1305.seal(
        pattern(10), key: payload.cipher.payloadKey,
        nonce: payload.cipher.nonce(of: last, isFinal: true))
      try write(sealed, to: directory + "/part")
      #expect(
        run(
          "dd", "if=\(directory)/part", "of=\(path)", "bs=1", "conv=notrunc",
          "seek=\(layout.offset(of: last))"))

      let opened = try SealedFile.open(path, with: [.key(key)])
      #expect(opened.plaintextLength == length)
      #expect(try opened.read(length - 10..<length) == pattern(10))
      #expect(
        error { try opened.read(4 << 30..<(4 << 30) + 1) }
          == SealError(.damagedChunk, path: path, chunkIndex: 4096))
      #expect(code { try opened.read() } == .limitExceeded)
    }
  }

  /// Only the chunks of this file of 1 GiB that are read exist; the rest is a hole.
  @Test func `Small reads in a file of 1 GiB open only the chunks that they need`() throws {
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
      let file = try SealedFile.open(path, with: [.key(key)])
      // A reader of an archive reads the end, the tables before it, a directory and a record.
      #expect(try file.read(length - 64..<length) == Array(part[65_472...]))
      #expect(try file.read(length - 70_000..<length - 60_000).count == 10_000)
      #expect(try file.read(8_000 << 16..<(8_000 << 16) + 100) == Array(part[..<100]))
      for offset in stride(from: 0, to: 60_000, by: 1_000) {
        let start = 12_345 << 16 + offset
        #expect(try file.read(start..<start + 8) == Array(part[offset..<offset + 8]))
      }
      // The rest is a hole.
      #expect(error { try file.read(4_000 << 16..<4_000 << 16 + 1) }?.chunkIndex == 4_000)
    }
  }
}
