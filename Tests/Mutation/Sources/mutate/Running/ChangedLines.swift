import Foundation

/// The lines that were added since a commit.
enum ChangedLines {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The lines of each file, by its path from the root, that were added since a commit.
  static func since(_ commit: String, in root: URL) throws -> [String: Set<Int>] {
    let untracked = try git(["ls-files", "--others", "--exclude-standard"], in: root)
    var lines = parse(try git(["diff", "--unified=0", "--relative", commit, "--"], in: root))
    for path in untracked where path.hasSuffix(".swift") {
      lines[path] = Set(1...1_000_000)
    }
    return lines
  }

  /// Reads the output of `git diff --unified=0`.
  static func parse(_ diff: [String]) -> [String: Set<Int>] {
    var lines: [String: Set<Int>] = [:]
    var path = ""
    for line in diff {
      if line.hasPrefix("+++ b/") { path = String(line.dropFirst(6)) }
      if let match = line.firstMatch(of: /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/),
        let start = Int(match.output.1)
      {
        let count = match.output.2.flatMap { Int($0) } ?? 1
        lines[path, default: []].formUnion(start..<(start + count))
      }
    }
    return lines
  }

  private static func git(_ arguments: [String], in root: URL) throws -> [String] {
    var output: [String] = []
    let end = try ChildProcess(command: ["git"] + arguments, directory: root).run { line in
      output.append(line)
      return true
    }
    guard end == .exit(0) else {
      throw Failure(description: "git \(arguments.joined(separator: " ")) failed.")
    }
    return output
  }
}
