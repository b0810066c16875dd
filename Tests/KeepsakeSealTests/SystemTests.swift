import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `System calls and their failures` {
  @Test func `Random values that are drawn at once do not overlap`() throws {
    let keys = try (0..<3).map { _ in SealRecipient.key(try .generate()) }
    for isSigned in [false, true] {
      let drawn = try SealRandomness.fresh(for: keys, isSigned: isSigned)
      #expect(drawn.fileID.count == 32 && drawn.slots.count == 3)
      #expect(drawn.signatureNonce.isEmpty != isSigned)
      let nonces =
        drawn.slots.map(\.nonce) + [drawn.metadataNonce]
        + (isSigned ? [drawn.signatureNonce] : [])
      #expect(nonces.allSatisfy { $0.count == 24 })
      let all = drawn.fileID + nonces.flatMap { $0 }
      let parts = stride(from: 0, to: all.count, by: 8).map { Array(all[$0..<$0 + 8]) }
      #expect(Set(parts).count == parts.count)
    }
  }

  @Test func `A digest has 16 to 64 bytes`() throws {
    let abc = """
      ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
      7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
      """
    let digest = try Blake2b.hash(Array("abc".utf8), count: 64)
    #expect(digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == abc)
    for count in [15, 65] {
      #expect(code { try Blake2b.hash([1], count: count) } == .cryptographyUnavailable)
    }
  }

  // BLAKE2b has keys of up to 64 bytes.
  @Test func `A key that libsodium refuses is an error for every digest and derivation`() throws {
    for (count, expected) in [(64, nil), (65, .cryptographyUnavailable)]
      as [(Int, SealError.Code?)]
    {
      let key = try SecretBytes(copying: pattern(count).span)
      let secret = try SecretBytes(copying: pattern(8).span)
      #expect(code { try Blake2b.derive(secret, key: key) } == expected)
      #expect(code { try Blake2b.derive([1], key: key) } == expected)
      #expect(code { try Blake2b.hash([1], key: key) } == expected)
      #expect(code { try Blake2b.isDigest(pattern(32)[...], of: [1], [], key: key) } == expected)
    }
  }

  @Test func `A copy ends at the end of the other file`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let (source, target) = (try directory.createFile("a"), try directory.createFile("b"))
      try source.write(pattern(60).span, at: 0)
      var done: [UInt64] = []
      #expect(try target.copy(100, of: source, at: 10, to: 5) { done.append($0) } == 50)
      #expect(done == [50])
      #expect(try contents(of: path + "/b") == [0, 0, 0, 0, 0] + pattern(60)[10...])
    }
  }

  @Test func `A layout computes which chunks a truncated file contains in part`() {
    let layout = ChunkLayout(
      headerLength: 500, chunkSize: 4_096, payloadLength: 3 * 4_096 + 1,
      plaintextLength: 3 * 4_096 + 1)
    for (size, chunks): (UInt64, Range<Int>) in [
      (0, 0..<0), (500, 0..<0), (501, 0..<1), (500 + 4_112, 0..<1), (500 + 4_113, 0..<2),
      (layout.fileSize, 0..<4), (layout.fileSize + 9_000, 0..<4), (.max, 0..<4),
    ] {
      #expect(layout.chunks(within: size) == chunks, "\(size)")
    }
  }

  @Test func `A large file is written while it is sealed, and a small one in one call`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      for (count, isSmall) in [(256 << 10, true), (256 << 10 + 1, false)] {
        var written: [Int] = []
        try SealedFile.seal(
          pattern(count).span, to: directory + "/f", for: [.key(key)],
          options: SealOptions(threadCount: 1)
        ) { _ in
          let name = (try? names(in: directory))?.first { $0.hasSuffix(".sealtmp") }
          written.append((try? contents(of: directory + "/" + (name ?? "")).count) ?? -1)
          return true
        }
        #expect(written.first.map { $0 == 0 } == isSmall, "\(count): \(written)")
      }
    }
  }

  #if os(Linux)
    @Test(
      .enabled(
        if: FileManager.default.isReadableFile(atPath: "/proc/thread-self/io"),
        "the kernel counts no bytes"))
    func `A copy writes each byte once`() throws {
      /// The number of bytes that this thread has written so far.
      func writtenCount() throws -> Int {
        let text = String(decoding: try contents(of: "/proc/thread-self/io"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar: ") })
        return try #require(Int(line.dropFirst("wchar: ".count)))
      }
      try withTemporaryDirectory { path in
        let directory = try Directory(path: path)
        let (source, target) = (try directory.createFile("a"), try directory.createFile("b"))
        let bytes = pattern(100_000)
        try source.write(bytes.span, at: 0)
        let before = try writtenCount()
        let copied = try target.copy(100_000, of: source, at: 0, to: 0) { _ in }
        let after = try writtenCount()
        #expect(copied == 100_000)
        #expect(after - before == 100_000)
        #expect(try contents(of: path + "/b") == bytes)
      }
    }

    @Test func `A nameless file has no name`() throws {
      try withTemporaryDirectory { path in
        let location = try FileLocation(path + "/f")
        let directory = try location.openDirectory()
        let file = try directory.createNamelessFile()
        #expect(try file.status().links == 0)
        #expect(try file.status().permissions == 0o600)
        #expect(try names(in: path).isEmpty)
        // The file for the digests of a stream has no name either.
        let spill = try SpillFile(directory: directory, location: location).make()
        #expect(try spill.status().links == 0)
        #expect(try names(in: path).isEmpty)
      }
    }
  #endif
}
