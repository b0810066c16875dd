import Foundation

/// Standard output, written line by line, so that a report can be watched as it grows, also through
/// a pipe.
enum Output {
  static func line(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
