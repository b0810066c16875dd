import Testing

@testable import KeepsakeSeal

// The effects of damage, forgery and truncation (Spec/seal.md, sections 3, 4 and 7), for each way to open a
// file.
@Suite struct `A file with a slot of every type` {
  /// A file with cheap slots, its keys, and a policy that limits forged costs.
  struct Sealed {
    let identities: [SealIdentity]
    let recipients: [SealRecipient]
    let bytes: [UInt8]
    let headerLength: Int
    static let plaintext = pattern(Sample.chunk + 1)
    static let policy = SealPolicy(
      maximumPassphrasePasses: 2, maximumPassphraseMemory: 32 << 10)
    static let options = SealOptions(
      chunkSize: .kibibytes4, publicMetadata: [1, 2, 3], generation: 7, creator: "c",
      allowsMixedPassphrase: true)

    init() throws {
      let key = try SealKey.generate()
      let identity = try X25519Identity.generate()
      let words = Array("a passphrase".utf8)
      let passphrase = try SealPassphrase(copying: words.span)
      identities = [.key(key), .x25519(identity), .passphrase(passphrase)]
      recipients = [
        .key(key), .x25519(identity.recipient), .passphrase(passphrase, cost: .cheap),
      ]
      let bytes = try SealedFile.seal(
        Sealed.plaintext.span, for: recipients, options: Sealed.options)
      self.bytes = bytes
      headerLength = try SealedFile.inspect(bytes: bytes).headerLength
    }

    func read(_ bytes: [UInt8], with identity: SealIdentity) throws -> [UInt8] {
      try SealedFile.open(bytes: bytes, with: [identity], policy: Sealed.policy).read()
    }

    /// The bytes with a header check that matches them.
    func withHeaderCheck(_ bytes: [UInt8]) throws -> [UInt8] {
      let end = headerLength - SealFormat.checkLength
      let check = try Blake2b.hash(Array(bytes[..<end]), count: SealFormat.checkLength)
      return bytes[..<end] + check + bytes[headerLength...]
    }
  }

  @Test(arguments: 0..<3)
  func `No key opens the file after any one of its bits was changed`(index: Int) throws {
    let sealed = try Sealed()
    let identity = sealed.identities[index]
    var bytes = sealed.bytes
    for bit in 0..<bytes.count * 8 {
      // In the chunks only some bits are tried: the tests of damage try all of them.
      if bit / 8 >= sealed.headerLength, bit % 61 != 0 { continue }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let found = code { try sealed.read(bytes, with: identity) }
      if found == nil || found == .noMatchingKey {
        Issue.record("bit \(bit): \(String(describing: found))")
      }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(try sealed.read(bytes, with: identity) == Sealed.plaintext)
  }

  @Test(arguments: 0..<3)
  func `No key opens the file after a changed bit, even with a repaired check`(index: Int) throws {
    let sealed = try Sealed()
    let identity = sealed.identities[index]
    let own = 128 + 192 * index..<128 + 192 * (index + 1)
    for bit in 0..<(sealed.headerLength - SealFormat.checkLength) * 8 {
      var bytes = sealed.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let found = code { try sealed.read(try sealed.withHeaderCheck(bytes), with: identity) }
      // A change can look like another key only in the key's own slot, or in the file id, which all slots are
      // bound to.
      let isBound = own.contains(bit / 8) || (64..<96).contains(bit / 8)
      if found == nil || found == .noMatchingKey && !isBound {
        Issue.record("bit \(bit): \(String(describing: found))")
      }
    }
  }

  @Test func `A file that is cut anywhere, or has bytes after its end, is refused`() throws {
    let sealed = try Sealed()
    for length in 0..<sealed.bytes.count {
      let found = code {
        try sealed.read(Array(sealed.bytes[..<length]), with: sealed.identities[0])
      }
      if found != (length == 0 ? .emptyFile : .truncated) {
        Issue.record("length \(length): \(String(describing: found))")
      }
    }
    for tail in [[0], Array(sealed.bytes.suffix(Sample.sealedChunk)), sealed.bytes] {
      #expect(
        code { try sealed.read(sealed.bytes + tail, with: sealed.identities[1]) } == .trailingBytes)
    }
  }

  @Test func `A file cannot be forged to have two contents under two keys`() throws {
    // A forger with all keys writes slots that contain two data keys; one header matches only one of them.
    let sealed = try Sealed()
    let fileID = Array(sealed.bytes[64..<96])
    let other = try SecretBytes.random(count: SealFormat.dataKeyLength)
    for (index, recipient) in sealed.recipients.enumerated() {
      let slot = try Slot(
        wrapping: other, for: recipient, fileID: fileID,
        randomness: try SlotRandomness.fresh(for: recipient))
      let start = 128 + 192 * index
      var bytes = sealed.bytes
      bytes.replaceSubrange(start..<start + 192, with: slot.bytes)
      for identity in sealed.identities {
        #expect(
          code { try sealed.read(try sealed.withHeaderCheck(bytes), with: identity) }
            == .damagedHeader)
      }
    }
  }

  @Test func `A slot cannot be forged to open under two keys`() throws {
    let sealed = try Sealed()
    let fileID = Array(sealed.bytes[64..<96])
    for (index, identity) in sealed.identities.enumerated() {
      // The commitment belongs to another key; the wrapping would open under this one.
      let foreign = try Slot(
        wrapping: try SecretBytes.random(count: 32), for: .key(try SealKey.generate()),
        fileID: fileID, randomness: SlotRandomness(nonce: pattern(24)))
      let start = 128 + 192 * index
      var bytes = sealed.bytes
      bytes.replaceSubrange(start + 56..<start + 88, with: foreign.commitment)
      #expect(
        code { try sealed.read(try sealed.withHeaderCheck(bytes), with: identity) }
          == .noMatchingKey)
    }
  }

  @Test func `Two thousand files share no random value`() throws {
    let sealed = try Sealed()
    var seen: Set<[UInt8]> = []
    let count = 2_000
    for _ in 0..<count {
      let bytes = try SealedFile.seal(
        [1].span, for: Array(sealed.recipients[..<2]), options: Sealed.options)
      // The ranges are the file id and the commitment of the file, the commitment, nonce and wrapped key of the raw-key
      // slot, and the salt and nonce of the next slot.
      for range in [64..<96, 96..<128, 184..<208, 216..<240, 240..<288, 344..<376, 408..<432] {
        seen.insert(Array(bytes[range]))
      }
    }
    // The salt of the raw-key slot is zero, so it is not included.
    #expect(seen.count == count * 7)
  }
}
