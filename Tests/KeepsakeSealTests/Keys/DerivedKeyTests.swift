import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Keys that a passphrase keeps` {
  private static let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)

  private func salt(_ path: String) throws -> [UInt8] {
    Array(try contents(of: path)[128 + 24..<128 + 40])
  }

  private func identities(_ passphrases: SealPassphrase...) -> [SealIdentity] {
    passphrases.map { .passphrase($0) }
  }

  @Test func `A passphrase that keeps keys seals each file with the salt used last`() throws {
    try withTemporaryDirectory { folder in
      let passphrase = try SealPassphrase("sesame")
      let keeping = passphrase.cachingDerivedKeys()
      for path in [folder + "/a", folder + "/b"] {
        try SealedFile.seal([1].span, to: path, for: [.passphrase(passphrase, cost: Self.cost)])
        #expect(try identities(keeping).hasKeys(openingFileAt: path) == false)
        try identities(keeping).deriveKeys(openingFileAt: path)
        #expect(try identities(keeping).hasKeys(openingFileAt: path))
        let salt = try salt(path)
        try SealedFile.seal([2].span, to: path, for: [.passphrase(keeping, cost: Self.cost)])
        #expect(try self.salt(path) == salt)
        #expect(try SealedFile.open(path, with: [.passphrase(passphrase)]).read() == [2])
        try SealedFile.seal([3].span, to: path, for: [.passphrase(passphrase, cost: Self.cost)])
        #expect(try self.salt(path) != salt)
      }
    }
  }

  @Test func `A first file gets a key of the given cost, and a second call derives no other key`()
    throws
  {
    try withTemporaryDirectory { folder in
      let keeping = try SealPassphrase("sesame").cachingDerivedKeys()
      try identities(keeping).deriveKeys(openingFileAt: folder + "/absent")
      #expect(try identities(keeping).hasKeys(openingFileAt: folder + "/absent"))
      #expect(keeping.derivedKeys?.salt(cost: Self.cost) == nil)
      try keeping.deriveKey(sealingAt: Self.cost)
      let salt = try #require(keeping.derivedKeys?.salt(cost: Self.cost))
      try keeping.deriveKey(sealingAt: Self.cost)
      #expect(keeping.derivedKeys?.salt(cost: Self.cost) == salt)
      #expect(keeping.derivedKeys?.salt(cost: .constrained) == nil)
    }
  }

  @Test func `A passphrase keeps five keys, and drops the one unused for longest`() throws {
    let keys = DerivedKeys()
    let secret = try SecretBytes.random(count: 32)
    for number in 1...5 as ClosedRange<UInt8> { keys.keep(secret, salt: [number], cost: Self.cost) }
    #expect(keys.key(salt: [1], cost: Self.cost) != nil)
    keys.keep(secret, salt: [6], cost: Self.cost)
    #expect(keys.key(salt: [2], cost: Self.cost) == nil)
    #expect(keys.key(salt: [3], cost: Self.cost) != nil)
    #expect(keys.key(salt: [1], cost: Self.cost) != nil)
    #expect(keys.salt(cost: Self.cost) == [1])
  }

  @Test func `A wrong passphrase for a file is derived only once`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/a"
      try SealedFile.seal(
        [1].span, to: path, for: [.passphrase(try SealPassphrase("sesame"), cost: Self.cost)])
      let wrong = try SealPassphrase("Sesame").cachingDerivedKeys()
      try identities(wrong).deriveKeys(openingFileAt: path)
      #expect(try identities(wrong).hasKeys(openingFileAt: path))
    }
  }

  @Test func `Keys of a list are derived up to the first passphrase that opens the file`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/a"
      let right = try SealPassphrase("sesame").cachingDerivedKeys()
      let wrong = try SealPassphrase("Sesame").cachingDerivedKeys()
      let unused = try SealPassphrase("unused").cachingDerivedKeys()
      try SealedFile.seal([1].span, to: path, for: [.passphrase(right, cost: Self.cost)])
      let fresh = try SealPassphrase("sesame").cachingDerivedKeys()
      let list = identities(wrong, fresh, unused)
      #expect(try !list.hasKeys(openingFileAt: path))
      try list.deriveKeys(openingFileAt: path)
      #expect(try list.hasKeys(openingFileAt: path))
      #expect(unused.derivedKeys?.salt(cost: Self.cost) == nil)
      #expect(wrong.derivedKeys?.salt(cost: Self.cost) == fresh.derivedKeys?.salt(cost: Self.cost))
    }
  }

  @Test func `No passphrase is derived if a key in the list opens the file`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/a"
      let key = try SealKey.generate()
      let keeping = try SealPassphrase("sesame").cachingDerivedKeys()
      let options = SealOptions(allowsMixedPassphrase: true)
      try SealedFile.seal(
        [1].span, to: path,
        for: [.key(key), .passphrase(try SealPassphrase("sesame"), cost: Self.cost)],
        options: options)
      let list: [SealIdentity] = [.passphrase(keeping), .key(key)]
      #expect(try list.hasKeys(openingFileAt: path))
      try list.deriveKeys(openingFileAt: path)
      #expect(keeping.derivedKeys?.salt(cost: Self.cost) == nil)
      #expect(try !identities(keeping).hasKeys(openingFileAt: path))
    }
  }

  @Test func `A passphrase in both lists keeps its keys once`() throws {
    let (one, other) = (try SealPassphrase("sesame"), try SealPassphrase("sesame"))
    // Both are the same in form C, and differ as they were typed.
    let (typed, composed) = (try SealPassphrase("e\u{301}"), try SealPassphrase("\u{E9}"))
    let (recipients, identities) = SealPassphrase.cachingDerivedKeys(
      [.passphrase(one, cost: Self.cost), .passphrase(composed, cost: Self.cost)],
      [.passphrase(other), .passphrase(typed)])
    try recipients[0].deriveKey()
    guard case .passphrase(let first) = identities[0], case .passphrase(let second) = identities[1]
    else {
      Issue.record("The kinds of the identities changed.")
      return
    }
    #expect(first.derivedKeys?.salt(cost: Self.cost) != nil)
    #expect(second.derivedKeys?.salt(cost: Self.cost) == nil && second.unnormalized != nil)
  }
}
