import TestSupport
import Testing

@testable import KeepsakeSeal

// The attacks of a holder of a key of the file who does not have the signing key (Spec/seal.md, section 11).
extension `A signed file` {
  func unlocked(_ bytes: [UInt8]) throws -> UnlockedHeader {
    try UnlockedHeader(
      SealedSource(bytes: bytes).header(policy: SealPolicy()), identities: [.key(key)],
      context: [1],
      policy: SealPolicy())
  }

  /// The file with other chunks, and a tree and a block that match them except for the signature.
  func forgery(
    of bytes: [UInt8], plaintext: [UInt8], signedBy forger: SealSigningKey? = nil,
    change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> [UInt8] {
    let stolen = try unlocked(bytes)
    var payload = try stolen.payload()
    let builder = DigestTreeBuilder(.kept)
    payload.builder = builder
    let key = try stolen.schedule.signatureKey()
    let old = try SignatureBlock(opening: Array(bytes.suffix(168)), key: key)
    let count = payload.layout.chunkCount
    return try payload.seal(
      plaintext.span, after: stolen.header.bytes, threads: 1, progress: .none
    ) { () throws(SealError) in
      let tree = try builder.finish(chunkCount: count)
      var message = tree.contentDigest + old.publicKey + old.signature
      if let forger {
        let block = try SignatureBlock(
          signing: tree.contentDigest, of: stolen.header, metadata: stolen.metadata,
          schedule: stolen.schedule, with: forger)
        message = block.contentDigest + block.publicKey + block.signature
      }
      change(&message)
      return try tree.rest + pattern(24)
        + XChaCha20Poly1305.seal(message, key: key, nonce: pattern(24))
    }
  }

  @Test func `A co-recipient cannot put other content under the signature`() throws {
    let bytes = try sealed()
    let other = pattern(9_000, seed: 2)
    #expect(
      error { try open(forgery(of: bytes, plaintext: other)) } == SealError(.invalidSignature))
    // The same content with the same tree is the original file.
    #expect(try open(forgery(of: bytes, plaintext: pattern(9_000))).read() == pattern(9_000))
    let forger = try SealSigningKey.generate()
    let own = try forgery(of: bytes, plaintext: other, signedBy: forger)
    #expect(code { try open(own) } == .untrustedSigner)
    #expect(try open(own, .anySigner).signer == forger.signer)
    // Now the block has the signer's key, but the forger's signature.
    let mixed = try forgery(of: bytes, plaintext: other, signedBy: forger) {
      $0.replaceSubrange(32..<64, with: signingKey.signer.publicKey)
    }
    #expect(code { try open(mixed) } == .invalidSignature)
  }

  @Test func `A co-recipient cannot change a chunk or digest of a signed file`() throws {
    let bytes = try sealed()
    let chunks = try forgery(of: bytes, plaintext: pattern(9_000, seed: 2))
    let layout = try open(bytes).payload.layout
    let (start, end) = (Int(layout.offset(of: 1)), Int(layout.trailerOffset))
    // One chunk is replaced by another one with a valid tag.
    var one = bytes
    one.replaceSubrange(start..<start + 4_112, with: chunks[start..<start + 4_112])
    #expect(
      error { try open(one).read() }
        == SealError(
          .damagedChunk, chunkIndex: 1, detail: "it is not the one that was signed or pinned"))
    #expect(try open(one).read(0..<4_096) == Array(pattern(4_096)))
    #expect(try open(one, .notRequired).read() != pattern(9_000))
    // The chunk and its digest are replaced.
    var two = one
    two.replaceSubrange(end + 32..<end + 64, with: chunks[end + 32..<end + 64])
    #expect(
      error { try open(two).read(0..<1) }
        == SealError(.damagedSignature, detail: "the digests of level 0, number 0..<3"))
  }

  // Holds [S-109] and [S-119].
  @Test func `Sealing again does not sign content that a co-recipient put below a signature`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal(pattern(9_000).span, to: path, for: [.key(key)], options: options())
      let bytes = try contents(of: path)
      let forged = try forgery(of: bytes, plaintext: pattern(9_000, seed: 2))
      // Each tag is valid, and the signature is the old one.
      let trailer = try Int(open(bytes).payload.layout.trailerOffset)
      let mixed = Array(forged[..<trailer] + bytes[trailer...])
      func reseal(_ signer: SealSigningKey, drops: Bool = false) throws {
        try SealedFile.reseal(
          path, with: [.key(key)], for: [.key(key)], signingKey: signer, dropsSignature: drops,
          context: [1])
      }
      func replace(_ signer: SealSigningKey) throws {
        try SealedFile.replaceContent(
          of: path, with: [.key(key)], for: [.key(key)], signingKey: signer, context: [1]
        ) { old in (content: old + [7], result: ()) }
      }
      try write(mixed, to: path)
      #expect(try open(mixed, .notRequired).read() == pattern(9_000, seed: 2))
      #expect(code { try reseal(signingKey) } == .damagedChunk)
      #expect(code { try replace(signingKey) } == .damagedChunk)
      #expect(try contents(of: path) == mixed)
      // Another signer's content is signed if the policy names that signer, or if the signature is dropped.
      let other = try SealSigningKey.generate()
      try write(bytes, to: path)
      #expect(code { try reseal(other) } == .untrustedSigner)
      #expect(code { try replace(other) } == .untrustedSigner)
      try write(mixed, to: path)
      try reseal(other, drops: true)
      #expect(
        try open(contents(of: path), .trusted([other.signer])).read() == pattern(9_000, seed: 2))
    }
  }

  @Test func `Digests are verified on every level`() throws {
    let bytes = try sealed(300 * 4_096)
    let opened = try open(bytes)
    let start = Int(opened.payload.layout.trailerOffset)
    for (offset, level) in [(0, 0), (127 * 32, 0), (300 * 32 + 5, 1), (302 * 32 + 31, 1)] {
      var changed = bytes
      changed[start + offset] ^= 1
      let failure = error { try open(changed).read(0..<1) }
      #expect(failure?.code == .damagedSignature)
      #expect(failure?.detail.contains("level \(level)") == true)
    }
    // The change is in a group that the first read does not need.
    var changed = bytes
    changed[start + 128 * 32] ^= 1
    #expect(try open(changed).read(0..<1) == [pattern(1)[0]])
    #expect(code { try open(changed).read(128 * 4_096..<128 * 4_096 + 1) } == .damagedSignature)
  }

  @Test func `A change of any signed field is detected`() throws {
    let bytes = try sealed()
    let header = try unlocked(bytes)
    func resigned(_ change: (inout Preamble, inout EncryptedMetadata) -> Void) throws -> SealError?
    {
      var (preamble, metadata) = (header.header.preamble, header.metadata)
      change(&preamble, &metadata)
      let tree = try open(bytes).payload.tree
      let digest = try #require(tree?.contentDigest)
      // The signature is for other fields than those of the file.
      let other = try SealedHeader(
        preamble: preamble, slots: header.header.slots, publicMetadata: [2],
        encryptedMetadata: header.header.encryptedMetadata, mac: header.schedule.headerMAC(of:))
      let block = try SignatureBlock(
        signing: digest, of: other, metadata: metadata, schedule: header.schedule,
        with: signingKey)
      let forged =
        try bytes.dropLast(168)
        + block.sealed(key: header.schedule.signatureKey(), nonce: pattern(24))
      return error { try open(Array(forged)) }
    }
    #expect(try resigned { _, _ in } == nil)
    #expect(try resigned { _, metadata in metadata.generation = 6 }?.code == .invalidSignature)
    #expect(try resigned { _, metadata in metadata.creator = "test" }?.code == .invalidSignature)
    #expect(
      try resigned { _, metadata in metadata.plaintextLength = 8_999 }?.code == .invalidSignature)
    #expect(
      try resigned { preamble, _ in preamble.payloadLength = 8_999 }?.code == .invalidSignature)
    #expect(
      try resigned { preamble, _ in preamble.commitment[0] ^= 1 }?.code == .invalidSignature)
  }

  @Test func `A signature does not hold for another file id, public metadata or context`() throws {
    let bytes = try sealed()
    let stolen = try unlocked(bytes)
    let old = try SignatureBlock(
      opening: Array(bytes.suffix(168)), key: stolen.schedule.signatureKey())
    for (fileID, metadata, context): ([UInt8], [UInt8], [UInt8]) in [
      (pattern(32), [2], [1]), (stolen.fileID, [3], [1]), (stolen.fileID, [2], [9]),
    ] {
      // Everything is sealed anew under the same data key, with the old signature.
      var options = options()
      (options.publicMetadata, options.context) = (metadata, context)
      let plan = try SealPlan(
        recipients: [.key(key)], options: options,
        randomness: SealRandomness(
          dataKey: stolen.dataKey, fileID: fileID, slots: [.fresh(for: .key(key))],
          metadataNonce: pattern(24), signatureNonce: pattern(24)))
      let file = try plan.sealed(pattern(9_000).span)
      let schedule = KeySchedule(
        dataKey: stolen.dataKey, chunkSize: .kibibytes4, isSigned: true, fileID: fileID,
        publicMetadata: metadata, context: context)
      let honest = try SignatureBlock(
        opening: Array(file.suffix(168)), key: schedule.signatureKey())
      let message = honest.contentDigest + old.publicKey + old.signature
      let forged =
        try file.dropLast(168) + pattern(24)
        + XChaCha20Poly1305.seal(message, key: schedule.signatureKey(), nonce: pattern(24))
      #expect(
        code {
          try SealedFile.open(
            bytes: Array(forged), with: [.key(key)], context: context, policy: policy)
        } == .invalidSignature)
    }
  }
}
