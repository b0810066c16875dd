import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `A file beyond 4 GiB` {
  /// Only the header and two chunks are written; the rest of the file is a hole.
  @Test func `Chunks beyond 4 GiB are found at their place`() throws {
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
}
