import Testing

@testable import KeepsakeSeal

/// Spec/seal.md, sections 6.1 to 6.3 and 7.
@Suite struct `A signed file` {
  private let key: SealKey
  private let signingKey: SealSigningKey

  init() throws {
    key = try .generate()
    signingKey = try .generate()
  }

  private func options(_ chunkSize: SealOptions.ChunkSize = .kibibytes4) -> SealOptions {
    SealOptions(
      chunkSize: chunkSize, context: [1], publicMetadata: [2], generation: 5, creator: "tests",
      signingKey: signingKey)
  }

  private var policy: SealPolicy { SealPolicy(signature: .trusted([signingKey.signer])) }

  private func sealed(_ count: Int = 9_000) throws -> [UInt8] {
    try SealedFile.seal(pattern(count).span, keys: [key], options: options())
  }

  private func open(
    _ bytes: [UInt8], _ signature: SealSignaturePolicy? = nil,
    expecting: SealExpectation = .nothing
  ) throws -> OpenedSealedFile {
    try OpenedSealedFile(
      bytes: bytes, with: [.key(key)], context: [1], expecting: expecting,
      policy: SealPolicy(signature: signature ?? .trusted([signingKey.signer])))
  }

  /// Lengths with one chunk, one level of digests that is full, and several levels.
  static let lengths = [0, 1, 4_096, 128 * 4_096, 128 * 4_096 + 1, 300 * 4_096 + 77]

  @Test(arguments: lengths)
  func `It comes back, written and read in whichever way`(count: Int) throws {
    try withTemporaryDirectory { directory in
      let plaintext = pattern(count)
      let path = directory + "/f"
      func check(_ summary: SealedFileSummary?) throws {
        let opened = try SealedFile.open(path, with: [.key(key)], context: [1], policy: policy)
        #expect(opened.signer == signingKey.signer)
        #expect(opened.summary.isSigned)
        #expect(
          opened.summary.fileSize == opened.summary.headerLength + count
            + 16 * opened.summary.chunkCount + opened.payload.layout.trailerLength)
        if let summary { #expect(summary == opened.summary) }
        #expect(
          try opened.payload.computedTree(of: opened.source, threads: 2).contentDigest
            == opened.summary.contentDigest)
        #expect(try opened.read() == plaintext)
        #expect(try opened.read(count / 2..<count) == Array(plaintext[(count / 2)...]))
        var reader = try opened.makeReader()
        var all: [UInt8] = []
        while let part = try reader.next() { all += part }
        #expect(all == plaintext)
        try opened.extract(to: directory + "/out")
        #expect(try contents(of: directory + "/out") == plaintext)
      }
      try check(SealedFile.seal(plaintext.span, to: path, for: [.key(key)], options: options()))

      let writer = try SealedFileWriter(to: path, for: [.key(key)], options: options())
      var start = 0
      while start < count {
        let end = min(count, start + 300_001)
        try writer.write(plaintext.span.extracting(start..<end))
        start = end
      }
      try check(writer.finish())

      try write(plaintext, to: directory + "/plain")
      try check(
        SealedFile.seal(
          contentsOf: directory + "/plain", to: path, for: [.key(key)], options: options()))

      try check(
        SealedFile.reseal(
          path, with: [.key(key)], for: [.key(key)], options: options(), context: [1]))

      try write(SealedFile.seal(plaintext.span, keys: [key], options: options()), to: path)
      try check(nil)
      let length = SealedFile.sealedLength(
        ofPlaintext: count, recipientCount: 1, options: options())
      #expect(try contents(of: path).count == length)
      let again = try [UInt8](capacity: length) { output throws(SealError) in
        try SealedFile.seal(
          plaintext.span, into: &output, for: [.key(key)], options: options())
      }
      try write(again, to: path)
      try check(nil)
      #expect(try names(in: directory) == ["f", "out", "plain"])
    }
  }

  @Test func `Three levels of digests hold for a stream and for ranges`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let part = pattern(1 << 20)
      let writer = try SealedFileWriter(to: path, for: [.key(key)], options: options())
      for _ in 0..<64 { try writer.write(part.span) }
      try writer.write([9].span)
      try writer.finish()
      let opened = try SealedFile.open(path, with: [.key(key)], context: [1], policy: policy)
      #expect(opened.summary.chunkCount == 16_385)
      #expect(try opened.read(64 << 20..<(64 << 20) + 1) == [9])
      #expect(try opened.read(33 << 20..<34 << 20) == part)
      // The trailer's levels: 16385, 129 and 2 digests.
      #expect(opened.payload.layout.trailerLength == (16_385 + 129 + 2) * 32 + 168)
    }
  }

  @Test func `What a reader asks for decides what is refused`() throws {
    let (bytes, other) = (try sealed(), try SealSigningKey.generate())
    let unsigned = try SealedFile.seal(
      pattern(9_000).span, keys: [key], options: SealOptions(context: [1]))
    #expect(try open(bytes, .notRequired).signer == nil)
    #expect(try open(bytes, .anySigner).signer == signingKey.signer)
    #expect(
      try open(bytes, .trusted([other.signer, signingKey.signer])).signer == signingKey.signer)
    let untrusted = error { try open(bytes, .trusted([other.signer])) }
    #expect(untrusted == SealError(.untrustedSigner, detail: "\(signingKey.signer)"))
    #expect(error { try open(bytes, .trusted([])) }?.code == .untrustedSigner)
    #expect(error { try open(unsigned) } == SealError(.signatureAbsent))
    #expect(error { try open(unsigned, .anySigner) } == SealError(.signatureAbsent))
    #expect(try open(unsigned, .notRequired).read() == pattern(9_000))
  }

  @Test func `Every flipped bit of the trailer is found by whoever asks, and by nobody else`()
    throws
  {
    var bytes = try sealed()
    let layout = try open(bytes).payload.layout
    let start = Int(layout.trailerOffset)
    #expect(bytes.count - start == 3 * 32 + 168)
    for bit in start * 8..<bytes.count * 8 {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let failure = error { try open(bytes).read() }
      if failure?.code != .damagedSignature {
        Issue.record("bit \(bit): \(String(describing: failure))")
      }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    bytes[start] ^= 1
    #expect(try open(bytes, .notRequired).read() == pattern(9_000))
  }

  @Test func `A signature that is cut off or followed by more is found when the file is opened`()
    throws
  {
    let bytes = try sealed()
    for policy: SealSignaturePolicy in [.notRequired, .anySigner] {
      for count in [1, 16, 168, 200, 264] {
        #expect(code { try open(Array(bytes.dropLast(count)), policy) } == .truncated)
      }
      #expect(code { try open(bytes + [0], policy) } == .trailingBytes)
      #expect(code { try open(bytes + bytes.suffix(168), policy) } == .trailingBytes)
    }
  }

  @Test func `Neither the signer nor the signature can be seen without a key`() throws {
    let bytes = try sealed()
    let block = try SignatureBlock(
      opening: Array(bytes.suffix(168)), key: unlocked(bytes).schedule.signatureKey())
    for secret in [block.publicKey, block.signature, Array(block.signature.prefix(16))] {
      let hits = bytes.indices.filter { bytes[$0...].starts(with: secret) }
      #expect(hits.isEmpty)
    }
    #expect(block.publicKey == signingKey.signer.publicKey)
  }

  @Test func `Opening reads the header and the block, a byte two pages of digests`() throws {
    // 300 chunks: two levels.
    let bytes = try sealed(300 * 4_096)
    let source = CountingSource(bytes)
    let opened = try OpenedSealedFile(
      source: source, with: [.key(key)], context: [1], policy: policy)
    #expect(source.byteCountRead == 128 + opened.summary.headerLength + 168)
    let before = source.byteCountRead
    #expect(try opened.read(150 * 4_096..<150 * 4_096 + 1) == [pattern(300 * 4_096)[150 * 4_096]])
    #expect(source.byteCountRead - before == 4_112 + 128 * 32 + 3 * 32)
    // What has been verified is not read again.
    let again = source.byteCountRead
    _ = try opened.read(151 * 4_096..<151 * 4_096 + 1)
    #expect(source.byteCountRead - again == 4_112)
    // Of a GiB: two levels of one page each.
    let gibibyte = DigestTreeLayout(chunkCount: 1 << 14)
    #expect(gibibyte.counts == [1 << 14, 128])
    #expect(DigestTreeLayout(chunkCount: 1 << 18).counts == [1 << 18, 2_048, 16])
  }

  // MARK: - Somebody with a key

  private func unlocked(_ bytes: [UInt8]) throws -> UnlockedHeader {
    try UnlockedHeader(
      SealedSource(bytes: bytes).header(policy: .default), identities: [.key(key)], context: [1],
      policy: .default)
  }

  /// The file with other chunks, and a tree and a block that fit them, but for the signature.
  private func forgery(
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

  @Test func `A co-recipient puts no other content under the signature`() throws {
    let bytes = try sealed()
    let other = pattern(9_000, seed: 2)
    #expect(
      error { try open(forgery(of: bytes, plaintext: other)) } == SealError(.invalidSignature))
    // The same content under the same tree is the file as it was.
    #expect(try open(forgery(of: bytes, plaintext: pattern(9_000))).read() == pattern(9_000))
    let forger = try SealSigningKey.generate()
    let own = try forgery(of: bytes, plaintext: other, signedBy: forger)
    #expect(code { try open(own) } == .untrustedSigner)
    #expect(try open(own, .anySigner).signer == forger.signer)
    // The signer's key, the forger's signature.
    let mixed = try forgery(of: bytes, plaintext: other, signedBy: forger) {
      $0.replaceSubrange(32..<64, with: signingKey.signer.publicKey)
    }
    #expect(code { try open(mixed) } == .invalidSignature)
  }

  @Test func `A co-recipient changes no chunk and no digest of a signed file`() throws {
    let bytes = try sealed()
    let chunks = try forgery(of: bytes, plaintext: pattern(9_000, seed: 2))
    let layout = try open(bytes).payload.layout
    let (start, end) = (Int(layout.offset(of: 1)), Int(layout.trailerOffset))
    // One chunk, whose tag fits.
    var one = bytes
    one.replaceSubrange(start..<start + 4_112, with: chunks[start..<start + 4_112])
    #expect(
      error { try open(one).read() }
        == SealError(
          .damagedChunk, chunkIndex: 1, detail: "it is not the one that was signed or pinned"))
    #expect(try open(one).read(0..<4_096) == Array(pattern(4_096)))
    #expect(try open(one, .notRequired).read() != pattern(9_000))
    // And its digest.
    var two = one
    two.replaceSubrange(end + 32..<end + 64, with: chunks[end + 32..<end + 64])
    #expect(
      error { try open(two).read(0..<1) }
        == SealError(.damagedSignature, detail: "the digests of level 0, number 0..<3"))
  }

  @Test func `What a co-recipient has put below a signature is not signed by sealing it again`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal(pattern(9_000).span, to: path, for: [.key(key)], options: options())
      let bytes = try contents(of: path)
      let forged = try forgery(of: bytes, plaintext: pattern(9_000, seed: 2))
      // Each tag fits, and the signature is the old one.
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
      // Another signer's content is signed when that one is named, or when a caller does without.
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
    // A group that the read does not touch.
    var changed = bytes
    changed[start + 128 * 32] ^= 1
    #expect(try open(changed).read(0..<1) == [pattern(1)[0]])
    #expect(code { try open(changed).read(128 * 4_096..<128 * 4_096 + 1) } == .damagedSignature)
  }

  @Test func `Each signed field is covered`() throws {
    let bytes = try sealed()
    let header = try unlocked(bytes)
    func resigned(_ change: (inout Preamble, inout EncryptedMetadata) -> Void) throws -> SealError?
    {
      var (preamble, metadata) = (header.header.preamble, header.metadata)
      change(&preamble, &metadata)
      let tree = try open(bytes).payload.tree
      let digest = try #require(tree?.contentDigest)
      // Signed for other fields, in the place of the signature of these.
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

  @Test func `Neither the file id, the public metadata nor the context can be another`() throws {
    let bytes = try sealed()
    let stolen = try unlocked(bytes)
    let old = try SignatureBlock(
      opening: Array(bytes.suffix(168)), key: stolen.schedule.signatureKey())
    for (fileID, metadata, context): ([UInt8], [UInt8], [UInt8]) in [
      (pattern(32), [2], [1]), (stolen.fileID, [3], [1]), (stolen.fileID, [2], [9]),
    ] {
      // Everything sealed anew under the same data key, with the old signature.
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
          try OpenedSealedFile(
            bytes: Array(forged), with: [.key(key)], context: context, policy: policy)
        } == .invalidSignature)
    }
  }

  // MARK: - Changing and sealing again

  @Test func `Other slots need no signing key, and the signature stays`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let newcomer = try SealKey.generate()
      for count in [100, 300 * 4_096] {
        try SealedFile.seal(pattern(count).span, to: path, for: [.key(key)], options: options())
        let report = try SealedFile.rewrap(
          path, with: [.key(key)], changes: [.add(.key(newcomer))], context: [1], policy: policy)
        #expect(report.summary.isSigned)
        let opened = try SealedFile.open(path, with: [.key(newcomer)], context: [1], policy: policy)
        #expect(opened.signer == signingKey.signer)
        #expect(try opened.read() == pattern(count))
        let other = SealPolicy(signature: .trusted([]))
        #expect(
          code {
            try SealedFile.rewrap(
              path, with: [.key(key)], changes: [.remove(.recipient(.key(newcomer)))], context: [1],
              policy: other)
          } == .untrustedSigner)
      }
    }
  }

  @Test func `A signature is not lost by sealing again, unless that is wanted`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal(pattern(9_000).span, to: path, for: [.key(key)], options: options())
      let before = try contents(of: path)
      for options in [nil, SealOptions(context: [1])] {
        let failure = error {
          try SealedFile.reseal(
            path, with: [.key(key)], for: [.key(key)], options: options, context: [1])
        }
        #expect(failure == SealError(.signingKeyAbsent, path: path))
      }
      func replace(_ signingKey: SealSigningKey?, drops: Bool = false) throws {
        try SealedFile.replaceContent(
          of: path, with: [.key(key)], for: [.key(key)], signingKey: signingKey,
          dropsSignature: drops, context: [1], policy: policy
        ) { _ in (content: [7], result: ()) }
      }
      #expect(code { try replace(nil) } == .signingKeyAbsent)
      #expect(try contents(of: path) == before)

      let second = try SealSigningKey.generate()
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key)], signingKey: second, context: [1], policy: policy)
      func open(_ signer: SealSigner) throws -> OpenedSealedFile {
        try SealedFile.open(
          path, with: [.key(key)], context: [1],
          policy: SealPolicy(signature: .trusted([signer])))
      }
      #expect(try open(second.signer).read() == pattern(9_000))
      #expect(code { try open(signingKey.signer) } == .untrustedSigner)
      // What is sealed again is verified before.
      #expect(code { try replace(signingKey) } == .untrustedSigner)
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key)], signingKey: signingKey, context: [1],
        policy: SealPolicy(signature: .trusted([second.signer])))
      try replace(signingKey)
      #expect(try open(signingKey.signer).read() == [7])
      try replace(nil, drops: true)
      #expect(try SealedFile.inspect(path).isSigned == false)
      #expect(code { try open(signingKey.signer) } == .signatureAbsent)
    }
  }

  @Test func `Only what a signature covers is saved of a damaged file, where one is asked for`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let bytes = try sealed()
      let other = try forgery(of: bytes, plaintext: pattern(9_000, seed: 2))
      let start = Int(try open(bytes).payload.layout.offset(of: 1))
      var one = bytes
      one.replaceSubrange(start..<start + 4_112, with: other[start..<start + 4_112])
      try write(one, to: path)
      func salvage(_ policy: SealPolicy) throws -> SalvageReport {
        try SealedFile.salvage(path, with: [.key(key)], context: [1], policy: policy) { _, _ in }
      }
      #expect(try salvage(policy).damagedChunks == [1..<2])
      #expect(try salvage(.default).isWhole)
      try write(Array(bytes.dropLast(1)), to: path)
      #expect(code { try salvage(policy) } == .truncated)
      #expect(try salvage(.default).isWhole)
    }
  }
}

/// A source in memory that counts what is read of it.
private final class CountingSource: SealedFileSource {
  private let bytes: [UInt8]
  private let count = Monitor(0)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var byteCount: Int { bytes.count }
  var byteCountRead: Int { count.withLock { $0 } }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    count.withLock { $0 += range.count }
    return Array(bytes[range])
  }
}
