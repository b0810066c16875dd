import Foundation

/// The comments right above tests, which name the rules and promises that a test holds.
enum TestComments {
  /// The comments above each test of a source file, one text for each test that has any.
  static func all(in source: String) -> [String] {
    let lines = source.components(separatedBy: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return lines.indices.filter { lines[$0].hasPrefix("@Test") }.compactMap { test in
      let comments = lines[..<test].reversed().prefix { $0.hasPrefix("//") }
      return comments.isEmpty
        ? nil : comments.reversed().map { $0.drop { $0 == "/" } }.joined(separator: " ")
    }
  }

  /// The comments above the tests of the whole package.
  static func all() throws -> [String] {
    try PackageRoot.swiftFiles(below: "Tests").flatMap { all(in: try PackageRoot.text(of: $0)) }
  }

  /// The numbers after a word, as in `Rows 4, 5 and 7`.
  static func numbers(after word: String, in comment: String) -> [Int] {
    comment.lowercased().components(separatedBy: word).dropFirst().flatMap { part in
      part.drop { !$0.isNumber }.prefix { $0.isNumber || ", and".contains($0) }
        .components(separatedBy: CharacterSet.decimalDigits.inverted).compactMap { Int($0) }
    }
  }
}
