/// A passphrase that seals and opens files, by way of Argon2id.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes. They
/// are used exactly as given: nothing is trimmed and no Unicode form is chosen, so a program that
/// takes passphrases from people should bring them into one form (NFC) first.
public final class SealPassphrase: Sendable {
  /// How many bytes a passphrase may have (Spec/seal.md, section 4.2).
  public static let byteCountRange = SealFormat.passphraseLengths

  let secret: SecretBytes

  init(secret: SecretBytes) { self.secret = secret }

  /// Copies a passphrase.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard SealPassphrase.byteCountRange.contains(bytes.count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(bytes.count) bytes")
    }
    self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Copies a passphrase from an array.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public convenience init(copying bytes: [UInt8]) throws(SealError) {
    try self.init(copying: bytes.span)
  }

  /// Takes a passphrase as text, whose UTF-8 goes straight into guarded memory.
  ///
  /// The `String` itself cannot be wiped, nor what the system has copied of it, such as a text field: they stay in
  /// memory until it is used for something else. Where that matters, collect the bytes in memory of your own, wipe
  /// it, and use `init(copying:)`.
  ///
  /// - Parameter text: Between 1 and 4096 bytes of UTF-8, used exactly as given.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or `cryptographyUnavailable`.
  public convenience init(_ text: String) throws(SealError) {
    let count = text.utf8.count
    guard SealPassphrase.byteCountRange.contains(count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(count) bytes")
    }
    self.init(
      secret: try SecretBytes(count: count) { output in
        for byte in text.utf8 { output.append(byte) }
      })
  }

  /// Whether both passphrases have the same bytes.
  ///
  /// - Parameter other: The passphrase to compare with.
  /// - Returns: True when all bytes are equal; the time depends on the lengths only.
  public func isEqual(to other: SealPassphrase) -> Bool { secret.isEqual(to: other.secret) }

  /// What Argon2id makes of it; the caller has held the cost against its limits.
  func key(salt: [UInt8], cost: PassphraseCost) throws(SealError) -> SecretBytes {
    try Argon2id.derive(
      secret, salt: salt, passes: cost.passes, memoryByteCount: cost.memoryByteCount)
  }
}
