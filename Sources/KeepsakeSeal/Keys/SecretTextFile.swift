public import KeepsakeFiles

/// A text file with one secret on a line of its own, which only its owner can read (Spec/seal.md, section
/// 9.2).
enum SecretTextFile {
  /// The maximum number of bytes that such a file may have.
  static let maximumLength = 4_096

  /// Writes a new file: a comment, and the text of the secret.
  static func write(
    _ secret: SecretBytes, as form: TextForm, comment: String, to path: String
  ) throws(SealError) {
    do throws(SealError) {
      let lines = try SecretBytes(
        joining: Array("# \(comment)\n".utf8), form.text(of: secret), [UInt8(ascii: "\n")])
      try SecretFile.create(lines, at: path)
    } catch {
      throw error.at(path)
    }
  }

  /// Calls `body` with the only line that is neither blank nor a comment; errors of the content have the code
  /// `code`.
  static func read<Result>(
    _ path: String, code: SealError.Code, _ body: (Span<UInt8>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    do throws(SealError) {
      let (file, status) = try SecretFile.open(path)
      guard (1...UInt64(maximumLength)).contains(status.size),
        let contents = try SecretBytes.reading(count: Int(status.size), from: file, path: path)
      else { throw SealError(code, detail: "the file has \(status.size) bytes") }
      return try contents.withSpan { text throws(SealError) in
        try body(text.extracting(try line(of: text, code: code)))
      }
    } catch {
      throw error.at(path)
    }
  }

  /// The only line that is neither blank nor a comment.
  static func line(of text: Span<UInt8>, code: SealError.Code) throws(SealError) -> Range<Int> {
    let lines = lines(of: text)
    guard let found = lines.first else {
      throw SealError(code, detail: "the file has no line for it")
    }
    guard lines.count == 1 else {
      throw SealError(code, detail: "the file has more than one line for it")
    }
    return found
  }

  /// The lines that are neither blank nor comments.
  static func lines(of text: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      // Blanks at both ends of a line are ignored, including a carriage return.
      let content = TextForm.trimmed(text.extracting(start..<end))
      if !content.isEmpty, text[start + content.lowerBound] != UInt8(ascii: "#") {
        found.append(start..<end)
      }
      start = end + 1
    }
    return found
  }
}

// Stores an X25519 identity in a text file that only its owner can read.

extension X25519Identity {
  /// Makes a new identity and stores it durably in a new file in an existing directory.
  ///
  /// The file has mode 0600, names the recipient in a comment, and holds the identity's text form on a line
  /// of its own (Spec/seal.md, section 9.2). A person can print it, or copy it by hand.
  ///
  /// An existing file is never replaced: it may be the only key to sealed files.
  ///
  /// Throws ``SealError``, as ``SealKey/create(at:)`` does.
  public static func create(at path: some FilePathConvertible) throws(SealError) -> X25519Identity {
    try SecretFile.create(at: path.filePath, generate) { identity, path throws(SealError) in
      try identity.write(to: path)
    }
  }

  /// Writes this identity to a new file in an existing directory; an existing file is never replaced.
  ///
  /// Throws ``SealError``, as ``SealKey/create(at:)`` does.
  public func write(to path: some FilePathConvertible) throws(SealError) {
    try SecretTextFile.write(
      secret, as: .identity, comment: "recipient: \(recipient)", to: path.filePath)
  }

  /// Reads the identity of a file; a link is not followed.
  ///
  /// - Throws: ``SealError`` with `invalidIdentity` when there is not exactly one in the file, and as
  ///   ``SealKey/read(at:)`` does. Reading never makes a new identity.
  public static func read(at path: some FilePathConvertible) throws(SealError) -> X25519Identity {
    try SecretTextFile.read(path.filePath, code: .invalidIdentity) { line throws(SealError) in
      try X25519Identity(text: line)
    }
  }
}

// Stores a signing key in a text file that only its owner can read.

extension SealSigningKey {
  /// Makes a new signing key and stores it durably in a new file in an existing directory.
  ///
  /// The file has mode 0600, names the signer in a comment, and holds the signing key's text form on a line
  /// of its own (Spec/seal.md, section 9.2). A person can print it, or copy it by hand. After its loss, files
  /// must be signed with another key, which readers then have to trust.
  ///
  /// An existing file is never replaced.
  ///
  /// Throws ``SealError``, as ``SealKey/create(at:)`` does.
  public static func create(at path: some FilePathConvertible) throws(SealError) -> SealSigningKey {
    try SecretFile.create(at: path.filePath, generate) { key, path throws(SealError) in
      try key.write(to: path)
    }
  }

  /// Writes this signing key to a new file in an existing directory; an existing file is never replaced.
  ///
  /// Throws ``SealError``, as ``SealKey/create(at:)`` does.
  public func write(to path: some FilePathConvertible) throws(SealError) {
    try SecretTextFile.write(seed, as: .signingKey, comment: "signer: \(signer)", to: path.filePath)
  }

  /// Reads the signing key of a file; a link is not followed.
  ///
  /// - Throws: ``SealError`` with `invalidSigningKey` when there is not exactly one in the file, and as
  ///   ``SealKey/read(at:)`` does. Reading never makes a new signing key.
  public static func read(at path: some FilePathConvertible) throws(SealError) -> SealSigningKey {
    try SecretTextFile.read(path.filePath, code: .invalidSigningKey) { line throws(SealError) in
      try SealSigningKey(text: line)
    }
  }
}
