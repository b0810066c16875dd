// Keeps a signing key in a text file that only its owner can read.

extension SealSigningKey {
  /// Makes a new signing key and keeps it in a new file, durably.
  ///
  /// The file has mode 0600, names the signer in a comment, and holds the signing key's text form in a line of
  /// its own (Spec/seal.md, section 9.2). A person can print it, or copy it by hand: whoever loses it has to sign
  /// with another one, which readers then have to trust.
  ///
  /// A file that exists already is never replaced.
  ///
  /// - Parameter path: A path in an existing directory.
  /// - Returns: The new signing key.
  /// - Throws: ``SealError``, as ``SealKey/create(at:)`` does.
  public static func create(at path: String) throws(SealError) -> SealSigningKey {
    do throws(SealError) {
      try DurableFile.requireAbsent(path)
      let key = try SealSigningKey.generate()
      try key.write(to: path)
      return key
    } catch {
      throw error.at(path)
    }
  }

  /// Writes this signing key to a new file, which is never one that exists already.
  ///
  /// - Parameter path: A path in an existing directory.
  /// - Throws: ``SealError``, as ``SealKey/create(at:)`` does.
  public func write(to path: String) throws(SealError) {
    do throws(SealError) {
      try SecretTextFile.write(
        try TextForm.signingKey.text(of: seed), comment: "signer: \(signer)", to: path)
    } catch {
      throw error.at(path)
    }
  }

  /// Reads the signing key of a file.
  ///
  /// - Parameter path: The path of the file; a link is not followed.
  /// - Returns: The signing key.
  /// - Throws: ``SealError`` with `invalidSigningKey` when there is not exactly one in the file, and as
  ///   ``SealKey/read(at:)`` does. No case makes a new signing key.
  public static func read(at path: String) throws(SealError) -> SealSigningKey {
    do throws(SealError) {
      return try SecretTextFile.read(path, code: .invalidSigningKey) { line throws(SealError) in
        try SealSigningKey(text: line)
      }
    } catch {
      throw error.at(path)
    }
  }
}
