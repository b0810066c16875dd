internal import Foundation
internal import KeepsakeSeal

/// The program that the fault tests break: it does one operation of KeepsakeSeal, and says on
/// standard output when the operation begins and how it ended.
@main struct FaultSubject {
  static func main() {
    do {
      let operation = try Operation(arguments: Array(CommandLine.arguments.dropFirst()))
      // What comes before this line is no part of the operation and is never broken.
      say("begin")
      try operation.run()
      say("returned")
      // The caller may want to look at the process, or to let it go only now.
      if CommandLine.arguments.contains("--wait") {
        _ = FileHandle.standardInput.readDataToEndOfFile()
      }
    } catch let error as SealError {
      say("failed \(error.code) \(error.systemError ?? 0) \(error.systemCall ?? "-") \(error)")
      exit(1)
    } catch {
      say("unusable \(error)")
      exit(2)
    }
  }

  /// Writes a line in one system call.
  static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
