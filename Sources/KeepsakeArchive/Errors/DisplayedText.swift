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
