import CommandSupport

// Helpers that the readers of text documents share.

extension [UInt8] {
  /// Refuses what is not in UTF-8 but in an encoding of wider units.
  func requireUTF8(from source: String) throws(Failure) {
    // A mark of the order of bytes, or half a character of ASCII; neither can begin a text in UTF-8.
    guard starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE]) || prefix(4).contains(0) else {
      return
    }
    throw Failure(
      "\(source) begins as a text in UTF-16 or UTF-32, and only UTF-8 is read; convert it first, as by "
        + "iconv -f UTF-16 -t UTF-8.", .damaged)
  }

  /// A place of a text, as people count.
  func place(of offset: Int) -> String {
    let before = self[..<Swift.min(offset, count)]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return "(line \(line), column \(column))"
  }
}
