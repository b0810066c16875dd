/// A passphrase that seals and opens files, by way of Argon2id.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes. They
/// are used exactly as given: nothing is trimmed and no Unicode form is chosen, so a program that
/// takes passphrases from people should bring them into one form (NFC) first.
public final class SealPassphrase: Sendable {
  /// How many bytes a passphrase may have (Spec/seal.md, section 4.2).
  public static let byteCountRange = 1...4_096

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

  /// Whether both passphrases have the same bytes.
  ///
  /// - Parameter other: The passphrase to compare with.
  /// - Returns: True when all bytes are equal; the time depends on the lengths only.
  public func isEqual(to other: SealPassphrase) -> Bool { secret.isEqual(to: other.secret) }
}
