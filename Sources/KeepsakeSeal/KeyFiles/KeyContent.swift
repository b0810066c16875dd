package import KeepsakeFiles

/// The content of a file with keys of any kind, for a command that accepts keys in every form.
///
/// The caller follows links and reads pipes. A regular file must belong to this user and be closed to others
/// (Spec/seal.md, section 9). The content is recognized before the permissions are checked, so that a file without a
/// key is always reported as such.
package struct KeyContent {
  /// The kind of a key, which the content decides.
  package enum Kind: Sendable {
    case key, keyUnderPassphrase, identities, signingKey, recipients, signers
    /// A key of the program age.
    case age
    case unknown
  }

  /// The maximum number of bytes that the content may have.
  package static let maximumLength = SecretTextFile.maximumLength

  /// The bytes that begin a text in UTF-8 on some systems; they are not part of the text.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The beginnings of the texts of keys, in lower case.
  private static let beginnings: [(text: String, kind: Kind)] = [
    (TextForm.identity.prefix + "1", .identities), (TextForm.signingKey.prefix + "1", .signingKey),
    (TextForm.recipient.prefix + "1", .recipients), (TextForm.signer.prefix + "1", .signers),
    ("age-secret-key-", .age), ("age1", .age),
  ]

  private let contents: SecretBytes
  private let path: String
  package let kind: Kind

  /// Copies the content, of which at most one byte beyond ``maximumLength`` is needed; the caller wipes its own.
  ///
  /// The status is nil for a descriptor that the user has opened. Throws when the content is a secret in a file of
  /// another user, or in a file that others can read.
  package init(
    copying bytes: Span<UInt8>, of status: FileStatus?, path: String
  ) throws(SealError) {
    let isMarked = Self.begins(bytes, with: Self.byteOrderMark)
    let text = bytes.extracting((isMarked ? Self.byteOrderMark.count : 0)..<bytes.count)
    kind = bytes.count > Self.maximumLength ? .unknown : Self.kind(of: text)
    self.path = path
    do throws(SealError) {
      contents = try SecretBytes(copying: text)
      guard let status, status.kind == .regular else { return }
      switch kind {
      case .key, .keyUnderPassphrase, .identities, .signingKey: try SecretFile.requireSafe(status)
      case .recipients, .signers, .age, .unknown: break
      }
    } catch {
      throw error.at(path)
    }
  }

  private static func kind(of bytes: Span<UInt8>) -> Kind {
    if begins(bytes, with: KeyFile.magic) { return .key }
    if begins(bytes, with: PassphraseKeyFile.magic) { return .keyUnderPassphrase }
    guard let line = SecretTextFile.lines(of: bytes).first else { return .unknown }
    let text = bytes.extracting(line)
    let content = text.extracting(TextForm.trimmed(text))
    for (beginning, kind) in beginnings
    where begins(content, with: Array(beginning.utf8), ignoringCase: true) {
      return kind
    }
    return .unknown
  }

  private static func begins(
    _ bytes: Span<UInt8>, with beginning: [UInt8], ignoringCase: Bool = false
  ) -> Bool {
    guard bytes.count >= beginning.count else { return false }
    return beginning.indices.allSatisfy { index in
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index])
      return bytes[index] + (ignoringCase && isUpper ? 32 : 0) == beginning[index]
    }
  }

  private func reading<Result>(
    _ read: () throws(SealError) -> Result
  ) throws(SealError) -> Result {
    do throws(SealError) {
      return try read()
    } catch {
      throw error.at(path)
    }
  }

  private func require(_ length: Int) throws(SealError) {
    guard contents.count == length else {
      throw SecretFile.wrongLength(UInt64(contents.count), expected: length)
    }
  }

  /// The key of a key file without a passphrase; throws as ``SealKey/read(at:)`` does.
  package func key() throws(SealError) -> SealKey {
    try reading { () throws(SealError) in
      try require(KeyFile.length)
      return try KeyFile.decode(contents)
    }
  }

  /// The key of a key file under a passphrase; throws as `SealKey.read(at:passphrase:policy:)` does.
  package func key(
    passphrase: SealPassphrase, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealKey {
    try reading { () throws(SealError) in
      try require(PassphraseKeyFile.length)
      let bytes = contents.publicBytes(0..<contents.count)
      return try PassphraseKeyFile.decode(bytes, passphrase, policy)
    }
  }

  /// The identities, one in each line that is neither blank nor a comment, in their order.
  package func identities() throws(SealError) -> [X25519Identity] {
    try reading { () throws(SealError) in
      try contents.withSpan { text throws(SealError) in
        var identities: [X25519Identity] = []
        for line in SecretTextFile.lines(of: text) {
          identities.append(try X25519Identity(text: text.extracting(line)))
        }
        return identities
      }
    }
  }

  /// The only signing key; throws as ``SealSigningKey/read(at:)`` does.
  package func signingKey() throws(SealError) -> SealSigningKey {
    try reading { () throws(SealError) in
      try contents.withSpan { text throws(SealError) in
        let line = try SecretTextFile.line(of: text, code: .invalidSigningKey)
        return try SealSigningKey(text: text.extracting(line))
      }
    }
  }
}
