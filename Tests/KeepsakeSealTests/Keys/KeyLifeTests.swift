import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `The life of a key` {
  @Test func `An existing key can be written to a key file of either kind`() throws {
    try withTemporaryDirectory { directory in
      let (plain, secret) = (directory + "/plain", directory + "/secret")
      let key = try SealKey(copying: pattern(32).span)
      try key.write(to: plain)
      #expect(try SealKey.read(at: plain).isEqual(to: key))
      #expect(try permissions(of: plain) == 0o600)
      try key.write(to: secret, passphrase: SealPassphrase("p"), cost: .cheap)
      #expect(
        try SealKey.read(at: secret, passphrase: SealPassphrase("p")).isEqual(to: key))
      let other = try SealKey.generate()
      for path in [plain, secret] {
        let before = try contents(of: path)
        let failure = error { try other.write(to: path) }
        #expect(failure?.code == .alreadyExists && failure?.path == path)
        #expect(
          code {
            try other.write(to: path, passphrase: SealPassphrase("p"), cost: .cheap)
          } == .alreadyExists)
        #expect(try contents(of: path) == before)
      }
    }
  }

  @Test func `The passphrase of a key file can get a higher cost, which the file states`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let secret = try SealPassphrase("p")
      let key = try SealKey.create(at: path, passphrase: secret, cost: .cheap)
      #expect(try SealKey.passphraseCost(at: path) == .cheap)
      let more = PassphraseCost(passes: 2, memoryByteCount: 8 << 10)
      try SealKey.changePassphrase(at: path, from: secret, to: secret, cost: more)
      #expect(try SealKey.passphraseCost(at: path) == more)
      #expect(try SealKey.read(at: path, passphrase: secret).isEqual(to: key))
      var damaged = try Array(contents(of: path))
      damaged[damaged.count - 1] ^= 1
      try write(damaged, to: path)
      #expect(code { try SealKey.passphraseCost(at: path) } == .keyFileDamaged)
      #expect(code { try SealKey.passphraseCost(at: path + "2") } == .keyFileAbsent)
    }
    let cost = PassphraseCost(passes: 2, memoryByteCount: 16 << 10)
    for (passes, memory, isLower) in [
      (2, 16, false), (1, 16, true), (2, 15, true), (3, 15, true), (1, 99, true), (3, 17, false),
    ] {
      let other = PassphraseCost(passes: passes, memoryByteCount: memory << 10)
      #expect(other.isLower(than: cost) == isLower)
    }
  }

  @Test func `A service's credential may have an access list, but no other writers`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let key = try SealKey.create(at: path)
      for (mode, isFit) in [
        (0o400, true), (0o440, true), (0o600, true), (0o460, false), (0o420, false),
        (0o410, false), (0o404, false), (0o444, false), (0o401, false),
      ] {
        try setPermissions(mode, of: path)
        let refusal = code {
          let found = try SealKey.readCredential(at: path)
          #expect(found.isEqual(to: key))
        }
        #expect(refusal == (isFit ? nil : .keyFileOpenPermissions), "\(mode)")
        #expect(
          code { try SealKey.read(at: path) } == (mode & 0o77 == 0 ? nil : .keyFileOpenPermissions))
      }
    }
  }

  @Test func `A combined key depends on both keys and on their order`() throws {
    let (a, b) = (try SealKey.generate(), try SealKey.generate())
    let combined = try a.combined(with: b)
    #expect(combined.isEqual(to: try a.combined(with: b)))
    for other in [a, b, try b.combined(with: a), try a.combined(with: a)] {
      #expect(!combined.isEqual(to: other))
    }
  }

  // Spec/seal.md, section 9.3; the digest was computed with Python's hashlib.
  @Test func `A combined key is derived as the specification states`() throws {
    let bytes = Array(UInt8(0)..<64)
    let (a, b) = (Array(bytes[..<32]), Array(bytes[32...]))
    let combined = try SealKey(copying: a.span).combined(with: SealKey(copying: b.span))
    let hex = combined.secret.publicBytes(0..<32).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    #expect(hex.joined() == "80c1fa63c93c3e5200bed1a9a9296a6b4532e48cd829d0a6c66b6c1a3cac4312")
  }
}
