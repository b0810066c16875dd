/// A public key that files are sealed for; whoever has its ``X25519Identity`` can open them.
///
/// Its text form, such as
/// `keepsake1mskv5v0gusammywl7lj8tn9rx3ltg7qs04dawedt5jhy5vxrt4zqw4qwn7`, can be published: who has
/// it can seal files, and nothing else.
public struct X25519Recipient: Hashable, Sendable {
  /// The 32 bytes of the public key.
  public let publicKey: [UInt8]

  /// Takes a public key.
  ///
  /// - Parameter publicKey: A u-coordinate of Curve25519, 32 bytes, as RFC 7748 encodes it.
  /// - Throws: ``SealError`` with `invalidRecipient` when it has another length, is not encoded in
  ///   its one canonical way, or is one of the few points that everybody knows the secret of.
  public init(publicKey: [UInt8]) throws(SealError) {
    guard publicKey.count == X25519.keyLength else {
      throw SealError(.invalidRecipient, detail: "a public key of \(publicKey.count) bytes")
    }
    guard try X25519.isUsable(publicKey) else {
      throw SealError(.invalidRecipient, detail: "the public key is weak or not canonical")
    }
    self.publicKey = publicKey
  }

  /// The recipient of an identity; nothing is checked.
  init(unchecked publicKey: [UInt8]) { self.publicKey = publicKey }

  /// Reads the text form.
  ///
  /// - Parameter text: The text, as `description` gives it; it may be in upper case, and spaces and
  ///   line ends around it are ignored.
  /// - Throws: ``SealError`` with `invalidRecipient`; the sentence says what is wrong, and where.
  public init(_ text: String) throws(SealError) {
    try self.init(publicKey: TextForm.recipient.publicKey(in: text))
  }
}

extension X25519Recipient: CustomStringConvertible {
  /// The text form (Spec/seal.md, section 9.1).
  public var description: String { TextForm.recipient.text(of: publicKey) }
}
