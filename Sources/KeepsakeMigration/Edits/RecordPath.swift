import KeepsakeArchive

/// The way from a record to records that are nested in it, such as `habits[]` or `library.books[].author`.
///
/// Names of keys are separated by dots. `[]` after a name stands for each element of an array, and for the value of
/// each entry of a dictionary. An empty path is the record itself. An absent key and a nil lead nowhere, which is not an
/// error. Rules: Spec/migration.md, section 5.
///
/// ```swift
/// try book.renameKey("title", to: "name", at: "habits[]")
/// ```
public struct RecordPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  enum Step: Hashable {
    case key(ArchiveKey)
    case elements
  }

  /// The path as text.
  public let description: String

  /// Makes a path; it is checked when it is used.
  public init(_ text: String) { description = text }

  /// Makes a path of a literal; it is checked when it is used.
  public init(stringLiteral value: String) { description = value }

  /// True when the text is a path.
  package var isValid: Bool { (try? steps()) != nil }

  func steps() throws(ArchiveError) -> [Step] {
    if description.isEmpty { return [] }
    var steps: [Step] = []
    for part in description.split(separator: ".", omittingEmptySubsequences: false) {
      var name = part
      var levels = 0
      while name.hasSuffix("[]") {
        name = name.dropLast(2)
        levels += 1
      }
      guard !name.isEmpty, !name.contains("["), !name.contains("]") else {
        throw ArchiveError(
          .invalidValue,
          "\"\(description.displayed)\" is not a path of keys; write it as habits[] or library.books[].author"
        )
      }
      steps.append(.key(ArchiveKey(String(name))))
      steps += Array(repeating: .elements, count: levels)
    }
    return steps
  }
}
