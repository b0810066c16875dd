/// An Ed25519 key that signs sealed files, so that readers can tell who wrote them.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes. ``create(at:)``
/// keeps one in a file. What to do when one is lost, stolen or to be exchanged is stated in
/// Spec/seal.md, section 11.
public final class SealSigningKey: Sendable {
  /// How many bytes the seed of a signing key has.
  public static let byteCount = 32

  /// The public half, which readers trust.
  public let signer: SealSigner

  let seed: SecretBytes
  private let secretKey: SecretBytes

  init(seed: SecretBytes) throws(SealError) {
    self.seed = seed
    let (secretKey, publicKey) = try Ed25519.keyPair(seed: seed)
    self.secretKey = secretKey
    signer = SealSigner(unchecked: publicKey)
  }

  /// A new signing key from the random generator of the operating system.
  ///
  /// - Returns: A signing key that nobody else has.
  /// - Throws: ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public static func generate() throws(SealError) -> SealSigningKey {
    try SealSigningKey(seed: try SecretBytes.random(count: byteCount))
  }

  /// Copies the seed of a signing key that a key store of your own handed out.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: The seed, 32 bytes, as RFC 8032 calls the private key.
  /// - Throws: ``SealError`` with `invalidKeyLength`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard bytes.count == SealSigningKey.byteCount else {
      throw SealError(.invalidKeyLength, detail: "got \(bytes.count)")
    }
    try self.init(seed: try SecretBytes(copying: bytes))
  }

  /// Copies the seed of a signing key that a key store of your own handed out from an array.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: The seed, 32 bytes, as RFC 8032 calls the private key.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public convenience init(copying bytes: [UInt8]) throws(SealError) {
    try self.init(copying: bytes.span)
  }

  /// Reads the text form.
  ///
  /// Wipe your copy of the text afterwards.
  ///
  /// - Parameter text: The text in UTF-8, as ``withText(_:)`` gives it; it may be in lower case, and
  ///   spaces and line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidSigningKey`; the sentence says what is wrong, and where, but
  ///   repeats nothing of the text.
  public convenience init(text: Span<UInt8>) throws(SealError) {
    try self.init(seed: try TextForm.signingKey.decode(text))
  }

  /// Hands out the text form, such as `KEEPSAKE-SIGNING-KEY-1…`, in guarded memory.
  ///
  /// - Parameter body: What shows or keeps the text, which is ASCII; it must not outlive the call.
  /// - Returns: What `body` returns.
  /// - Throws: ``SealError`` when there is no memory for the text, or what `body` throws.
  public func withText<Result>(
    _ body: (Span<UInt8>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    try TextForm.signingKey.text(of: seed).withSpan(body)
  }

  /// The signature of a message.
  func signature(of message: [UInt8]) throws(SealError) -> [UInt8] {
    try Ed25519.sign(message, with: secretKey)
  }
}

/// Who signs sealed files: the public half of a ``SealSigningKey``.
///
/// Its text form, such as `keepsake-signer1rnjk5jxg9luezc4pf0z5gcfxwnjav8aex9lxt4q927q0m095ms6su6vysx`, can be
/// published: who has it can tell the signer's files, and nothing else.
public struct SealSigner: Hashable, Sendable {
  /// The 32 bytes of the Ed25519 public key.
  public let publicKey: [UInt8]

  /// Takes a public key.
  ///
  /// - Parameter publicKey: An Ed25519 public key, 32 bytes, as RFC 8032 encodes it.
  /// - Throws: ``SealError`` with `invalidSigner` when it has another length, is not encoded in its one
  ///   canonical way, or is one of the few points for which anybody can sign.
  public init(publicKey: [UInt8]) throws(SealError) {
    try TextForm.signer.require(publicKey, try Ed25519.isUsable(publicKey))
    self.publicKey = publicKey
  }

  /// The signer of a signing key or of a signature that verifies; nothing is checked.
  init(unchecked publicKey: [UInt8]) { self.publicKey = publicKey }

  /// Reads the text form.
  ///
  /// - Parameter text: The text, as `description` gives it; it may be in upper case, and spaces and
  ///   line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidSigner`; the sentence says what is wrong, and where.
  public init(_ text: String) throws(SealError) {
    try self.init(publicKey: TextForm.signer.publicKey(in: text))
  }
}

extension SealSigner: CustomStringConvertible {
  /// The text form (Spec/seal.md, section 9.1).
  public var description: String { TextForm.signer.text(of: publicKey) }
}
