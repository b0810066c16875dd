import Foundation
import Testing

/// A page of documentation, and the code in it.
struct Page: CustomTestStringConvertible {
  let path: String
  let text: String

  var testDescription: String { path }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The blocks of Swift code, without their fences, in the order of the page.
  var blocks: [String] {
    text.components(separatedBy: "\n```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0] + "\n"
    }
  }

  /// The lines of the code blocks in every language, without their fences.
  var codeLines: [String] {
    let parts = text.components(separatedBy: "\n```")
    // Every second part is a block. Its first line is the rest of the opening fence.
    return stride(from: 1, to: parts.count, by: 2).flatMap {
      parts[$0].components(separatedBy: "\n").dropFirst()
    }
  }

  /// The README and every article, with or without code.
  static func all() throws -> [Page] {
    try [Page("README.md")]
      + files(below: "Sources", withExtension: "md").map { try Page($0) }
  }

  /// The paths of files, sorted.
  static func files(below folder: String, withExtension fileExtension: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).resolvingSymlinksInPath().path)
    // Folders of build products contain other packages' files.
    return names.filter {
      $0.hasSuffix(".\(fileExtension)") && !$0.hasPrefix(".") && !$0.contains("/.")
    }
    .sorted().map { "\(folder)/\($0)" }
  }
}

/// The files that this target compiles, and the packages of `Notes`, of the contacts in windows, and of what is behind
/// traits.
struct CompiledCode {
  let files: [String]

  init() throws {
    let folders =
      ["Code", "README", "Notes", "Letters"].map { "Tests/ArticleTests/\($0)" }
      + ["Adapter", "Desktop"].map { "Sources/Contacts/\($0)" }
      + ["Tests/Traits/Tests"]
    files = try folders.flatMap { try Page.files(below: $0, withExtension: "swift") }
      .map { try Page($0).text }
  }

  /// True when one of the files contains the block word for word, from the beginning of a line.
  func contains(_ block: String) -> Bool {
    files.contains { $0.hasPrefix(block) || $0.contains("\n" + block) }
  }
}
