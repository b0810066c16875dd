import Foundation

/// Standard output, written line by line, so that a growing report can be watched, also through a pipe.
enum Output {
  static func line(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}

/// Shows progress on standard error.
struct Progress {
  private let isTerminal = isatty(2) != 0
  var total: Int
  private(set) var done = 0

  init(total: Int) {
    self.total = total
  }

  mutating func begin(_ name: String) {
    done += 1
    let line = "[\(done)/\(total)] \(name)"
    write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
  }

  /// Clears the line before the report is printed.
  func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
