import TestSupport
import Testing

@testable import KeepsakeSeal

/// An older file was put in place of the one that a caller wants to change.
@Suite struct `A change of a file with an expected version` {
  private let key: SealKey
  private let signingKey: SealSigningKey

  init() throws {
    key = try .generate()
    signingKey = try .generate()
  }

  private enum Change: CaseIterable {
    case rewrap, reseal, replaceContent
  }

  private func make(
    _ change: Change, of path: String, expecting expectation: SealExpectation,
    policy: SealPolicy = SealPolicy()
  ) throws {
    switch change {
    case .rewrap:
      try SealedFile.rewrap(
        path, with: [.key(key)], adding: [.key(.generate())], expecting: expectation,
        policy: policy)
    case .reseal:
      try SealedFile.reseal(
        path, with: [.key(key)], for: [.key(key)], signingKey: signingKey, expecting: expectation,
        policy: policy)
    case .replaceContent:
      try SealedFile.replaceContent(
        of: path, with: [.key(key)], for: [.key(key)], signingKey: signingKey,
        expecting: expectation, policy: policy
      ) { (content: $0 + [1], result: ()) }
    }
  }

  @Test(arguments: Change.allCases) private func `A change of another version is refused`(
    change: Change
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      func seal(_ generation: UInt64) throws -> SealedFilePin {
        let options = SealOptions(
          chunkSize: .kibibytes4, generation: generation, signingKey: signingKey)
        let summary = try SealedFile.seal(
          pattern(9_000, seed: generation).span, to: path, for: [.key(key)], options: options)
        return SealedFilePin(summary, generation: generation)
      }
      let first = try seal(1)
      let old = try contents(of: path)
      let second = try seal(2)
      let new = try contents(of: path)
      try write(old, to: path)
      for expectation in [
        SealExpectation.atLeast(generation: 2), .notBefore(second), .exactly(second),
      ] {
        let failure = error { try make(change, of: path, expecting: expectation) }
        #expect(failure?.code == .staleFile && failure?.path == path)
        #expect(try contents(of: path) == old)
      }
      // The pin also detects one chunk that a holder of a key exchanged.
      var other = new
      other[other.count - 400] ^= 1
      try write(other, to: path)
      if change != .rewrap {
        #expect(
          code { try make(change, of: path, expecting: .exactly(second)) } == .damagedChunk)
        #expect(try contents(of: path) == other)
      }
      try write(new, to: path)
      let stranger = SealPolicy(signature: .trusted([try SealSigningKey.generate().signer]))
      #expect(
        code { try make(change, of: path, expecting: .notBefore(first), policy: stranger) }
          == .untrustedSigner)
      try make(change, of: path, expecting: .notBefore(first))
      #expect(try contents(of: path) != new)
    }
  }
}
