import Testing

@testable import KeepsakeSeal

@Suite struct `X25519 recipients` {
  @Test func `Only the identity of a recipient opens the file`() throws {
    let identities = try (0..<3).map { _ in try X25519Identity.generate() }
    let bytes = try SealedFile.seal(
      pattern(9000).span, for: identities[..<2].map { .x25519($0.recipient) })
    for index in 0..<2 {
      let opened = try SealedFile.open(bytes: bytes, with: [.x25519(identities[index])])
      #expect(try opened.read() == pattern(9000))
      #expect(opened.openedBySlot == index)
      #expect(opened.openedBy == .x25519)
    }
    let failure = error { try SealedFile.open(bytes: bytes, with: [.x25519(identities[2])]) }
    #expect(failure == SealError(.noMatchingKey))
  }

  @Test func `Wrong keys of every type cause the same error`() throws {
    let bytes = try SealedFile.seal(
      [1].span,
      for: [
        .key(try .generate()), .x25519(try X25519Identity.generate().recipient),
        .passphrase(passphrase("p"), cost: .cheap),
      ], options: SealOptions(allowsMixedPassphrase: true))
    let wrong: [SealIdentity] = [
      .key(try .generate()), .x25519(try .generate()), .passphrase(try passphrase("q")),
    ]
    for identities in [[wrong[0]], [wrong[1]], [wrong[2]], wrong, []] {
      let failure = error { try SealedFile.open(bytes: bytes, with: identities) }
      #expect(failure == SealError(.noMatchingKey))
    }
  }

  @Test func `A raw key does not open a file for the identity with the same bytes`() throws {
    let secret = pattern(32)
    let identity = try X25519Identity(copying: secret.span)
    let bytes = try SealedFile.seal([1].span, for: [.x25519(identity.recipient)])
    let raw = try SealKey(copying: secret.span)
    #expect(code { try SealedFile.open(bytes: bytes, with: [.key(raw)]) } == .noMatchingKey)
  }

  // Holds [S-102].
  @Test func `A second slot for the same recipient is refused`() throws {
    let identity = try X25519Identity.generate()
    let copy = try X25519Recipient(identity.recipient.description)
    #expect(
      code { try SealedFile.seal([1].span, for: [.x25519(identity.recipient), .x25519(copy)]) }
        == .invalidKeys)
  }

  // Holds [S-105].
  @Test func `Points of low order are refused as recipients`() throws {
    var eight = [UInt8](repeating: 0, count: 32)
    let zero = eight
    eight[0] = 1
    // These are points of RFC 7748 and of the curve's 8-torsion: 0, 1, -1 and two points of order eight.
    var minusOne = [UInt8](repeating: 0xFF, count: 32)
    (minusOne[0], minusOne[31]) = (0xEC, 0x7F)
    let orderEight: [UInt8] = [
      0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4,
      0x6A, 0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49,
      0xB8, 0x00,
    ]
    for point in [zero, eight, minusOne, orderEight] {
      #expect(code { try X25519Recipient(publicKey: point) } == .invalidRecipient)
    }
  }

  @Test func `A public key has 32 bytes and one encoding`() throws {
    let key = try X25519Identity.generate().recipient.publicKey
    #expect(try X25519Recipient(publicKey: key).publicKey == key)
    for length in [0, 31, 33] {
      let other = pattern(length)
      #expect(code { try X25519Recipient(publicKey: other) } == .invalidRecipient)
    }
    var masked = key
    masked[31] |= 0x80
    #expect(code { try X25519Recipient(publicKey: masked) } == .invalidRecipient)
    // 2^255 - 19 + 9 is another way to write 9, the base point.
    var beyond = [UInt8](repeating: 0xFF, count: 32)
    (beyond[0], beyond[31]) = (0xF6, 0x7F)
    #expect(code { try X25519Recipient(publicKey: beyond) } == .invalidRecipient)
    #expect(code { try X25519Identity(copying: pattern(31).span) } == .invalidKeyLength)
  }

  @Test func `A share of low order or in another encoding matches no identity`() throws {
    let identity = try X25519Identity.generate()
    let sample = Sample.Forgery(
      bytes: try SealedFile.seal([1].span, for: [.x25519(identity.recipient)]))
    for change in [
      { (bytes: inout [UInt8]) in
        bytes.replaceSubrange(152..<184, with: repeatElement(0, count: 32))
      }, { $0[183] |= 0x80 }, { $0[152] ^= 1 }, { $0[144] ^= 1 },
    ] {
      let forged = try sample.forged(change)
      #expect(
        code { try SealedFile.open(bytes: forged, with: [.x25519(identity)]) } == .noMatchingKey)
    }
  }

  @Test func `Each unused byte of an X25519 slot must be zero`() throws {
    let identity = try X25519Identity.generate()
    let sample = Sample.Forgery(
      bytes: try SealedFile.seal([1].span, for: [.x25519(identity.recipient)]))
    for offset in Array(2..<16) + Array(160..<192) {
      let forged = try sample.forged { $0[128 + offset] = 1 }
      #expect(
        code { try SealedFile.open(bytes: forged, with: [.x25519(identity)]) } == .malformedHeader)
    }
  }

  @Test func `Only a holder of the data key can tell the recipient of a slot`() throws {
    let recipient = try X25519Identity.generate().recipient
    let hints = try (0..<2).map { _ in
      try Slot(parsing: Array(SealedFile.seal([1].span, for: [.x25519(recipient)])[128..<320])).hint
    }
    #expect(hints[0] != hints[1])
    let (dataKey, fileID) = (try SecretBytes.random(count: 32), pattern(32))
    let slot = try Slot(
      wrapping: dataKey, for: .x25519(recipient), fileID: fileID,
      randomness: SlotRandomness.fresh(for: .x25519(recipient)))
    #expect(try slot.isFor(.x25519(recipient), dataKey: dataKey, fileID: fileID))
    let other = try SecretBytes.random(count: 32)
    #expect(try !slot.isFor(.x25519(recipient), dataKey: other, fileID: fileID))
    let stranger = try X25519Identity.generate().recipient
    #expect(try !slot.isFor(.x25519(stranger), dataKey: dataKey, fileID: fileID))
  }
}
