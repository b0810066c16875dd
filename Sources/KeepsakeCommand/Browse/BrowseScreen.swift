import CommandSupport
import Foundation
import Keepsake
import TerminalScreen

/// The screen of `keepsake browse`: the rows of an archive, and below them the value or the bytes of one row.
struct BrowseScreen {
  /// The most bytes of one row that are shown.
  private static let mostBytes = 4_096

  private let title: String
  private(set) var rows: BrowseRows
  private(set) var selected = 0
  private var firstVisible = 0
  private var showsBytes = false
  private var firstLine = 0
  /// The text that is typed; nil when no text is being typed.
  private var typed: String?
  private var searchText = ""
  private var notice = ""
  /// The rows from which the user followed a reference, for the way back.
  private var history: [Int] = []
  /// The number of rows in sight, as they were drawn last.
  private var visibleCount = 10

  init(_ archive: Archive, title: String) throws {
    self.title = title
    rows = try BrowseRows(archive)
    try rows.open(0)
  }

  // MARK: - Keys

  /// Handles a key; false when it ends the program.
  mutating func handle(_ key: TerminalKey) -> Bool {
    notice = ""
    if key == .control("c") { return false }
    do {
      if typed != nil {
        try type(key)
        return true
      }
      return try act(on: key)
    } catch {
      // A damaged value is shown as such, and the others can still be viewed.
      notice = Failure(explaining: error)?.message ?? "\(error)"
      return true
    }
  }

  private mutating func type(_ key: TerminalKey) throws {
    switch key {
    case .character(let character): typed?.append(character)
    case .backspace: _ = typed?.popLast()
    case .escape: typed = nil
    case .enter:
      searchText = typed ?? ""
      typed = nil
      try seek()
    default: break
    }
  }

  private mutating func act(on key: TerminalKey) throws -> Bool {
    switch key {
    case .up, .character("k"): select(selected - 1)
    case .down, .character("j"): select(selected + 1)
    case .pageUp: select(selected - visibleCount)
    case .pageDown, .character(" "): select(selected + visibleCount)
    case .home, .character("g"): select(0)
    case .end, .character("G"): select(rows.rows.count - 1)
    case .right, .character("l"):
      if row.isOpen { select(selected + 1) } else { try rows.open(selected) }
    case .left, .character("h"):
      if row.isOpen {
        rows.close(selected)
      } else if let parent = rows.parent(of: selected) {
        select(parent)
      }
    case .enter:
      if let target = try rows.target(of: row) {
        try go(to: target)
      } else if row.isOpen {
        rows.close(selected)
      } else {
        try rows.open(selected)
      }
    case .backspace, .escape: goBack()
    case .tab, .character("b"):
      showsBytes.toggle()
      firstLine = 0
    case .character("J"): firstLine += 1
    case .character("K"): firstLine = max(0, firstLine - 1)
    case .character("/"): typed = ""
    case .character("n"): try seek()
    case .character("q"): return false
    default: break
    }
    return true
  }

  private var row: BrowseRows.Row { rows.rows[selected] }

  private mutating func select(_ index: Int) {
    selected = min(max(0, index), rows.rows.count - 1)
    firstLine = 0
  }

  private mutating func go(to id: ArchiveObjectID) throws {
    let former = row.id
    guard let index = try rows.reveal(id) else { return }
    history.append(former)
    select(index)
    try rows.open(index)
  }

  private mutating func goBack() {
    while let id = history.popLast() {
      guard let index = rows.rows.firstIndex(where: { $0.id == id }) else { continue }
      return select(index)
    }
    notice = "There is no row to go back to."
  }

  private mutating func seek() throws {
    guard !searchText.isEmpty else { return }
    var current: ArchiveObjectID?
    var index: Int? = selected
    while let place = index, current == nil {
      if case .object(let id, _) = rows.rows[place].content { current = id }
      index = rows.parent(of: place)
    }
    guard let found = try rows.next(after: current, with: searchText) else {
      notice = "No object has \"\(searchText)\" in its type, a key or a value."
      return
    }
    try go(to: found)
    // The first value of the object that has the text, if one has it in its row.
    let wanted = searchText.lowercased()
    var place = selected + 1
    while place < rows.rows.count, rows.rows[place].depth > rows.rows[selected].depth {
      if try rows.text(of: rows.rows[place]).lowercased().contains(wanted) { return select(place) }
      place += 1
    }
  }

  // MARK: - Drawing

  mutating func draw(_ size: TerminalSize) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    let details = max(3, size.height / 3)
    visibleCount = max(1, size.height - details - 3)
    firstVisible = min(firstVisible, selected)
    firstVisible = max(firstVisible, selected - visibleCount + 1)
    canvas.write(" \(title)", inLine: 0, .reversed)
    for line in 0..<visibleCount {
      let index = firstVisible + line
      guard rows.rows.indices.contains(index) else {
        canvas.write("", inLine: 1 + line)
        continue
      }
      canvas.write(
        text(ofRow: index, width: canvas.width), inLine: 1 + line,
        index == selected ? .reversed : .plain)
    }
    drawDetails(in: &canvas, lines: (visibleCount + 1)..<max(visibleCount + 1, size.height - 1))
    drawLastLine(in: &canvas)
    return canvas
  }

  private func text(ofRow index: Int, width: Int) -> String {
    let row = rows.rows[index]
    // However deep a row is, half of the width is for its text.
    let indent = String(repeating: "  ", count: min(row.depth, width / 4))
    let mark = row.canOpen ? (row.isOpen ? "- " : "+ ") : "  "
    return " " + indent + mark + ((try? rows.text(of: row)) ?? "this value is damaged")
  }

  private mutating func drawDetails(in canvas: inout Canvas, lines: Range<Int>) {
    guard let first = lines.first else { return }
    let content: (heading: String, lines: [String])
    do {
      content = try showsBytes ? bytes(width: canvas.width) : value(width: canvas.width)
    } catch {
      content = (
        "",
        (Failure(explaining: error)?.message ?? "\(error)").wrapped(to: max(1, canvas.width - 2))
      )
    }
    firstLine = min(firstLine, max(0, content.lines.count - lines.count + 1))
    canvas.write(" \(content.heading)", inLine: first, .bold)
    for line in lines.dropFirst() {
      let index = firstLine + line - first - 1
      canvas.write(
        content.lines.indices.contains(index) ? " " + content.lines[index] : "", inLine: line)
    }
  }

  /// The path of the selected row, and its value in lines.
  private func value(width: Int) throws -> (heading: String, lines: [String]) {
    var names: [String] = []
    var index: Int? = selected
    while let place = index {
      let row = rows.rows[place]
      if case .object(let id, _) = row.content, row.name.isEmpty {
        names.insert("\(id)", at: 0)
      } else {
        names.insert(row.name, at: 0)
      }
      index = rows.parent(of: place)
    }
    let path = names.joined(separator: " > ").shortened.displayed
    var text = [try rows.text(of: row)]
    if case .value = row.content { text = [try rows.value(of: row)] }
    text += rows.stateFacts(of: row)
    return (path, text.flatMap { $0.wrapped(to: max(1, width - 2)) })
  }

  /// The bytes of the selected row in hexadecimal, with the characters of ASCII and the fields of Spec beside them.
  private func bytes(width: Int) throws -> (heading: String, lines: [String]) {
    guard let range = try rows.range(of: row) else { return ("No bytes of its own", []) }
    let shown = range.prefix(Self.mostBytes)
    let end = range.lowerBound + shown.count
    let bytes = try rows.archive.bytes(in: range.lowerBound..<end)
    let perLine = width >= 100 ? 16 : width >= 60 ? 8 : 4
    let lines = try rows.fields(of: row, before: end).flatMap { field in
      let last = min(field.range.upperBound, end)
      return stride(from: field.range.lowerBound, to: last, by: perLine).map { start in
        let offset = start - range.lowerBound
        let piece = bytes[offset..<offset + min(perLine, last - start)]
        let name = start == field.range.lowerBound ? field.name : ""
        return Self.line(start, Array(piece), perLine) + "  " + name
      }
    }
    let cut = shown.count < range.count ? ", of which the first \(shown.count) are shown" : ""
    return ("Bytes \(range.lowerBound) to \(range.upperBound): \(range.count)\(cut)", lines)
  }

  private static func line(_ start: Int, _ bytes: [UInt8], _ perLine: Int) -> String {
    let offset = String(start, radix: 16)
    let digits = bytes.map { [$0].hexadecimal }.joined(separator: " ")
    let characters = bytes.map { 0x20..<0x7F ~= $0 ? String(UnicodeScalar($0)) : "." }.joined()
    return String(repeating: "0", count: max(0, 6 - offset.count)) + offset + "  "
      + digits.padded(to: 3 * perLine) + characters.padded(to: perLine)
  }

  private func drawLastLine(in canvas: inout Canvas) {
    let line = canvas.height - 1
    if let typed {
      canvas.write(" Search: \(typed)", inLine: line, .bold)
      canvas.placeCursor(inLine: line, column: 9 + typed.displayWidth)
    } else if !notice.isEmpty {
      canvas.write(" \(notice)", inLine: line, .bold)
    } else {
      canvas.write(
        " q quit  / n search  b bytes  arrows  Enter follow  Backspace back  J K scroll",
        inLine: line, .dim)
    }
  }
}
