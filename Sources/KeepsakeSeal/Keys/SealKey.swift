/// A raw 256-bit key that seals and opens files.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes;
/// they are never held in a `String`, `Data` or `[UInt8]`. ``create(at:)`` and ``create(at:passphrase:cost:)`` keep one in a
/// file.
public final class SealKey: Sendable {
  /// How many bytes a key has.
  public static let byteCount = 32

  /// Whether all memory that was taken for secrets so far is locked, so that it never reaches the swap.
  ///
  /// It is not where the process may lock too little memory (`ulimit -l`), or none at all. Secrets are kept
  /// nevertheless: a program that must not have them swapped asks before it reads a key, and again
  /// afterwards. It holds for raw keys, passphrases, identities and signing keys; see SECURITY.md for what it does not
  /// hold for.
  ///
  /// - Complexity: The first call of a process may take a page of memory.
  public static var isMemoryLocked: Bool { SecretMemory.isLocked }

  let secret: SecretBytes

  init(secret: SecretBytes) { self.secret = secret }

  /// A new key from the random generator of the operating system.
  ///
  /// - Returns: A key that nobody else has.
  /// - Throws: ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public static func generate() throws(SealError) -> SealKey {
    SealKey(secret: try SecretBytes.random(count: byteCount))
  }

  /// Copies a key that a key store of your own handed out.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Exactly 32 bytes, each bit of them random; a passphrase is no such key.
  /// - Throws: ``SealError`` with `invalidKeyLength`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard bytes.count == SealKey.byteCount else {
      throw SealError(.invalidKeyLength, detail: "got \(bytes.count)")
    }
    self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Copies a key that a key store of your own handed out from an array.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Exactly 32 bytes, each bit of them random; a passphrase is no such key.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public convenience init(copying bytes: [UInt8]) throws(SealError) {
    try self.init(copying: bytes.span)
  }

  /// Whether both keys have the same bytes, found in constant time.
  ///
  /// - Parameter other: The key to compare with.
  /// - Returns: True when all 32 bytes are equal.
  public func isEqual(to other: SealKey) -> Bool { secret.isEqual(to: other.secret) }
}

extension SealKey {
  /// The key that takes both this key and another one to have.
  ///
  /// Use it where erasing either of the two is to make everything unreadable that was sealed with the
  /// combined key. The derivation is stated in Spec/seal.md, section 9.3.
  ///
  /// - Parameter other: The other key; exchanging the two gives a different key.
  /// - Returns: A key that tells nothing of the two.
  /// - Throws: ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public func combined(with other: SealKey) throws(SealError) -> SealKey {
    let message = try SecretBytes(joining: KeyLabel.combinedKey, other.secret)
    return SealKey(secret: try Blake2b.derive(message, key: secret))
  }
}
