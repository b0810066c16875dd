/// An Ed25519 key that signs sealed files, so that readers can verify who wrote them.
///
/// The key is kept in guarded memory, which is wiped when the last reference is released.
/// ``create(at:)`` stores a key in a file. Spec/seal.md, section 11, states what to do when a key is lost,
/// stolen or to be replaced.
public final class SealSigningKey: Sendable {
  /// The size of a signing key's seed in bytes.
  package static let byteCount = 32

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

  /// Makes a new signing key with the random generator of the operating system.
  ///
  /// Throws ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public static func generate() throws(SealError) -> SealSigningKey {
    try SealSigningKey(seed: try SecretBytes.random(count: byteCount))
  }

  /// Copies the seed of a signing key from a key store of your own.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: The 32 bytes of the seed, which RFC 8032 calls the private key.
  /// - Throws: ``SealError`` with `invalidKeyLength`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard bytes.count == SealSigningKey.byteCount else {
      throw SealError(.invalidKeyLength, detail: "got \(bytes.count)")
    }
    try self.init(seed: try SecretBytes(copying: bytes))
  }

  /// Reads the text form.
  ///
  /// Wipe your copy of the text afterwards.
  ///
  /// - Parameter text: The text in UTF-8, as ``withText(_:)`` gives it; it may be in lower case, and
  ///   spaces and line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidSigningKey`; the message names the fault and its place, but repeats
  ///   nothing of the text.
  public convenience init(text: Span<UInt8>) throws(SealError) {
    try self.init(seed: try TextForm.signingKey.decode(text))
  }

  /// Passes the text form, such as `KEEPSAKE-SIGNING-KEY-1…`, to `body` in guarded memory.
  ///
  /// - Parameter body: Shows or stores the text, which is ASCII and must not outlive the call.
  /// - Returns: The result of `body`.
  /// - Throws: ``SealError`` when there is no memory for the text, and any error of `body`.
  public func withText<Result>(
    _ body: (Span<UInt8>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    try TextForm.signingKey.text(of: seed).withSpan(body)
  }

  func signature(of message: [UInt8]) throws(SealError) -> [UInt8] {
    try Ed25519.sign(message, with: secretKey)
  }
}

/// A signer of sealed files: the public half of a ``SealSigningKey``.
///
/// Its text form, such as `keepsake-signer1rnjk5jxg9luezc4pf0z5gcfxwnjav8aex9lxt4q927q0m095ms6su6vysx`, can
/// be published: it only lets people recognise the signer's files.
public struct SealSigner: Hashable, Sendable {
  /// The 32 bytes of the Ed25519 public key.
  public let publicKey: [UInt8]

  /// Takes a public key.
  ///
  /// - Parameter publicKey: An Ed25519 public key, 32 bytes, as RFC 8032 encodes it.
  /// - Throws: ``SealError`` with `invalidSigner` when it has the wrong length, is not in its canonical
  ///   encoding, or is one of the few points for which anyone can sign.
  public init(publicKey: [UInt8]) throws(SealError) {
    try TextForm.signer.require(publicKey, try Ed25519.isUsable(publicKey))
    self.publicKey = publicKey
  }

  /// Takes a public key unchecked: it belongs to a signing key, or has verified a signature.
  init(unchecked publicKey: [UInt8]) { self.publicKey = publicKey }

  /// Reads the text form.
  ///
  /// - Parameter text: The text, as `description` gives it; it may be in upper case, and spaces and
  ///   line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidSigner`; the message names the fault and its place.
  public init(_ text: String) throws(SealError) {
    try self.init(publicKey: TextForm.signer.publicKey(in: text))
  }
}

extension SealSigner: CustomStringConvertible {
  /// The text form (Spec/seal.md, section 9.1).
  public var description: String { TextForm.signer.text(of: publicKey) }
}
