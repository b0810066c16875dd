import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Sealing again` {
  private let key: SealKey
  private let other: SealKey
  private let identity: X25519Identity
  private let plaintext = pattern((1 << 20) + 4096 * 3 + 5)

  init() throws {
    key = try .generate()
    other = try .generate()
    identity = try .generate()
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal(
        plaintext.span, to: path, for: [.key(key), .x25519(identity.recipient)],
        options: SealOptions(
          chunkSize: .kibibytes16, context: [1], publicMetadata: [2], generation: 5,
          creator: "tests"))
      try body(path)
      #expect(try names(in: directory) == ["f"])
    }
  }

  // Holds [S-108].
  @Test func `All secrets are new, and the metadata stays`() throws {
    try withFile { path in
      let before = try contents(of: path)
      try SealedFile.reseal(
        path, with: [.x25519(identity)],
        for: [.key(key), .x25519(identity.recipient), .key(other)], context: [1])
      let after = try contents(of: path)
      for unlocking: SealIdentity in [.key(key), .x25519(identity), .key(other)] {
        let opened = try SealedFile.open(path, with: [unlocking], context: [1])
        #expect(try opened.read() == plaintext)
        #expect(opened.generation == 5 && opened.creator == "tests")
        #expect(opened.summary.publicMetadata == [2])
        #expect(opened.summary.chunkSize == 16_384)
      }
      #expect(before[64..<96] != after[64..<96])
      #expect(before[96..<128] != after[96..<128])
      let chunk = 0..<16_400
      #expect(before.suffix(1000) != after.suffix(1000))
      let starts = (
        try SealedFile.inspect(bytes: before).headerLength,
        try SealedFile.inspect(bytes: after).headerLength
      )
      #expect(before[starts.0...].prefix(chunk.count) != after[starts.1...].prefix(chunk.count))
    }
  }

  // Holds [S-116] and [S-117].
  @Test func `A slot whose recipient is missing is named, and nothing is changed`() throws {
    try withFile { path in
      let before = try contents(of: path)
      let failure = error {
        try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)], context: [1])
      }
      #expect(failure?.code == .missingRecipient)
      #expect(failure?.slotIndex == 1)
      #expect(
        failure?.description
          == "A slot of the file at \"\(path)\" is for a recipient who was not named (slot 1, "
          + "X25519). Name its recipient, or say that the slot may stay or is to be dropped.")
      let both = error {
        try SealedFile.reseal(path, with: [.key(key)], for: [.key(other)], context: [1])
      }
      #expect(both?.slotIndex == 0)
      #expect(try contents(of: path) == before)
    }
  }

  @Test func `A dropped recipient cannot open the new file`() throws {
    for dropped: SealSlotSelection in [.slot(1), .recipient(.x25519(identity.recipient))] {
      try withFile { path in
        try SealedFile.reseal(
          path, with: [.key(key)], for: [.key(key)], dropping: [dropped], context: [1])
        let failure = error { try SealedFile.open(path, with: [.x25519(identity)], context: [1]) }
        #expect(failure?.code == .noMatchingKey)
        #expect(try SealedFile.open(path, with: [.key(key)], context: [1]).read() == plaintext)
      }
    }
  }

  @Test func `A recipient cannot be both in the list and dropped`() throws {
    try withFile { path in
      for dropped: SealSlotSelection in [.slot(0), .recipient(.key(key))] {
        let failure = error {
          try SealedFile.reseal(
            path, with: [.key(key)], for: [.key(key), .x25519(identity.recipient)],
            dropping: [dropped], context: [1])
        }
        #expect(failure?.code == .invalidKeys)
        #expect(failure?.slotIndex == 0)
      }
      #expect(
        code {
          try SealedFile.reseal(
            path, with: [.key(key)], for: [.key(key), .x25519(identity.recipient)],
            dropping: [.recipient(.key(other))], context: [1])
        } == .noSuchSlot)
    }
  }

  @Test(arguments: SealOptions.ChunkSize.allCases)
  func `Sealing again can change the chunk size and the context`(chunkSize: SealOptions.ChunkSize)
    throws
  {
    try withFile { path in
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key), .x25519(identity.recipient)],
        options: SealOptions(chunkSize: chunkSize, context: [7], generation: 6), context: [1])
      let opened = try SealedFile.open(path, with: [.key(key)], context: [7])
      #expect(opened.summary.chunkSize == chunkSize.byteCount)
      #expect(opened.generation == 6)
      #expect(try opened.read() == plaintext)
      // Sealing again also restores the old chunk size and context.
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key), .x25519(identity.recipient)],
        options: SealOptions(chunkSize: .kibibytes16), context: [7])
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == plaintext)
    }
  }

  @Test func `An empty file can be sealed again`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let nothing: [UInt8] = []
      try SealedFile.seal(nothing.span, to: path, for: [.key(key)])
      try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)])
      #expect(try SealedFile.open(path, with: [.key(key)]).read().isEmpty)
    }
  }

  @Test func `Replacing the content drops no slot unless the caller allows it`() throws {
    try withFile { path in
      let before = try contents(of: path)
      let failure = error {
        try SealedFile.replaceContent(of: path, with: [.key(key)], for: [.key(key)], context: [1]) {
          _ in (content: [9], result: ())
        }
      }
      #expect(failure?.code == .missingRecipient)
      #expect(failure?.slotIndex == 1)
      #expect(try contents(of: path) == before)
      let result = try SealedFile.replaceContent(
        of: path, with: [.key(key)], for: [.key(key)], dropsOthers: true, context: [1]
      ) { old in (content: Array(old.prefix(3)), result: old.count) }
      #expect(result == plaintext.count)
      let opened = try SealedFile.open(path, with: [.key(key)], context: [1])
      #expect(try opened.read() == Array(plaintext.prefix(3)))
      #expect(opened.generation == 6)
      #expect(code { try SealedFile.open(path, with: [.x25519(identity)], context: [1]) } != nil)
    }
  }

  @Test func `A damaged chunk stops the new seal, and the old file is unchanged`() throws {
    try withFile { path in
      var bytes = try contents(of: path)
      bytes[bytes.count - 1] ^= 1
      try write(bytes, to: path)
      let failure = error {
        try SealedFile.reseal(
          path, with: [.key(key)], for: [.key(key)], dropping: [.slot(1)], context: [1])
      }
      #expect(failure == SealError(.damagedChunk, path: path, chunkIndex: 64))
      #expect(try contents(of: path) == bytes)
    }
  }

  @Test func `A passphrase beside another key may stay when a file is sealed again`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let recipients: [SealRecipient] = [
        .key(key), .passphrase(try passphrase("p"), cost: .cheap),
      ]
      try SealedFile.seal(
        [1].span, to: path, for: recipients, options: SealOptions(allowsMixedPassphrase: true))
      try SealedFile.reseal(path, with: [.key(key)], for: recipients)
      #expect(try SealedFile.open(path, with: [.passphrase(passphrase("p"))]).read() == [1])
      #expect(
        code {
          try SealedFile.reseal(
            path, with: [.key(key)], for: recipients, options: SealOptions())
        } == .invalidKeys)
    }
  }

  // Holds [S-106].
  @Test func `The highest generation is not followed by 0`() throws {
    try withTemporaryDirectory { directory in
      let (path, key) = (directory + "/f", try SealKey.generate())
      func replace() throws {
        try SealedFile.replaceContent(of: path, with: [.key(key)], for: [.key(key)]) { old in
          (content: old + [1], result: ())
        }
      }
      try SealedFile.seal(
        [UInt8]().span, to: path, for: [.key(key)], options: SealOptions(generation: .max - 1))
      try replace()
      #expect(try SealedFile.open(path, with: [.key(key)]).generation == .max)
      #expect(code { try replace() } == .limitExceeded)
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == [1])
    }
  }
}
