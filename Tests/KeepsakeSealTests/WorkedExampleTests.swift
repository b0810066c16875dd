import Testing

@testable import KeepsakeSeal

/// Computes the values of Spec/seal.md, section 10, again.
@Suite struct `The worked example of the specification` {
  private let example: SpecExample
  private let file: [UInt8]
  private let keyFile: [UInt8]

  init() throws {
    example = try SpecExample()
    file = example.bytes("file")
    keyFile = example.bytes("keyfile")
  }

  private func value(_ name: String) throws -> [UInt8] { try example.value(name) }

  private func secret(_ name: String) throws -> SecretBytes { try example.secret(name) }

  /// A file that differs from the first one in its end, which the specification has, and in the bytes at some
  /// offsets.
  private func file(ending block: String, _ changes: [Int: [UInt8]]) -> [UInt8] {
    var bytes = Array(file.prefix(351))
    for (offset, new) in changes { bytes.replaceSubrange(offset..<offset + new.count, with: new) }
    return bytes + example.bytes(block)
  }

  @Test func `The file of the specification is written byte for byte`() throws {
    let plan = try SealPlan(
      recipients: [.key(SealKey(secret: try secret("raw key")))],
      options: SealOptions(
        context: Array("com.example.notes".utf8), publicMetadata: Array("notes 1".utf8),
        generation: 3, creator: "keepsake"),
      randomness: SealRandomness(
        dataKey: try secret("data key"), fileID: try value("file id"),
        slots: [SlotRandomness(nonce: try value("slot nonce"), seed: nil)],
        metadataNonce: try value("metadata nonce")))
    let plaintext = Array("Hello, Keepsake.\n".utf8)
    #expect(file.count == 476)
    #expect(try plan.sealed(plaintext.span) == file)
    let header = try plan.header(plaintextLength: 17)
    #expect(header.bytes.count == 443)
    #expect(plan.headerLength == 443)
    #expect(try Array(header.mac) == value("header MAC"))
    #expect(try Array(header.bytes.suffix(16)) == value("header check"))
    #expect(try header.slots.map { Array($0.commitment) } == [value("slot commitment")])
  }

  @Test func `The padded file is written byte for byte, and opens`() throws {
    let padded = file(ending: "padded-file", [32: [0x0A]])
    let plan = try SealPlan(
      recipients: [.key(SealKey(secret: try secret("raw key")))],
      options: SealOptions(
        context: Array("com.example.notes".utf8), publicMetadata: Array("notes 1".utf8),
        generation: 3, creator: "keepsake", padding: .padme),
      randomness: SealRandomness(
        dataKey: try secret("data key"), fileID: try value("file id"),
        slots: [SlotRandomness(nonce: try value("slot nonce"), seed: nil)],
        metadataNonce: try value("metadata nonce")))
    let plaintext = Array("Keepsake!".utf8)
    #expect(try plan.sealed(plaintext.span) == padded)
    let opened = try SealedFile.open(
      bytes: padded, with: [.key(SealKey(secret: try secret("raw key")))],
      context: Array("com.example.notes".utf8))
    #expect(opened.summary.payloadLength == 10 && opened.plaintextLength == 9)
    #expect(try opened.read() == plaintext)
  }

  @Test func `The signed file is written byte for byte, and opens`() throws {
    let signed = file(ending: "signed-file", [11: [1], 96: try value("its commitment")])
    let signingKey = try SealSigningKey(seed: try secret("signing key"))
    #expect(try signingKey.signer.publicKey == value("signer"))
    let plan = try SealPlan(
      recipients: [.key(SealKey(secret: try secret("raw key")))],
      options: SealOptions(
        context: Array("com.example.notes".utf8), publicMetadata: Array("notes 1".utf8),
        generation: 3, creator: "keepsake", signingKey: signingKey),
      randomness: SealRandomness(
        dataKey: try secret("data key"), fileID: try value("file id"),
        slots: [SlotRandomness(nonce: try value("slot nonce"), seed: nil)],
        metadataNonce: try value("metadata nonce"), signatureNonce: value("signature nonce")))
    let plaintext = Array("Hello, Keepsake.\n".utf8)
    #expect(signed.count == 676)
    #expect(try plan.sealed(plaintext.span) == signed)
    let opened = try SealedFile.open(
      bytes: signed, with: [.key(SealKey(secret: try secret("raw key")))],
      context: Array("com.example.notes".utf8),
      policy: SealPolicy(signature: .trusted([signingKey.signer])))
    #expect(try opened.read() == plaintext)
    #expect(try opened.summary.contentDigest == value("signed content"))
    #expect(opened.pin.bytes == example.bytes("pin"))
    let texts = example.lines("signing-texts").map(String.init)
    #expect(signingKey.signer.description == texts[0])
    let text = try signingKey.withText { text in text.indices.map { text[$0] } }
    #expect(String(decoding: text, as: UTF8.self) == texts[1])
  }

  @Test func `The content digest of the file is that of the specification`() throws {
    let opened = try SealedFile.open(
      bytes: file, with: [.key(SealKey(secret: try secret("raw key")))],
      context: Array("com.example.notes".utf8))
    #expect(try opened.contentPin().contentDigest == value("content digest"))
  }

  @Test func `The file of the specification opens`() throws {
    let opened = try SealedFile.open(
      bytes: file, with: [.key(SealKey(secret: try secret("raw key")))],
      context: Array("com.example.notes".utf8))
    #expect(try opened.read() == Array("Hello, Keepsake.\n".utf8))
    #expect(opened.generation == 3)
    #expect(opened.creator == "keepsake")
    #expect(opened.summary.publicMetadata == Array("notes 1".utf8))
  }

  @Test func `Each derived key is that of the specification`() throws {
    let schedule = KeySchedule(
      dataKey: try secret("data key"), chunkSize: .kibibytes64, fileID: try value("file id"),
      publicMetadata: Array("notes 1".utf8), context: Array("com.example.notes".utf8))
    #expect(try schedule.commitment() == value("commitment"))
    #expect(try schedule.metadataKey().isEqual(to: secret("metadata key")))
    let bytes = try value("payload key") + value("base nonce")
    let payload = try SecretBytes(copying: bytes.span)
    #expect(try schedule.payloadKey().isEqual(to: payload))
    let mac = try Blake2b.hash([1, 2, 3], key: secret("header MAC key"))
    #expect(try schedule.headerMAC(of: [1, 2, 3]) == mac)
    let wrapped = try XChaCha20Poly1305.wrap(
      secret("data key"), key: secret("wrapping key"), nonce: value("slot nonce"),
      associatedData: [1] + [UInt8](repeating: 0, count: 55) + value("file id"))
    #expect(Array(file[216..<288]) == wrapped)
  }

  @Test func `The key file is that of the specification`() throws {
    let key = SealKey(secret: try secret("raw key"))
    #expect(try KeyFile.encode(key).publicBytes(0..<48) == keyFile)
    let decoded = try KeyFile.decode(try SecretBytes(copying: keyFile.span))
    #expect(decoded.isEqual(to: key))
  }
}
