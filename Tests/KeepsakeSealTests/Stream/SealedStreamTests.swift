import Testing

@testable import KeepsakeSeal

@Suite struct `Sealing a stream for storage elsewhere` {
  private let key: SealKey
  private let signingKey: SealSigningKey

  init() throws {
    key = try .generate()
    signingKey = try .generate()
  }

  /// The sealed file, and the lengths of the parts that the stream passed on.
  private func seal(
    _ plaintext: [UInt8], piece: Int, options: SealOptions
  ) throws -> (bytes: [UInt8], parts: [Int]) {
    let stream = try SealedStream(for: [.key(key)], options: options)
    var parts: [[UInt8]] = []
    for start in stride(from: 0, to: plaintext.count, by: piece) {
      let end = min(start + piece, plaintext.count)
      try stream.write(plaintext.span.extracting(start..<end)) { parts.append($0) }
      #expect(stream.byteCount == end)
    }
    let header = try stream.finish { parts.append($0) }
    #expect(header.count == stream.headerLength)
    return (header + parts.joined(), parts.map(\.count))
  }

  @Test(arguments: [SealOptions.ChunkSize.kibibytes4, .kibibytes64, .mebibyte1])
  func `Streams of every length around chunks and batches are opened like files`(
    chunkSize: SealOptions.ChunkSize
  ) throws {
    let size = chunkSize.byteCount
    let batch = max(size, ChunkBatches.byteCount)
    for count in [0, 1, size, size + 1, batch - 1, batch, batch + 1, 2 * batch + 5] {
      let plaintext = pattern(count)
      let bytes = try seal(
        plaintext, piece: 100_000, options: SealOptions(chunkSize: chunkSize, generation: 7)
      ).bytes
      let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
      #expect(try opened.read() == plaintext && opened.generation == 7, "\(count)")
    }
  }

  @Test(arguments: [false, true])
  func `A padded stream, signed or not, states the length of its plaintext`(isSigned: Bool) throws {
    let options = SealOptions(
      chunkSize: .kibibytes4, padding: .padme, signingKey: isSigned ? signingKey : nil)
    for count in [0, 9, 300_000, 1_000_001] {
      let plaintext = pattern(count)
      let bytes = try seal(plaintext, piece: 262_144, options: options).bytes
      let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
      #expect(try opened.read() == plaintext)
      #expect(opened.summary.payloadLength == Int(options.padding.paddedLength(UInt64(count))))
      #expect(opened.summary.isSigned == isSigned)
    }
  }

  @Test func `A stream passes on each batch when more follows`() throws {
    let batch = ChunkBatches.byteCount
    let sealed = batch + batch / 4_096 * 16
    let options = SealOptions(chunkSize: .kibibytes4)
    #expect(try seal(pattern(2 * batch), piece: 1_000, options: options).parts == [sealed, sealed])
    #expect(
      try seal(pattern(2 * batch + 1), piece: 3 * batch, options: options).parts
        == [sealed, sealed, 17])
    #expect(try seal([], piece: 1, options: options).parts == [16])
  }

  @Test func `Bytes beyond the longest payload are refused before they are sealed`() throws {
    let stream = try SealedStream(
      for: [.key(key)], options: SealOptions(maximumPayloadLength: 10))
    try stream.write(pattern(10).span) { _ in Issue.record("nothing is sealed yet") }
    let failure = error { try stream.write([1].span) { _ in } }
    #expect(failure?.code == .limitExceeded && stream.byteCount == 10)
  }
}
