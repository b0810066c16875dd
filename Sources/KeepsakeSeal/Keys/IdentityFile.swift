/// Keeps an X25519 identity in a text file that only its owner can read.
///
/// The file has mode 0600, names the recipient in a comment, and holds the identity's text form in a
/// line of its own (Spec/seal.md, section 9.2). A person can print it, or copy it by hand.
public enum IdentityFile {
  /// The most bytes that such a file may have.
  static let maximumLength = 4_096

  /// Makes a new identity and keeps it in a new file, durably.
  ///
  /// A file that exists already is never replaced: it may be the only key to sealed files.
  ///
  /// - Parameter path: A path in an existing directory.
  /// - Returns: The new identity.
  /// - Throws: ``SealError``, as ``KeyFile/create(at:)`` does.
  public static func create(at path: String) throws(SealError) -> X25519Identity {
    do throws(SealError) {
      try DurableFile.requireAbsent(path)
      let identity = try X25519Identity.generate()
      try write(identity, to: path)
      return identity
    } catch {
      throw error.at(path)
    }
  }

  /// Writes an identity to a new file, which is never one that exists already.
  ///
  /// - Parameters:
  ///   - identity: The identity to keep.
  ///   - path: A path in an existing directory.
  /// - Throws: ``SealError``, as ``KeyFile/create(at:)`` does.
  public static func write(
    _ identity: X25519Identity, to path: String
  ) throws(SealError) {
    do throws(SealError) {
      let comment = Array("# recipient: \(identity.recipient)\n".utf8)
      let line = try SecretBytes(joining: comment, try identity.text(), [UInt8(ascii: "\n")])
      try SecretFile.create(line, at: path)
    } catch {
      throw error.at(path)
    }
  }

  /// Reads the identity of a file.
  ///
  /// - Parameter path: The path of the identity file; a link is not followed.
  /// - Returns: The identity.
  /// - Throws: ``SealError`` with `invalidIdentity` when there is not exactly one in the file, and as
  ///   ``KeyFile/read(at:)`` does. No case makes a new identity.
  public static func read(at path: String) throws(SealError) -> X25519Identity {
    do throws(SealError) {
      let (file, status) = try SecretFile.open(path)
      guard (1...UInt64(maximumLength)).contains(status.size),
        let contents = try SecretBytes.reading(
          count: Int(status.size), from: file, path: path)
      else { throw SealError(.invalidIdentity, detail: "the file has \(status.size) bytes") }
      return try contents.withSpan { text throws(SealError) in
        try X25519Identity(text: text.extracting(try line(of: text)))
      }
    } catch {
      throw error.at(path)
    }
  }

  /// The one line that is neither blank nor a comment.
  private static func line(of text: Span<UInt8>) throws(SealError) -> Range<Int> {
    var found: Range<Int>?
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      // Blanks at both ends of a line do not count; with the line feed, a carriage return ends a line.
      let content = TextForm.trimmed(text.extracting(start..<end))
      if !content.isEmpty, text[start + content.lowerBound] != UInt8(ascii: "#") {
        guard found == nil else {
          throw SealError(.invalidIdentity, detail: "the file has more than one line for it")
        }
        found = start..<end
      }
      start = end + 1
    }
    guard let found else {
      throw SealError(.invalidIdentity, detail: "the file has no line for it")
    }
    return found
  }
}
