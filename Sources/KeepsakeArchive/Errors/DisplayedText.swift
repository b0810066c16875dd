extension Unicode.Scalar {
  /// True when a terminal might obey the scalar instead of showing it, or reorder the text around it.
  ///
  /// These are the controls of ASCII and of Latin-1, line and paragraph separators, and format characters without a
  /// shape: directional marks, embeddings, overrides and isolates, soft hyphens, byte order marks, tags. The two
  /// joiners are left out, since emoji and several scripts are written with them.
  package var steersDisplay: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    // These blocks have no such character, and the search for a category takes long.
    if 0xAE..<0x600 ~= value || 0x2070..<0xD800 ~= value { return false }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}

/// Joins the names that lead to a value with dots, for display, and cuts a long path in the middle.
///
/// An archive may nest scopes with names of 65,535 bytes each, which makes a path of four megabytes for each of its
/// keys. Only the displayed path is cut, never the path that is read (Spec/archive.md, 7.6).
package enum DisplayedPath {
  /// The longest path that is shown whole outside of a sentence.
  package static let mostBytes = 1_024
  /// The longest path that is shown whole within a sentence.
  package static let mostBytesInSentence = 256
  /// The mark that takes the place of characters that are left out.
  package static let mark = "…"

  /// Joins names from the outermost, and cuts a path of more than `mostBytes` bytes; the result is not escaped.
  ///
  /// The first name never has a dot before it; `hasDot` tells which others have one. The time is in proportion to the
  /// number of names and to `mostBytes`.
  package static func text(
    of names: [String], mostBytes: Int = mostBytes, hasDot: (String) -> Bool = { _ in true }
  ) -> String {
    var pieces: [String] = []
    var byteCount = 0
    for (index, name) in names.enumerated() {
      if index > 0, hasDot(name) { pieces.append(".") }
      pieces.append(name)
    }
    for piece in pieces { byteCount += piece.utf8.count }
    if byteCount <= mostBytes { return pieces.joined() }
    // A scalar has up to four bytes.
    let kept = mostBytes / 8
    let head = scalars(pieces.lazy.map { $0.unicodeScalars }.joined(), kept)
    let tail = scalars(
      pieces.reversed().lazy.map { $0.unicodeScalars.reversed() }.joined(), kept)
    return String(head) + mark + String(String.UnicodeScalarView(tail.reversed()))
  }

  private static func scalars(
    _ all: some Sequence<Unicode.Scalar>, _ count: Int
  ) -> String.UnicodeScalarView {
    var kept = String.UnicodeScalarView()
    for scalar in all.prefix(count) { kept.append(scalar) }
    return kept
  }
}

extension String {
  /// The text on one line with its control characters escaped, so that it is safe to display.
  ///
  /// Names, keys and paths of a hostile file may hold control characters, which could clear a terminal, reorder a
  /// line or fake another one. Each is replaced with the escape that Swift writes for it, such as `\u{1B}`. Every
  /// text from a file that is displayed passes through here, also in descriptions of errors and in reports. Escaping
  /// a text twice gives the same text as escaping it once.
  package var displayed: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.steersDisplay {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text in quotation marks with an escape for each scalar that is not ASCII, cut off after a hundred bytes.
  ///
  /// So two spellings that look alike can be distinguished.
  package var spelledOut: String {
    var text = ""
    for scalar in unicodeScalars {
      if text.utf8.count > 100 { return "\"\(text)...\"" }
      if scalar.isASCII, !scalar.steersDisplay {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return "\"\(text)\""
  }
}
