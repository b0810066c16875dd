import TestSupport
import Testing

@testable import KeepsakeSeal

/// Spec/seal.md, section 5.1.
@Suite struct `Padding` {
  private let key: SealKey

  init() throws { key = try .generate() }

  private func options(
    _ chunkSize: SealOptions.ChunkSize = .kibibytes4, threads: Int? = nil
  ) -> SealOptions {
    SealOptions(chunkSize: chunkSize, padding: .padme, threadCount: threads)
  }

  @Test(
    arguments: [
      (0, 0), (1, 1), (2, 2), (3, 3), (7, 7), (8, 8), (9, 10), (10, 10), (11, 12), (1_000, 1_024),
      (8_192, 8_192), (8_193, 8_704), (1_000_000, 1_015_808), (1 << 36, 1 << 36),
      ((1 << 36) + 1, (1 << 36) + (1 << 30)), (.max, .max),
    ] as [(UInt64, UInt64)])
  func `Padmé gives the lengths of the specification`(length: UInt64, padded: UInt64) {
    #expect(SealOptions.Padding.padme.paddedLength(length) == padded)
    #expect(SealOptions.Padding.none.paddedLength(length) == length)
  }

  @Test func `Padmé adds at most 12 percent, and does not pad its own lengths`() {
    for length in Array(2...5_000 as ClosedRange<UInt64>) + [65_537, 1 << 20 + 1, 1 << 33 + 1] {
      let padded = SealOptions.Padding.padme.paddedLength(length)
      #expect(padded >= length && Double(padded) <= 1.12 * Double(length))
      #expect(SealOptions.Padding.padme.paddedLength(padded) == padded)
    }
  }

  /// Lengths that end within a chunk, at its end, in one that is partly padding, and before chunks of padding
  /// only.
  static let lengths = [0, 1, 9, 4_095, 4_096, 4_097, 66_000, 262_145, (1 << 20) + 1]

  @Test(arguments: lengths)
  func `A padded file survives a round trip with every way to write and read`(count: Int) throws {
    try withTemporaryDirectory { directory in
      let plaintext = pattern(count)
      let path = directory + "/f"
      let length = SealedFile.sealedLength(
        ofPlaintext: count, recipientCount: 1, options: options())
      let padded = Int(SealOptions.Padding.padme.paddedLength(UInt64(count)))

      try SealedFile.seal(plaintext.span, to: path, for: [.key(key)], options: options())
      try check(SealedFile.open(path, with: [.key(key)]), plaintext, padded, fileSize: length)

      let bytes = try SealedFile.seal(
        plaintext.span, for: [.key(key)], options: options(threads: 1))
      try check(
        SealedFile.open(bytes: bytes, with: [.key(key)]), plaintext, padded, fileSize: length)

      let writer = try SealedFileWriter(to: path, for: [.key(key)], options: options())
      try writer.write(plaintext.span)
      #expect(writer.byteCount == count)
      try writer.finish()
      try check(SealedFile.open(path, with: [.key(key)]), plaintext, padded, fileSize: length)

      try write(plaintext, to: directory + "/plain")
      try SealedFile.seal(
        contentsOf: directory + "/plain", to: path, for: [.key(key)], options: options())
      try check(SealedFile.open(path, with: [.key(key)]), plaintext, padded, fileSize: length)

      // The file is sealed again without padding, and then with padding.
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key)], options: SealOptions(chunkSize: .kibibytes64))
      #expect(try SealedFile.open(path, with: [.key(key)]).summary.payloadLength == count)
      try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)], options: options())
      try check(SealedFile.open(path, with: [.key(key)]), plaintext, padded, fileSize: length)
    }
  }

  private func check(
    _ opened: SealedFile, _ plaintext: [UInt8], _ padded: Int, fileSize: Int
  ) throws {
    let count = plaintext.count
    #expect(opened.plaintextLength == count)
    #expect(opened.summary.payloadLength == padded)
    #expect(opened.summary.fileSize == fileSize)
    #expect(try opened.read() == plaintext)
    #expect(try opened.read(count / 2..<count) == Array(plaintext[(count / 2)...]))
    #expect(code { try opened.read(0..<count + 1) } == .invalidRange)
    var reader = try opened.makeReader()
    var all: [UInt8] = []
    while let part = try reader.next() { all += part }
    #expect(all == plaintext)
    try withTemporaryDirectory { directory in
      try opened.extract(to: directory + "/out")
      #expect(try contents(of: directory + "/out") == plaintext)
    }
  }

  @Test func `Sealing again keeps the padding by default`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try SealedFile.seal(pattern(1_000).span, to: path, for: [.key(key)], options: options())
      try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)])
      #expect(try SealedFile.inspect(path).payloadLength == 1_024)
      try SealedFile.replaceContent(of: path, with: [.key(key)], for: [.key(key)]) { _ in
        (content: pattern(993), result: ())
      }
      #expect(try SealedFile.inspect(path).payloadLength == 1_024)
    }
  }

  // Holds [S-107].
  @Test func `Padding that is not zero is damage, even when a key holder wrote it`() throws {
    // A forger with the data key seals other bytes instead of the padding.
    let count = 262_145
    let plan = try SealPlan(recipients: [.key(key)], options: options())
    let header = try plan.header(plaintextLength: count)
    let padded = plan.payloadLength(of: count)
    let honest = plan.payload(plaintextLength: count)
    for (stray, expected) in [(count, 64), (270_335, nil)] as [(Int, Int?)] {
      var payload = pattern(count) + [UInt8](repeating: 0, count: padded - count)
      payload[stray] = 1
      let layout = ChunkLayout(
        headerLength: header.bytes.count, chunkSize: 4_096, payloadLength: padded,
        plaintextLength: padded)
      let forger = SealedPayload(layout: layout, payloadKey: honest.cipher.payloadKey)
      let bytes = try forger.seal(
        payload.span, after: header.bytes, threads: 1, progress: .none)
      let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
      let failure = error { try opened.read() }
      // Chunks of padding only need not be opened.
      #expect(failure?.chunkIndex == expected)
      #expect(failure?.code == (expected == nil ? nil : .damagedChunk))
      #expect(try opened.read(0..<4_096) == Array(pattern(count)[..<4_096]))
    }
  }

  @Test func `All plaintext of a padded file can be saved after its padding is cut off`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let count = 262_145
      try SealedFile.seal(pattern(count).span, to: path, for: [.key(key)], options: options())
      let bytes = try contents(of: path)
      try write(Array(bytes.dropLast(4_112)), to: path)
      var saved: [UInt8] = []
      let lost = try SealedFile.salvage(path, with: [.key(key)]) { offset, part in
        #expect(offset == saved.count)
        saved += part.indices.map { part[$0] }
      }
      #expect(lost == [])
      #expect(saved == pattern(count))
    }
  }
}
