import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Signing keys` {
  @Test func `A signing key and its signer survive a round trip through their texts`() throws {
    let key = try SealSigningKey.generate()
    let signer = try SealSigner(" \t\(key.signer)\r\n")
    #expect(signer == key.signer)
    #expect(try SealSigner(key.signer.description.uppercased()) == key.signer)
    #expect(key.signer.description.hasPrefix("keepsake-signer1"))
    let text = try key.withText { text in text.indices.map { text[$0] } }
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("KEEPSAKE-SIGNING-KEY-1"))
    #expect(text.count == 80 && key.signer.description.utf8.count == 74)
    #expect(try SealSigningKey(text: text.span).signer == key.signer)
    let seed = pattern(32)
    #expect(
      try SealSigningKey(copying: seed.span).signer == SealSigningKey(copying: seed.span).signer)
    for length in [0, 31, 33, 64] {
      #expect(code { try SealSigningKey(copying: pattern(length).span) } == .invalidKeyLength)
    }
  }

  @Test func `The error of a text of another kind names that kind`() throws {
    let identity = try X25519Identity.generate()
    let key = try SealSigningKey.generate()
    let secret = try identity.withText { text in text.indices.map { text[$0] } }
    let signing = try key.withText { text in text.indices.map { text[$0] } }
    let recipient = Array(identity.recipient.description.utf8)
    let signer = Array(key.signer.description.utf8)
    let kinds: [(name: String, text: [UInt8])] = [
      ("a recipient", recipient), ("the secret text of an identity", secret), ("a signer", signer),
      ("the secret text of a signing key", signing),
    ]
    func failures(_ text: [UInt8]) -> [SealError?] {
      let string = String(decoding: text, as: UTF8.self)
      return [
        error { try X25519Recipient(string) }, error { try X25519Identity(text: text.span) },
        error { try SealSigner(string) }, error { try SealSigningKey(text: text.span) },
      ]
    }
    let codes: [SealError.Code] = [
      .invalidRecipient, .invalidIdentity, .invalidSigner, .invalidSigningKey,
    ]
    for (index, kind) in kinds.enumerated() {
      for (other, failure) in failures(kind.text).enumerated() {
        let expected =
          index == other ? nil : SealError(codes[other], detail: "it is \(kind.name)")
        #expect(failure == expected)
      }
    }
  }

  @Test func `No message repeats a signing key`() throws {
    let key = try SealSigningKey.generate()
    var text = try key.withText { text in text.indices.map { text[$0] } }
    text[40] = text[40] == UInt8(ascii: "Q") ? UInt8(ascii: "P") : UInt8(ascii: "Q")
    let failure = error { try SealSigningKey(text: text.span) }
    #expect(failure?.code == .invalidSigningKey)
    #expect(
      failure?.detail == "its checksum does not fit: a character is wrong, or two are exchanged")
    text[40] = UInt8(ascii: "B")
    #expect(error { try SealSigningKey(text: text.span) }?.detail.contains("\"B\"") == false)
  }

  @Test func `A weak or non-canonical public key is refused as a signer`() throws {
    // The point 1, points of order 4 and 8, one that is not on the curve, and numbers that are not below the
    // prime.
    for key: [UInt8] in [
      [1] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0, count: 32),
      [
        0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
        0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53,
        0xFC, 0x05,
      ], [2] + [UInt8](repeating: 0, count: 31),
      [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
      [0xF0] + [UInt8](repeating: 0xFF, count: 30) + [0xFF], pattern(31), [],
    ] {
      #expect(code { try SealSigner(publicKey: key) } == .invalidSigner, "\(key)")
    }
    let signer = try SealSigningKey.generate().signer
    #expect(try SealSigner(publicKey: signer.publicKey) == signer)
  }

  @Test func `A signature has one form`() throws {
    let key = try SealSigningKey.generate()
    let message = pattern(100)
    let signature = try key.signature(of: message)
    func isValid(_ signature: [UInt8], _ message: [UInt8]) throws -> Bool {
      try Ed25519.isValid(signature, of: message, by: key.signer.publicKey)
    }
    #expect(try isValid(signature, message))
    #expect(try !isValid(signature, pattern(101)))
    #expect(try !isValid(Array(signature.dropLast()), message))
    // S plus the order of the group satisfies the same equation in another encoding.
    let order: [UInt8] = [
      0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
      0x14,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]
    var (other, carry) = (signature, 0)
    for index in 0..<32 {
      carry += Int(other[32 + index]) + Int(order[index])
      other[32 + index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    #expect(carry == 0 && other != signature)
    #expect(try !isValid(other, message))
  }
}

@Suite struct `Signing key files` {
  @Test func `A new signing key is stored for its owner alone, and read back`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/signing"
      let key = try SealSigningKey.create(at: path)
      #expect(try SealSigningKey.read(at: path).signer == key.signer)
      #expect(try permissions(of: path) == 0o600)
      let lines = String(decoding: try contents(of: path), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 3 && lines[2].isEmpty)
      #expect(lines[0] == "# signer: \(key.signer)")
      #expect(lines[1].hasPrefix("KEEPSAKE-SIGNING-KEY-1"))
      #expect(code { try SealSigningKey.create(at: path) } == .alreadyExists)
      #expect(code { try key.write(to: path) } == .alreadyExists)
      try setPermissions(0o640, of: path)
      #expect(code { try SealSigningKey.read(at: path) } == .keyFileOpenPermissions)
    }
  }

  @Test func `A file without a signing key, or of another kind, is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/signing"
      #expect(error { try SealSigningKey.read(at: path) } == SealError(.keyFileAbsent, path: path))
      _ = try X25519Identity.create(at: path)
      #expect(
        error { try SealSigningKey.read(at: path) }
          == SealError(
            .invalidSigningKey, path: path, detail: "it is the secret text of an identity"))
      for text in ["", "# comment\n", "x\ny\n"] {
        try write(Array(text.utf8), to: path)
        try setPermissions(0o600, of: path)
        #expect(code { try SealSigningKey.read(at: path) } == .invalidSigningKey)
      }
    }
  }
}
