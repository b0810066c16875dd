/// A text file with one secret in a line of its own, which only its owner can read (Spec/seal.md,
/// section 9.2).
enum SecretTextFile {
  /// The most bytes that such a file may have.
  static let maximumLength = 4_096

  /// Writes a new file: a comment, and the text of the secret.
  static func write(
    _ text: SecretBytes, comment: String, to path: String
  ) throws(SealError) {
    let line = try SecretBytes(joining: Array("# \(comment)\n".utf8), text, [UInt8(ascii: "\n")])
    try SecretFile.create(line, at: path)
  }

  /// Calls `body` with the one line that is neither blank nor a comment; what is wrong with the content has
  /// the code `code`.
  static func read<Result>(
    _ path: String, code: SealError.Code, _ body: (Span<UInt8>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    let (file, status) = try SecretFile.open(path)
    guard (1...UInt64(maximumLength)).contains(status.size),
      let contents = try SecretBytes.reading(count: Int(status.size), from: file, path: path)
    else { throw SealError(code, detail: "the file has \(status.size) bytes") }
    return try contents.withSpan { text throws(SealError) in
      try body(text.extracting(try line(of: text, code: code)))
    }
  }

  private static func line(
    of text: Span<UInt8>, code: SealError.Code
  ) throws(SealError) -> Range<Int> {
    var found: Range<Int>?
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      // Blanks at both ends of a line do not count; a carriage return is one of them.
      let content = TextForm.trimmed(text.extracting(start..<end))
      if !content.isEmpty, text[start + content.lowerBound] != UInt8(ascii: "#") {
        guard found == nil else {
          throw SealError(code, detail: "the file has more than one line for it")
        }
        found = start..<end
      }
      start = end + 1
    }
    guard let found else { throw SealError(code, detail: "the file has no line for it") }
    return found
  }
}
