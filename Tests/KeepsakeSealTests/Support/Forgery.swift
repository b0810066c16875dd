@testable import KeepsakeSeal

extension Sample {
  /// Sealed bytes that a forger changes.
  struct Forgery {
    let bytes: [UInt8]

    /// The bytes after `change`, with a repaired header check.
    func forged(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
      var forged = bytes
      change(&forged)
      let end = try SealedFile.inspect(bytes: bytes).headerLength - SealFormat.checkLength
      let check = try Blake2b.hash(Array(forged[..<end]), count: SealFormat.checkLength)
      forged.replaceSubrange(end..<end + SealFormat.checkLength, with: check)
      return forged
    }

    /// The bytes with another 32-bit number at an offset of a slot.
    func changing(slot: Int, _ offset: Int, to value: UInt32) throws -> [UInt8] {
      let start = SealFormat.preambleLength + slot * SealFormat.slotLength + offset
      var number: [UInt8] = []
      number.appendLittleEndian(value)
      return try forged { $0.replaceSubrange(start..<start + 4, with: number) }
    }
  }
}

extension Slot {
  /// A slot that a holder of the data key makes for their own identity, with another recipient's hint.
  init(
    withHintOf other: Slot, for identity: X25519Identity, dataKey: SecretBytes, fileID: [UInt8]
  ) throws {
    let recipient = SealRecipient.x25519(identity.recipient)
    let own = try Slot(
      wrapping: dataKey, for: recipient, fileID: fileID, randomness: .fresh(for: recipient))
    let key = try own.keyEncryptionKey(of: .x25519(identity), fileID: fileID)
    try self.init(
      wrapping: dataKey, under: key ?? dataKey, prefix: own.prefix[..<16] + other.hint + own.salt,
      fileID: fileID, nonce: Array(own.wrappedKey.prefix(24)))
  }
}
