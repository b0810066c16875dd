extension Character {
  /// How many columns of a terminal the character takes.
  var displayWidth: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The character, or a stand-in for one that would not show or would move the cursor.
  fileprivate var displayed: Character {
    let isHarmless = unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
    return isHarmless ? self : "·"
  }
}

extension String {
  /// How many columns of a terminal the text takes.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// As much of the text as has room in so many columns, without characters that control a terminal.
  func fitted(to width: Int) -> String {
    var (text, remaining) = ("", width)
    for character in self {
      let displayed = character.displayed
      remaining -= displayed.displayWidth
      if remaining < 0 { break }
      text.append(displayed)
    }
    return text
  }
}
