/// The content of the screen: lines of styled characters, and perhaps a cursor.
package struct Canvas {
  /// The look of a text.
  package enum Style: String {
    case plain = "\u{1B}[0m"
    case bold = "\u{1B}[0;1m"
    case dim = "\u{1B}[0;2m"
    case reversed = "\u{1B}[0;7m"
  }

  /// A part of a line in one style.
  private struct Run {
    var text: String
    var style: Style
  }

  package let width: Int
  package let height: Int
  private var lines: [[Run]]
  private var cursor: (row: Int, column: Int)?

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    lines = Array(repeating: [], count: height)
  }

  /// Fills a line with text, cut or padded with spaces to the whole width.
  package mutating func write(_ text: String, inLine row: Int, _ style: Style = .plain) {
    write([(text, style)], inLine: row)
  }

  /// Fills a line with pieces of text; the rest of the line has the style of the last piece.
  package mutating func write(_ pieces: [(text: String, style: Style)], inLine row: Int) {
    guard lines.indices.contains(row) else { return }
    var remaining = width
    var runs: [Run] = []
    for piece in pieces {
      let text = piece.text.fitted(to: remaining)
      remaining -= text.displayWidth
      runs.append(Run(text: text, style: piece.style))
    }
    runs.append(
      Run(text: String(repeating: " ", count: remaining), style: pieces.last?.style ?? .plain))
    lines[row] = runs
  }

  package mutating func hideCursor() { cursor = nil }

  /// Shows the cursor, if its place is within the canvas.
  package mutating func placeCursor(inLine row: Int, column: Int) {
    cursor = lines.indices.contains(row) ? (row, min(max(0, column), width - 1)) : nil
  }

  /// The control sequences that draw the canvas over the current screen.
  package var controlSequences: String {
    var text = "\u{1B}[?25l"
    for (row, runs) in lines.enumerated() {
      text += "\u{1B}[\(row + 1);1H"
      var column = 0
      for run in runs {
        text += run.style.rawValue
        for character in run.text {
          text.append(character)
          column += character.displayWidth
          if character.variesInWidth { text += "\u{1B}[\(column + 1)G" }
        }
      }
      text += Style.plain.rawValue
    }
    if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
    return text
  }
}
