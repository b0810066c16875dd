internal import Foundation
internal import Keepsake

/// The program that the fault tests break.
///
/// It performs one operation on sealed files or on a state directory, and prints a line when the operation
/// starts and another one when it ends.
@main struct FaultSubject {
  static func main() {
    do {
      try perform()
      say("returned")
      // The operation has released everything; the test searches the memory.
      if CommandLine.arguments.contains("--wait") { waitForLine() }
    } catch let error as SealError {
      say("failed \(error.code) \(error.systemError ?? 0) \(error.systemCall ?? "-") \(error)")
      exit(1)
    } catch let error as FileError {
      say("failed \(error.code) \(error.systemError ?? 0) \(error.systemCall ?? "-") \(error)")
      exit(1)
    } catch let error as KeepsakeError {
      let cause = error.underlyingError as? SealError
      say(
        "failed \(error.code.rawValue) \(cause?.systemError ?? 0) \(cause?.systemCall ?? "-") \(error)"
      )
      exit(1)
    } catch {
      say("unusable \(error)")
      exit(2)
    }
  }

  private static func perform() throws {
    let operation = try Operation(arguments: Array(CommandLine.arguments.dropFirst()))
    // Faults are made only after this line.
    say("begin")
    try operation.run()
  }

  /// Waits until the test continues the process.
  static func waitForLine() { _ = try? FileHandle.standardInput.read(upToCount: 1) }

  /// Writes a line in one system call.
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
