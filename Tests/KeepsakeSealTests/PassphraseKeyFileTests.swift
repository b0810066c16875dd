import Foundation
import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `A key file under a passphrase` {
  /// The least cost of Argon2id, so that tests are quick.
  private static let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
  private static let length = 248

  private func passphrase(_ text: String) throws -> SealPassphrase {
    try SealPassphrase(copying: Array(text.utf8).span)
  }

  private func withKeyFile(_ body: (String, SealKey) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let key = try SealKey.create(
        at: path, passphrase: try passphrase("right"), cost: Self.cost)
      try body(path, key)
    }
  }

  @Test func `A key file opens with its passphrase, and has mode 0600`() throws {
    try withKeyFile { path, key in
      #expect(try contents(of: path).count == Self.length && permissions(of: path) == 0o600)
      let opened = try SealKey.read(at: path, passphrase: try passphrase("right"))
      #expect(opened.isEqual(to: key))
    }
  }

  @Test func `A key file does not open with another passphrase`() throws {
    try withKeyFile { path, _ in
      for wrong in ["wrong", "Right", "right "] {
        let wrong = try passphrase(wrong)
        let failure = error { try SealKey.read(at: path, passphrase: wrong) }
        #expect(failure?.code == .noMatchingKey && failure?.path == path)
      }
    }
  }

  @Test func `A key file with any changed byte is damaged`() throws {
    try withKeyFile { path, _ in
      let bytes = try contents(of: path)
      let right = try passphrase("right")
      for offset in 0..<Self.length {
        var damaged = bytes
        damaged[offset] ^= 1
        let refusal = code { try PassphraseKeyFile.decode(damaged, right, SealPolicy()) }
        #expect(refusal == (offset < 8 ? .notKeyFile : .keyFileDamaged), "byte \(offset)")
      }
    }
  }

  @Test func `A key file with a wrong slot is damaged, even with a matching check`() throws {
    let right = try passphrase("right")
    let original = try PassphraseKeyFile.encode(try SealKey.generate(), right, Self.cost)
    // Type, mark, and a cost of no passes.
    for (offset, value, detail) in [
      (40, UInt8(1), "unused slot bytes"), (40, 0, "slot of type 0"),
      (40, 99, "not that of a passphrase key file"), (42, 0, "of a sealed file"),
      (42, 1, "of a sealed file"), (42, 3, "unused slot bytes"), (42, 4, "unused slot bytes"),
      (44, 0, "passphrase cost below"),
    ] {
      var bytes = original
      bytes[offset] = value
      bytes.replaceSubrange(232..., with: try Blake2b.hash(Array(bytes[..<232]))[..<16])
      let refusal = error { try PassphraseKeyFile.decode(bytes, right, SealPolicy()) }
      #expect(refusal?.code == .keyFileDamaged, "byte \(offset)")
      #expect(refusal?.description.contains(detail) == true, "\(refusal?.description ?? "")")
    }
  }

  @Test func `A key file whose cost exceeds the limits is refused before Argon2id runs`() throws {
    let right = try passphrase("right")
    let original = try PassphraseKeyFile.encode(try SealKey.generate(), right, Self.cost)
    for (offset, value) in [(44, UInt8(17)), (47, 1), (51, 1)] {
      var bytes = original
      bytes[offset] = value
      bytes.replaceSubrange(232..., with: try Blake2b.hash(Array(bytes[..<232]))[..<16])
      let refusal = code { try PassphraseKeyFile.decode(bytes, right, SealPolicy()) }
      #expect(refusal == .limitExceeded, "byte \(offset)")
    }
  }

  @Test func `An absent, short, long, accessible or irregular key file is refused`()
    throws
  {
    try withKeyFile { path, _ in
      let right = try passphrase("right")
      let bytes = try contents(of: path)
      func refusal(_ path: String) -> SealError.Code? {
        code { try SealKey.read(at: path, passphrase: right) }
      }
      #expect(refusal(path + "-absent") == .keyFileAbsent)
      for length in [0, Self.length - 1, Self.length + 1] {
        try write(Array((bytes + [0]).prefix(length)), to: path)
        #expect(refusal(path) == .keyFileWrongLength)
      }
      try write(bytes, to: path)
      try setPermissions(0o640, of: path)
      #expect(refusal(path) == .keyFileOpenPermissions)
      try FileManager.default.removeItem(atPath: path)
      #expect(run("mkdir", path) && refusal(path) == .notRegularFile)
    }
  }

  @Test func `A key file gets another passphrase and keeps its key`() throws {
    try withKeyFile { path, key in
      let (right, new) = (try passphrase("right"), try passphrase("new"))
      let before = try contents(of: path)
      let failed = code {
        try SealKey.changePassphrase(at: path, from: new, to: right, cost: Self.cost)
      }
      #expect(try failed == .noMatchingKey && contents(of: path) == before)
      try SealKey.changePassphrase(at: path, from: right, to: new, cost: Self.cost)
      #expect(code { try SealKey.read(at: path, passphrase: right) } == .noMatchingKey)
      #expect(try SealKey.read(at: path, passphrase: new).isEqual(to: key))
      #expect(try contents(of: path)[8..<40] != before[8..<40])
    }
  }

  @Test func `A key file is never replaced by a new one`() throws {
    try withKeyFile { path, _ in
      let before = try contents(of: path)
      let right = try passphrase("right")
      let refusal = code {
        try SealKey.create(at: path, passphrase: right, cost: Self.cost)
      }
      #expect(try refusal == .alreadyExists && contents(of: path) == before)
    }
  }
}
