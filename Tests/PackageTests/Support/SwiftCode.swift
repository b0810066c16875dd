/// Swift source with comments, string contents and raw identifiers blanked out.
///
/// Line breaks stay where they were, so that a finding can name its line. Code inside a string
/// interpolation is kept. This is a scanner for this repository's style, not a Swift parser: a
/// regex literal is read as code.
struct SwiftCode {
  let lines: [Substring]

  init(_ source: String) {
    var scanner = Scanner(input: Array(source.utf8))
    scanner.run()
    let text = String(decoding: scanner.output, as: UTF8.self)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines (counted from 1) on which a pattern occurs, with the matching text.
  func matches(of pattern: Regex<Substring>) -> [(line: Int, text: String)] {
    lines.enumerated().flatMap { index, line in
      line.matches(of: pattern).map { (index + 1, String($0.output)) }
    }
  }
}

private struct Scanner {
  private enum Mode {
    /// Code; the number of open parentheses shows where an interpolation ends.
    case code(parentheses: Int)
    case string(hashes: Int, multiline: Bool)
    case lineComment
    case blockComment(depth: Int)
    case rawIdentifier
  }

  /// The bytes that can change the mode; every other byte is copied at once.
  private static let codeMarks = Array("/`#\"()".utf8)
  private static let stringMarks = Array("\"\\\n".utf8)

  let input: [UInt8]
  var output: [UInt8] = []
  private var index = 0
  private var modes: [Mode] = [.code(parentheses: 0)]

  init(input: [UInt8]) {
    self.input = input
    output.reserveCapacity(input.count)
  }

  mutating func run() {
    while index < input.count, let mode = modes.last {
      switch mode {
      case .code(let parentheses): code(parentheses)
      case .string(let hashes, let multiline): string(hashes, multiline)
      case .lineComment: lineComment()
      case .blockComment(let depth): blockComment(depth)
      case .rawIdentifier:
        if input[index] == UInt8(ascii: "`") { modes.removeLast() }
        blank(1)
      }
    }
  }

  private func sees(_ text: StaticString, at offset: Int = 0) -> Bool {
    let bytes = Array("\(text)".utf8)
    let start = index + offset
    return start + bytes.count <= input.count
      && input[start..<start + bytes.count].elementsEqual(bytes)
  }

  private mutating func keep() {
    output.append(input[index])
    index += 1
  }

  private mutating func blank(_ count: Int) {
    for _ in 0..<count where index < input.count {
      output.append(input[index] == UInt8(ascii: "\n") ? input[index] : UInt8(ascii: " "))
      index += 1
    }
  }

  private mutating func code(_ parentheses: Int) {
    guard Self.codeMarks.contains(input[index]) else { return keep() }
    if sees("//") {
      modes.append(.lineComment)
      return blank(2)
    }
    if sees("/*") {
      modes.append(.blockComment(depth: 1))
      return blank(2)
    }
    if sees("`") {
      modes.append(.rawIdentifier)
      return blank(1)
    }
    var hashes = 0
    while sees("#", at: hashes) { hashes += 1 }
    if sees("\"", at: hashes) {
      let multiline = sees("\"\"\"", at: hashes)
      modes.append(.string(hashes: hashes, multiline: multiline))
      return blank(hashes + (multiline ? 3 : 1))
    }
    if sees("(") {
      modes[modes.count - 1] = .code(parentheses: parentheses + 1)
    } else if sees(")") {
      if parentheses == 1, modes.count > 1 {
        modes.removeLast()
      } else {
        modes[modes.count - 1] = .code(parentheses: max(0, parentheses - 1))
      }
    }
    keep()
  }

  private mutating func string(_ hashes: Int, _ multiline: Bool) {
    guard Self.stringMarks.contains(input[index]) else { return blank(1) }
    let closing = Array(repeating: UInt8(ascii: "\""), count: multiline ? 3 : 1)
    let marks = Array(repeating: UInt8(ascii: "#"), count: hashes)
    let rest = input[index...]
    if rest.starts(with: closing + marks) {
      modes.removeLast()
      return blank(closing.count + hashes)
    }
    if !multiline, sees("\n") {
      modes.removeLast()
      return blank(1)
    }
    if rest.starts(with: [UInt8(ascii: "\\")] + marks) {
      if sees("(", at: 1 + hashes) {
        blank(1 + hashes)
        modes.append(.code(parentheses: 0))
        return
      }
      return blank(2 + hashes)
    }
    blank(1)
  }

  private mutating func lineComment() {
    if sees("\n") { modes.removeLast() }
    blank(1)
  }

  private mutating func blockComment(_ depth: Int) {
    if sees("*/") {
      modes[modes.count - 1] = .blockComment(depth: depth - 1)
      if depth == 1 { modes.removeLast() }
      return blank(2)
    }
    if sees("/*") {
      modes[modes.count - 1] = .blockComment(depth: depth + 1)
      return blank(2)
    }
    blank(1)
  }
}
