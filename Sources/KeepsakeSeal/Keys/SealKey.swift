/// A raw 256-bit key that seals and opens files.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes;
/// they are never held in a `String`, `Data` or `[UInt8]`. ``create(at:)`` and ``create(at:passphrase:cost:)`` keep one in a
/// file.
public final class SealKey: Sendable {
  /// How many bytes a key has.
  public static let byteCount = 32

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
