import Foundation

/// The part of the rule on words that a program can hold (CONTRIBUTING.md, Words).
///
/// Comments, test names, texts and headings name their subject: no sentence begins with "What" or "Of".
struct WordRules {
  private static let missingSubjects: Set<Substring> = [
    "What", "Whatever", "Who", "Whoever", "Whom", "Whose", "Of",
  ]
  private static let vagueWords: Set<Substring> = [
    "lie", "lies", "lay", "lain", "nobody", "somebody",
  ]
  private static let formsOfBe: Set<Substring> = ["is", "are", "was", "were"]

  let path: String
  private(set) var breaches: [String] = []

  /// Reads a file and collects its breaches, with their lines.
  init(of text: String, at path: String) {
    self.path = path
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if path.hasSuffix(".md") {
      readPage(lines)
    } else {
      readSource(lines, mark: path.hasSuffix(".py") ? "#" : "//")
    }
  }

  private mutating func readPage(_ lines: [Substring]) {
    var isCode = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if !isCode, line.hasPrefix("#") {
        check(line.drop { $0 == "#" || $0 == " " }, beginsSentence: true, line: index + 1)
      }
    }
  }

  private mutating func readSource(_ lines: [Substring], mark: String) {
    var beginsSentence = true
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix(mark) else {
        beginsSentence = true
        if mark == "//" { readCode(text, line: index + 1) }
        continue
      }
      let comment = text.drop { $0 == "/" || $0 == "#" }.drop { $0 == " " }
      // An item of a list, such as `- Returns: …`, begins a sentence, and so does a line after an empty one.
      beginsSentence = beginsSentence || comment.isEmpty || comment.hasPrefix("- ")
      beginsSentence = check(
        comment.hasPrefix("- ") ? comment.dropFirst(2) : comment, beginsSentence: beginsSentence,
        line: index + 1)
    }
  }

  /// Looks at the names of tests and suites, and at the texts of sources.
  private mutating func readCode(_ line: Substring, line number: Int) {
    let names = line.split(separator: "`", omittingEmptySubsequences: false)
    if names.count >= 3, let name = names.dropFirst().first, name.contains(" ") {
      check(name, beginsSentence: true, line: number)
      if names[0].hasSuffix("func "), name.first?.isLowercase == true {
        note("A test name is a whole sentence", name, line: number)
      }
    }
    guard path.hasPrefix("Sources/") else { return }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    for index in parts.indices where !index.isMultiple(of: 2) && parts[index].contains(" ") {
      check(parts[index], beginsSentence: true, line: number)
    }
  }

  /// Collects the breaches of a text.
  ///
  /// - Returns: True when the text ends a sentence.
  @discardableResult
  private mutating func check(
    _ text: Substring, beginsSentence: Bool, line: Int
  ) -> Bool {
    var beginsSentence = beginsSentence
    var previous: Substring = ""
    for word in text.split(separator: " ") where !word.hasPrefix("`") {
      let bare = word.filter { $0.isLetter || $0 == "'" || $0 == "-" }[...]
      if beginsSentence, Self.missingSubjects.contains(bare) {
        note("The sentence does not name its subject", text, line: line)
      }
      if Self.vagueWords.contains(bare) || bare == "none" && Self.formsOfBe.contains(previous) {
        note("\"\(bare)\" is vague here", text, line: line)
      }
      beginsSentence = word.last.map { ".:?!".contains($0) } == true
      previous = bare
    }
    return beginsSentence
  }

  private mutating func note(_ rule: String, _ text: Substring, line: Int) {
    breaches.append("\(path):\(line): \(rule): \(text)")
  }
}
