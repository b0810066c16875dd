/// A raw 256-bit key that seals and opens files.
///
/// The bytes are kept in guarded memory, which is wiped when the last reference is released.
/// They are never held in a `String`, `Data` or `[UInt8]`. ``create(at:)`` and
/// ``create(at:passphrase:cost:)`` store a key in a file.
public final class SealKey: Sendable {
  /// The size of a key in bytes.
  public static let byteCount = 32

  /// True when all memory for secrets so far is locked, so that it never reaches the swap.
  ///
  /// It is false when the process may lock too little memory (`ulimit -l`) or none. Secrets are stored anyway: a
  /// program that must keep them out of the swap checks this before it reads a key, and again afterwards. The property
  /// covers raw keys, passphrases, identities and signing keys; SECURITY.md lists what it does not cover.
  ///
  /// - Complexity: The first call of a process may take a page of memory.
  public static var isMemoryLocked: Bool { SecretMemory.isLocked }

  let secret: SecretBytes

  init(secret: SecretBytes) { self.secret = secret }

  /// Makes a new key with the random generator of the operating system.
  ///
  /// Throws ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public static func generate() throws(SealError) -> SealKey {
    SealKey(secret: try SecretBytes.random(count: byteCount))
  }

  /// Copies a key from a key store of your own.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Exactly 32 bytes, each bit of them random; a passphrase is not such a key.
  /// - Throws: ``SealError`` with `invalidKeyLength`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard bytes.count == SealKey.byteCount else {
      throw SealError(.invalidKeyLength, detail: "got \(bytes.count)")
    }
    self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Whether both keys have the same bytes; compared in constant time.
  package func isEqual(to other: SealKey) -> Bool { secret.isEqual(to: other.secret) }
}

extension SealKey {
  /// Derives a key from this key and another one.
  ///
  /// With the combined key, erasing either of the two makes all files unreadable that were sealed with it.
  /// The derivation is stated in Spec/seal.md, section 9.3.
  ///
  /// - Parameter other: The other key; exchanging the two gives a different key.
  /// - Returns: A key that reveals nothing about the two.
  /// - Throws: ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  package func combined(with other: SealKey) throws(SealError) -> SealKey {
    let message = try SecretBytes(joining: KeyLabel.combinedKey, other.secret)
    return SealKey(secret: try Blake2b.derive(message, key: secret))
  }
}
