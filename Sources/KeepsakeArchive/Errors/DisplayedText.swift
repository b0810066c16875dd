extension Unicode.Scalar {
  /// Whether a terminal might obey the scalar instead of showing it, or show the text around it in
  /// another order.
  ///
  /// These are the controls of ASCII and of Latin-1, line and paragraph separators, and what formats text
  /// without a shape of its own: directional marks, embeddings, overrides and isolates, soft hyphens,
  /// byte order marks, tags. The two joiners are left out, since emoji and several scripts are written
  /// with them.
  package var steersDisplay: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}

/// Names that lead to a value, as a person is shown them: joined by dots, and cut in the middle where they are long.
///
/// An archive may have scopes in scopes with names of 65,535 bytes each, and so a path of four megabytes for each of
/// its keys. Only what is shown is cut; what is read is not (Spec/archive.md, 7.6).
package enum DisplayedPath {
  /// The longest path that is shown whole, of a key by itself.
  package static let mostBytes = 1_024
  /// The same within a sentence.
  package static let mostBytesInSentence = 256
  /// The mark that takes the place of characters that are left out.
  package static let mark = "…"

  /// Joins names.
  ///
  /// - Parameters:
  ///   - names: The names, from the outermost.
  ///   - mostBytes: How long a path may be that is not cut; of others, so many bytes are kept or fewer.
  ///   - hasDot: Whether there is a dot before a name that is not the first.
  /// - Returns: The path, which is not escaped.
  /// - Complexity: In proportion to the number of names and to `mostBytes`.
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
  /// The text as a person may be shown it, on one line, wherever it comes from.
  ///
  /// Names, keys and paths of a hostile file may hold control characters, which could clear a terminal,
  /// reorder a line or fake another one. Each is replaced with the escape that Swift writes for it, such
  /// as `\u{1B}`. Whatever is shown of a file goes through here, descriptions of errors and reports
  /// included. Escaping twice is the same as once.
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

  /// The text in quotation marks with an escape for each scalar that is not ASCII, so that two spellings which
  /// look alike can be told apart; cut off after a hundred bytes.
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
