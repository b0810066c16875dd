/// A secret key that opens the files that were sealed for its ``recipient``.
///
/// The bytes are kept in guarded memory, which is wiped when the last reference is released.
/// ``create(at:)`` stores an identity in a file.
public final class X25519Identity: Sendable {
  /// The size of a secret key in bytes.
  package static let byteCount = 32

  /// The public half, which can be published.
  public let recipient: X25519Recipient

  let secret: SecretBytes

  init(secret: SecretBytes) throws(SealError) {
    self.secret = secret
    recipient = X25519Recipient(unchecked: try X25519.publicKey(of: secret))
  }

  /// Makes a new identity with the random generator of the operating system.
  ///
  /// Throws ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public static func generate() throws(SealError) -> X25519Identity {
    try X25519Identity(secret: try SecretBytes.random(count: byteCount))
  }

  /// Copies a secret key from a key store of your own.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: The scalar, 32 bytes, as RFC 7748 encodes it; it need not be clamped.
  /// - Throws: ``SealError`` with `invalidKeyLength`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard bytes.count == X25519Identity.byteCount else {
      throw SealError(.invalidKeyLength, detail: "got \(bytes.count)")
    }
    try self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Reads the text form.
  ///
  /// Wipe your copy of the text afterwards.
  ///
  /// - Parameter text: The text in UTF-8, as ``withText(_:)`` gives it; it may be in lower case, and
  ///   spaces and line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidIdentity`; the message names the fault and its place, but repeats
  ///   nothing of the text.
  public convenience init(text: Span<UInt8>) throws(SealError) {
    try self.init(secret: try TextForm.identity.decode(text))
  }

  /// Passes the text form, such as `KEEPSAKE-SECRET-KEY-1…`, to `body` in guarded memory.
  ///
  /// - Parameter body: Shows or stores the text, which is ASCII and must not outlive the call.
  /// - Returns: The result of `body`.
  /// - Throws: ``SealError`` when there is no memory for the text, and any error of `body`.
  public func withText<Result>(
    _ body: (Span<UInt8>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    try TextForm.identity.text(of: secret).withSpan(body)
  }
}

/// A public key that files are sealed for; any holder of its ``X25519Identity`` can open them.
///
/// Its text form, such as `keepsake1mskv5v0gusammywl7lj8tn9rx3ltg7qs04dawedt5jhy5vxrt4zqw4qwn7`, can be
/// published: it only lets people seal files.
public struct X25519Recipient: Hashable, Sendable {
  /// The 32 bytes of the public key.
  public let publicKey: [UInt8]

  /// Takes a public key.
  ///
  /// - Parameter publicKey: A u-coordinate of Curve25519, 32 bytes, as RFC 7748 encodes it.
  /// - Throws: ``SealError`` with `invalidRecipient` when it has the wrong length, is not in its canonical
  ///   encoding, or is one of the few points whose secret is publicly known.
  public init(publicKey: [UInt8]) throws(SealError) {
    try TextForm.recipient.require(publicKey, try X25519.isUsable(publicKey))
    self.publicKey = publicKey
  }

  /// The recipient of an identity; nothing is checked.
  init(unchecked publicKey: [UInt8]) { self.publicKey = publicKey }

  /// Reads the text form.
  ///
  /// - Parameter text: The text, as `description` gives it; it may be in upper case, and spaces and
  ///   line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidRecipient`; the message names the fault and its place.
  public init(_ text: String) throws(SealError) {
    try self.init(publicKey: TextForm.recipient.publicKey(in: text))
  }
}

extension X25519Recipient: CustomStringConvertible {
  /// The text form (Spec/seal.md, section 9.1).
  public var description: String { TextForm.recipient.text(of: publicKey) }
}
