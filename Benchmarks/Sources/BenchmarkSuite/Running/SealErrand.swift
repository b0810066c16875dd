import BenchmarkHarness
import KeepsakeSeal

/// Seals or opens one file, as a process of its own.
enum SealErrand {
  /// Takes `seal` or `open`, the file to read, the file to write and the key file.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 4 else {
      throw CheckFailure(description: "Sealing needs an operation, two files and a key file.")
    }
    let key = try KeyFile.read(at: arguments[3])
    if arguments[0] == "seal" {
      let plaintext = try DurableFile.read(at: arguments[1], upTo: .max)
      try SealedFile.seal(plaintext.span, to: arguments[2], keys: [key])
    } else {
      let plaintext = try SealedFile.open(arguments[1], keys: [key]).read()
      try DurableFile.replace(at: arguments[2], with: plaintext.span)
    }
  }
}
