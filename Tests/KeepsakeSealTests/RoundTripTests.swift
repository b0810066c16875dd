import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Sealing and opening` {
  @Test(arguments: SealOptions.ChunkSize.allCases)
  func `Every size around a chunk boundary survives a round trip`(chunkSize: SealOptions.ChunkSize)
    throws
  {
    let key = try SealKey.generate()
    let size = chunkSize.byteCount
    for count in [0, 1, size - 1, size, size + 1, 2 * size, 2 * size + 1, 3 * size] {
      let plaintext = pattern(count)
      let bytes = try SealedFile.seal(
        plaintext.span, for: [.key(key)], options: SealOptions(chunkSize: chunkSize))
      let opened = try SealedFile.open(bytes: bytes, with: [.key(key)])
      #expect(opened.plaintextLength == count)
      #expect(opened.summary.chunkCount == max(1, (count + size - 1) / size))
      #expect(opened.summary.fileSize == bytes.count)
      #expect(try opened.read() == plaintext)
    }
  }

  @Test func `A file on disk survives a round trip with its metadata`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.sealed"
      let key = try SealKey.generate()
      let plaintext = pattern(200_000)
      let written = try SealedFile.seal(
        plaintext.span, to: path, for: [.key(key)],
        options: SealOptions(
          context: [1, 2], publicMetadata: [3, 4], generation: 9, creator: "Zoë 1.0"))
      let opened = try SealedFile.open(path, with: [.key(key)], context: [1, 2])
      #expect(try opened.read() == plaintext)
      #expect(opened.generation == 9)
      #expect(opened.creator == "Zoë 1.0")
      #expect(opened.openedBySlot == 0)
      #expect(opened.summary == written)
      #expect(try SealedFile.inspect(path) == written)
      #expect(written.publicMetadata == [3, 4])
      #expect(written.slotTypes == [.rawKey])
      #expect(written.version == 1)
      #expect(written.suite == 1)
      #expect(try contents(of: path).count == written.fileSize)
      #expect(try names(in: directory) == ["state.sealed"])
    }
  }

  @Test func `A file of many batches survives a round trip`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/large"
      let key = try SealKey.generate()
      let plaintext = pattern(9 << 20)
      try SealedFile.seal(
        plaintext.span, to: path, for: [.key(key)], options: SealOptions(chunkSize: .kibibytes16))
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == plaintext)
    }
  }

  @Test func `Replacing a file leaves an open reader with the old one`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state"
      let key = try SealKey.generate()
      try SealedFile.seal(pattern(5000, seed: 1).span, to: path, for: [.key(key)])
      let reader = try SealedFile.open(path, with: [.key(key)])
      try SealedFile.seal(pattern(70, seed: 2).span, to: path, for: [.key(key)])
      #expect(try reader.read() == pattern(5000, seed: 1))
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == pattern(70, seed: 2))
    }
  }

  @Test func `Two seals of one plaintext share no random value`() throws {
    let key = try SealKey.generate()
    let plaintext = pattern(5000)
    let first = try SealedFile.seal(plaintext.span, for: [.key(key)])
    let second = try SealedFile.seal(plaintext.span, for: [.key(key)])
    let header = try SealedFile.inspect(bytes: first)
    // The ranges are the file id, the commitment, the slot after its prefix, and everything from the metadata on.
    for range in [64..<96, 96..<128, 184..<216, 216..<240, 240..<288, 320..<344] {
      #expect(first[range] != second[range])
    }
    #expect(first[header.headerLength...] != second[header.headerLength...])
  }

  // Holds [S-101].
  @Test func `Each seal draws a new data key and new nonces`() throws {
    let recipients = try (0..<3).map { _ in try X25519Identity.generate().recipient }
    let draws = try (0..<100).map { _ in
      try SealRandomness.fresh(for: recipients.map { .x25519($0) })
    }
    for (index, draw) in draws.enumerated() {
      #expect(!draws[..<index].contains { $0.dataKey.isEqual(to: draw.dataKey) })
    }
    let nonces = draws.flatMap { $0.slots.map(\.nonce) + [$0.metadataNonce] }
    #expect(Set(nonces).count == 400)
    #expect(Set(draws.map(\.fileID)).count == 100)
    let seeds = draws.flatMap { $0.slots.compactMap(\.seed) }.map { $0.publicBytes(0..<32) }
    #expect(Set(seeds).count == 300)
  }

  @Test func `Several readers of one file agree`() async throws {
    let sample = try Sample(count: 20 * Sample.chunk)
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)])
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          let range = index * 4000..<index * 4000 + 9000
          return try opened.read(range) == Array(pattern(20 * 4096)[range])
        }
      }
      for try await agrees in group { #expect(agrees) }
    }
  }

  @Test func `Options beyond the limits of the format are refused`() throws {
    let key = try SealKey.generate()
    let long = [UInt8](repeating: 0, count: 65_537)
    let creator = String(repeating: "c", count: 1025)
    for options in [
      SealOptions(context: long), SealOptions(publicMetadata: long),
      SealOptions(creator: creator),
    ] {
      #expect(
        code { try SealedFile.seal([1].span, for: [.key(key)], options: options) }
          == .invalidOptions)
    }
    let longest = SealOptions(
      publicMetadata: Array(long.dropLast()), creator: String(creator.dropLast()))
    let bytes = try SealedFile.seal([1].span, for: [.key(key)], options: longest)
    #expect(try SealedFile.open(bytes: bytes, with: [.key(key)]).creator.count == 1024)
  }
}
