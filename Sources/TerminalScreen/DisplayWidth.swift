import KeepsakeArchive

// The width of a text in a terminal. Terminals do not agree on sequences of emoji, so the canvas sets the column after
// each character whose width varies (`variesInWidth`). The characters after it then do not move.

extension Unicode.Scalar {
  /// The columns that terminals use for the scalar alone: two for the wide scripts of East Asia and for emoji, zero
  /// for combining marks.
  fileprivate var displayWidth: Int {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return properties.generalCategory == .nonspacingMark ? 0 : 2
    // The vowels and final consonants of decomposed Korean syllables.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    case 0x1F1E6...0x1F1FF: return 1
    default: break
    }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// True when the scalar joins its neighbours into one picture, or modifies the emoji before it.
  fileprivate var joinsEmoji: Bool {
    value == 0x200D || value == 0xFE0F || value == 0x20E3 || properties.isEmojiModifier
      || isRegionalIndicator || isTag
  }

  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
  /// True for a tag, which names a region after a black flag; anywhere else it hides text.
  fileprivate var isTag: Bool { (0xE0020...0xE007F).contains(value) }
}

extension Character {
  /// True when the character is several scalars that are drawn as one picture.
  private var isEmojiSequence: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return unicodeScalars.dropFirst().contains(where: \.joinsEmoji)
  }

  /// True when the character is invisible, or would control the terminal.
  private var isHidden: Bool {
    let isFlag = unicodeScalars.first?.value == 0x1F3F4
    return ownWidth == 0
      || unicodeScalars.contains {
        ($0.steersDisplay && !(isFlag && $0.isTag)) || $0.properties.generalCategory == .unassigned
      }
  }

  private var ownWidth: Int {
    isEmojiSequence ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }

  /// The character, or a placeholder for one that is invisible or would move the cursor.
  fileprivate var displayed: Character { isHidden ? "·" : self }

  /// The number of columns that the character takes in a terminal.
  package var displayWidth: Int { isHidden ? 1 : ownWidth }

  /// True when some terminals give the character another width than ``displayWidth``.
  package var variesInWidth: Bool {
    isEmojiSequence || unicodeScalars.contains { $0.properties.generalCategory == .spacingMark }
  }
}

extension String {
  /// The number of columns that the text takes in a terminal.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The start of the text that fits into a number of columns, without characters that control a terminal.
  package func fitted(to width: Int) -> String {
    var (text, remaining) = ("", width)
    for character in self {
      remaining -= character.displayWidth
      if remaining < 0 { break }
      text.append(character.displayed)
    }
    return text
  }

  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The text in lines that fit into a number of columns, broken between words if possible.
  ///
  /// Lines that begin with a space stay as they are.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in split(separator: "\n", omittingEmptySubsequences: false) {
      if paragraph.hasPrefix(" ") {
        lines.append(String(paragraph))
        continue
      }
      var line = ""
      for word in paragraph.split(separator: " ") {
        var rest = String(word)
        if !line.isEmpty {
          let longer = line + " " + rest
          if longer.displayWidth <= width {
            line = longer
            continue
          }
          lines.append(line)
        }
        while rest.displayWidth > width {
          let head = rest.fitted(to: width)
          if head.isEmpty { break }
          lines.append(head)
          rest = String(rest.dropFirst(head.count))
        }
        line = rest
      }
      lines.append(line)
    }
    return lines
  }
}
