import BenchmarkHarness
import KeepsakeSeal

/// Seals or opens one file, as a process of its own.
enum SealErrand {
  /// Takes `seal` or `open`, the file to read, the file to write and the key file.
  ///
  /// - Throws: `CheckFailure` for other arguments, and what the seal throws.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 4 else {
      throw CheckFailure(description: "Sealing needs an operation, two files and a key file.")
    }
    let key = try KeyFile.read(at: arguments[3])
    if arguments[0] == "seal" {
      try SealedFile.seal(contentsOf: arguments[1], to: arguments[2], for: [.key(key)])
    } else {
      try SealedFile.open(arguments[1], keys: [key]).extract(to: arguments[2])
    }
  }
}
