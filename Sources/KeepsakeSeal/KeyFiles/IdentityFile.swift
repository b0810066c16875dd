// Keeps an X25519 identity in a text file that only its owner can read.

extension X25519Identity {
  /// Makes a new identity and keeps it in a new file, durably.
  ///
  /// The file has mode 0600, names the recipient in a comment, and holds the identity's text form in a
  /// line of its own (Spec/seal.md, section 9.2). A person can print it, or copy it by hand.
  ///
  /// A file that exists already is never replaced: it may be the only key to sealed files.
  ///
  /// - Parameter path: A path in an existing directory.
  /// - Returns: The new identity.
  /// - Throws: ``SealError``, as ``SealKey/create(at:)`` does.
  public static func create(at path: String) throws(SealError) -> X25519Identity {
    do throws(SealError) {
      try DurableFile.requireAbsent(path)
      let identity = try X25519Identity.generate()
      try identity.write(to: path)
      return identity
    } catch {
      throw error.at(path)
    }
  }

  /// Writes this identity to a new file, which is never one that exists already.
  ///
  /// - Parameter path: A path in an existing directory.
  /// - Throws: ``SealError``, as ``SealKey/create(at:)`` does.
  public func write(to path: String) throws(SealError) {
    do throws(SealError) {
      try SecretTextFile.write(
        try TextForm.identity.text(of: secret),
        comment: "recipient: \(recipient)", to: path)
    } catch {
      throw error.at(path)
    }
  }

  /// Reads the identity of a file.
  ///
  /// - Parameter path: The path of the identity file; a link is not followed.
  /// - Returns: The identity.
  /// - Throws: ``SealError`` with `invalidIdentity` when there is not exactly one in the file, and as
  ///   ``SealKey/read(at:)`` does. No case makes a new identity.
  public static func read(at path: String) throws(SealError) -> X25519Identity {
    do throws(SealError) {
      return try SecretTextFile.read(path, code: .invalidIdentity) { line throws(SealError) in
        try X25519Identity(text: line)
      }
    } catch {
      throw error.at(path)
    }
  }
}
