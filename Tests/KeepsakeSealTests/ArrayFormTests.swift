import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `Bytes in arrays, and passphrases as text` {
  @Test func `Arrays of bytes are sealed like spans`() throws {
    try withTemporaryDirectory { directory in
      let (path, key) = (directory + "/f", try SealKey.generate())
      #expect(
        try SealedFile.open(
          bytes: SealedFile.seal(pattern(9), for: [.key(key)]), with: [.key(key)]
        ).read() == pattern(9))
      try SealedFile.seal(pattern(10), to: path, for: [.key(key)])
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == pattern(10))
      let writer = try SealedFileWriter(to: path, for: [.key(key)])
      try writer.write(pattern(11))
      try writer.finish()
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == pattern(11))
      try DurableFile.replace(at: path, with: pattern(12))
      #expect(try contents(of: path) == pattern(12))
      try DurableFile.createExclusively(at: path + "2", with: pattern(13))
      #expect(try contents(of: path + "2") == pattern(13))
      #expect(try permissions(of: path) == 0o600 && permissions(of: path + "2") == 0o600)
      #expect(code { try DurableFile.createExclusively(at: path, with: [1]) } == .alreadyExists)
    }
  }

  @Test func `Arrays of bytes make the same keys as spans`() throws {
    let bytes = pattern(32)
    #expect(try SealKey(copying: bytes).isEqual(to: SealKey(copying: bytes.span)))
    #expect(
      try X25519Identity(copying: bytes).recipient == X25519Identity(copying: bytes.span).recipient)
    #expect(
      try SealSigningKey(copying: bytes).signer == SealSigningKey(copying: bytes.span).signer)
    for count in [31, 33] {
      #expect(code { try SealKey(copying: pattern(count)) } == .invalidKeyLength)
    }
  }

  @Test func `A text of 1 to 4096 bytes is taken as its UTF-8`() throws {
    for text in ["p", "pass phrase ", "Ünïcode 🔑", String(repeating: "é", count: 2_048)] {
      #expect(
        try SealPassphrase(text).isEqual(to: SealPassphrase(copying: Array(text.utf8))))
    }
    #expect(try !SealPassphrase("p").isEqual(to: SealPassphrase("P")))
    for text in ["", String(repeating: "é", count: 2_048) + "x"] {
      #expect(code { try SealPassphrase(text) } == .invalidPassphrase)
    }
  }
}
