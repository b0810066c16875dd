/// A read position in a UTF-8 text, for the readers of JSON and XML.
package struct TextCursor {
  private let bytes: [UInt8]
  /// The number of bytes that have been read.
  package var offset = 0

  /// Begins at the first byte, or after a byte order mark if there is one; throws for text in UTF-16 or UTF-32.
  package init(_ bytes: [UInt8]) throws(ImportError) {
    // A byte order mark of UTF-16, or a zero byte of a wide ASCII character. No text in UTF-8 begins with either.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.prefix(4).contains(0)
    {
      throw ImportError(
        .unsupportedEncoding,
        "it begins as a text in UTF-16 or UTF-32, and only UTF-8 is read; convert it first, for example with "
          + "iconv -f UTF-16 -t UTF-8")
    }
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next byte; nil at the end.
  package var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The bytes that have not been read.
  package var rest: ArraySlice<UInt8> { bytes[offset...] }

  /// The bytes from an offset to the cursor.
  package func read(from start: Int) -> ArraySlice<UInt8> { bytes[start..<offset] }

  package static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  package mutating func skipBlanks() {
    while let byte, Self.isBlank(byte) { offset += 1 }
  }

  /// Moves past an ASCII character if it is next, and returns whether it was.
  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Moves past a word if it is next, and returns whether it was.
  package mutating func take(word: String) -> Bool {
    guard isNext(word) else { return false }
    offset += word.utf8.count
    return true
  }

  package func isNext(_ word: String) -> Bool { rest.starts(with: word.utf8) }

  /// Moves past the next occurrence of a word, or to the end, and returns whether there was one.
  package mutating func skip(through word: String) -> Bool {
    let end = Array(word.utf8)
    while offset + end.count <= bytes.count {
      if bytes[offset] == end[0], rest.starts(with: end) {
        offset += end.count
        return true
      }
      offset += 1
    }
    offset = bytes.count
    return false
  }

  /// An error with a message, and with the line and column of the cursor.
  package func error(
    _ message: String, _ code: ImportError.Code = .damaged
  ) -> ImportError {
    let before = bytes[..<offset]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return ImportError(code, message, at: .text(line: line, column: column))
  }
}
