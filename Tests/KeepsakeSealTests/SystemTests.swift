import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `What the system gives and refuses` {
  @Test func `What is drawn at random at once is cut into parts that do not overlap`() throws {
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

  #if os(Linux)
    @Test func `A file that is to have no name has none`() throws {
      try withTemporaryDirectory { path in
        let location = try FileLocation(path + "/f")
        let directory = try location.openDirectory()
        let file = try directory.createNamelessFile()
        #expect(try file.status().links == 0)
        #expect(try file.status().permissions == 0o600)
        #expect(try names(in: path).isEmpty)
        // Nor has the one for the digests of a stream.
        let spill = try SpillFile(directory: directory, location: location).make()
        #expect(try spill.status().links == 0)
        #expect(try names(in: path).isEmpty)
      }
    }
  #endif
}
