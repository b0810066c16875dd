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

  /// What stands between the fences of Swift code, in the order of the page.
  var blocks: [String] {
    text.components(separatedBy: "\n```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0] + "\n"
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
    // What lies in a folder of build products is somebody else's.
    return names.filter {
      $0.hasSuffix(".\(fileExtension)") && !$0.hasPrefix(".") && !$0.contains("/.")
    }
    .sorted().map { "\(folder)/\($0)" }
  }
}

/// The files that this target, the package in `Notes`, that of the contacts in windows and that of the macros compile.
struct CompiledCode {
  let files: [String]

  init() throws {
    let folders =
      ["Code", "README", "Notes"].map { "Tests/ArticleTests/\($0)" }
      + ["Adapter", "Desktop"].map { "Sources/Contacts/\($0)" } + ["Tests/Macros/Tests"]
    files = try folders.flatMap { try Page.files(below: $0, withExtension: "swift") }
      .map { try Page($0).text }
  }

  /// Whether a block stands in one of the files, from the beginning of a line, word for word.
  func contains(_ block: String) -> Bool {
    files.contains { $0.hasPrefix(block) || $0.contains("\n" + block) }
  }
}
