import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

/// Spec/seal.md, sections 6.1 to 6.3 and 7.
@Suite struct `A signed file` {
  let key: SealKey
  let signingKey: SealSigningKey

  init() throws {
    key = try .generate()
    signingKey = try .generate()
  }

  func options(_ chunkSize: SealOptions.ChunkSize = .kibibytes4) -> SealOptions {
    SealOptions(
      chunkSize: chunkSize, context: [1], publicMetadata: [2], generation: 5, creator: "tests",
      signingKey: signingKey)
  }

  var policy: SealPolicy { SealPolicy(signature: .trusted([signingKey.signer])) }

  func sealed(_ count: Int = 9_000) throws -> [UInt8] {
    try SealedFile.seal(pattern(count).span, for: [.key(key)], options: options())
  }

  func open(
    _ bytes: [UInt8], _ signature: SealSignaturePolicy? = nil,
    expecting: SealExpectation = .nothing
  ) throws -> SealedFile {
    try SealedFile.open(
      bytes: bytes, with: [.key(key)], context: [1], expecting: expecting,
      policy: SealPolicy(signature: signature ?? .trusted([signingKey.signer])))
  }

  /// Lengths with one chunk, one level of digests that is full, and several levels.
  static let lengths = [0, 1, 4_096, 128 * 4_096, 128 * 4_096 + 1, 300 * 4_096 + 77]

  @Test(arguments: lengths)
  func `A signed file survives a round trip with every way to write and read`(count: Int) throws {
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

      try write(SealedFile.seal(plaintext.span, for: [.key(key)], options: options()), to: path)
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

  @Test func `A stream and ranges work with three levels of digests`() throws {
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
      // The levels of the trailer have 16385, 129 and 2 digests.
      #expect(opened.payload.layout.trailerLength == (16_385 + 129 + 2) * 32 + 168)
    }
  }

  @Test func `The reader's policy decides which files are refused`() throws {
    let (bytes, other) = (try sealed(), try SealSigningKey.generate())
    let unsigned = try SealedFile.seal(
      pattern(9_000).span, for: [.key(key)], options: SealOptions(context: [1]))
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

  @Test func `Only a reader that requires a signature detects flipped bits of the trailer`()
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

  @Test func `A signature that is cut off or followed by bytes is detected at the opening`()
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

  @Test func `The signer and the signature are hidden without a key`() throws {
    let bytes = try sealed()
    let block = try SignatureBlock(
      opening: Array(bytes.suffix(168)), key: unlocked(bytes).schedule.signatureKey())
    for secret in [block.publicKey, block.signature, Array(block.signature.prefix(16))] {
      let hits = bytes.indices.filter { bytes[$0...].starts(with: secret) }
      #expect(hits.isEmpty)
    }
    #expect(block.publicKey == signingKey.signer.publicKey)
  }

  @Test
  func `Opening reads the header and the block, and reading a byte reads two pages of digests`()
    throws
  {
    // The digests of 300 chunks have two levels.
    let bytes = try sealed(300 * 4_096)
    let source = CountingSource(bytes)
    let opened = try SealedFile.open(
      source: source, with: [.key(key)], context: [1], policy: policy)
    #expect(source.byteCountRead == 128 + opened.summary.headerLength + 168)
    let before = source.byteCountRead
    #expect(try opened.read(150 * 4_096..<150 * 4_096 + 1) == [pattern(300 * 4_096)[150 * 4_096]])
    #expect(source.byteCountRead - before == 4_112 + 128 * 32 + 3 * 32)
    // Verified digests are not read again.
    let again = source.byteCountRead
    _ = try opened.read(151 * 4_096..<151 * 4_096 + 1)
    #expect(source.byteCountRead - again == 4_112)
    // A payload of 1 GiB has two levels of one page each.
    let gibibyte = DigestTreeLayout(chunkCount: 1 << 14)
    #expect(gibibyte.counts == [1 << 14, 128])
    #expect(DigestTreeLayout(chunkCount: 1 << 18).counts == [1 << 18, 2_048, 16])
  }

  // MARK: - Changing and sealing again

  @Test func `A change of slots needs no signing key, and the signature stays`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let newcomer = try SealKey.generate()
      for count in [100, 300 * 4_096] {
        try SealedFile.seal(pattern(count).span, to: path, for: [.key(key)], options: options())
        let report = try SealedFile.rewrap(
          path, with: [.key(key)], adding: [.key(newcomer)], context: [1], policy: policy)
        #expect(report.summary.isSigned)
        let opened = try SealedFile.open(path, with: [.key(newcomer)], context: [1], policy: policy)
        #expect(opened.signer == signingKey.signer)
        #expect(try opened.read() == pattern(count))
        let other = SealPolicy(signature: .trusted([]))
        #expect(
          code {
            try SealedFile.rewrap(
              path, with: [.key(key)], removing: [.recipient(.key(newcomer))], context: [1],
              policy: other)
          } == .untrustedSigner)
      }
    }
  }

  // Holds [S-118].
  @Test func `Sealing again drops a signature only on request`() throws {
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
      func open(_ signer: SealSigner) throws -> SealedFile {
        try SealedFile.open(
          path, with: [.key(key)], context: [1],
          policy: SealPolicy(signature: .trusted([signer])))
      }
      #expect(try open(second.signer).read() == pattern(9_000))
      #expect(code { try open(signingKey.signer) } == .untrustedSigner)
      // The old content is verified before it is sealed again.
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

  // Holds [S-124].
  @Test func `Sealing again signs an unsigned file only on request`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      // A co-recipient has replaced the signed file with this one.
      try SealedFile.seal(
        pattern(9_000).span, to: path, for: [.key(key)], options: SealOptions(context: [1]))
      let before = try contents(of: path)
      func reseal(signsUnsigned: Bool = false, drops: Bool = false) throws {
        try SealedFile.reseal(
          path, with: [.key(key)], for: [.key(key)], signingKey: signingKey, dropsSignature: drops,
          signsUnsigned: signsUnsigned, context: [1])
      }
      func replace(signsUnsigned: Bool = false) throws {
        try SealedFile.replaceContent(
          of: path, with: [.key(key)], for: [.key(key)], signingKey: signingKey,
          signsUnsigned: signsUnsigned, context: [1]
        ) { (content: $0 + [7], result: ()) }
      }
      #expect(code { try reseal() } == .signatureAbsent)
      #expect(code { try reseal(drops: true) } == .signatureAbsent)
      #expect(code { try replace() } == .signatureAbsent)
      #expect(try contents(of: path) == before)

      try reseal(signsUnsigned: true)
      let policy = SealPolicy(signature: .trusted([signingKey.signer]))
      func opened() throws -> SealedFile {
        try SealedFile.open(path, with: [.key(key)], context: [1], policy: policy)
      }
      #expect(try opened().read() == pattern(9_000))
      // The file is signed now.
      try reseal()
      try replace()
      #expect(try opened().read() == pattern(9_000) + [7])
      try write(before, to: path)
      try replace(signsUnsigned: true)
      #expect(try opened().read() == pattern(9_000) + [7])
    }
  }

  @Test func `Only signed chunks of a damaged file are recovered if a signature is required`()
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
      func salvage(_ policy: SealPolicy) throws -> [Range<Int>] {
        try SealedFile.salvage(path, with: [.key(key)], context: [1], policy: policy) { _, _ in }
      }
      #expect(try salvage(policy) == [4_096..<8_192])
      #expect(try salvage(SealPolicy()) == [])
      try write(Array(bytes.dropLast(1)), to: path)
      #expect(code { try salvage(policy) } == .truncated)
      #expect(try salvage(SealPolicy()) == [])
    }
  }
}

/// A source in memory that counts the bytes that are read.
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
