import CommandSupport
import Foundation

/// A launch of the contacts app in a real process of its own.
final class AppProcess {
  /// How the process ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()

  var identifier: Int32 { process.processIdentifier }

  /// Starts this very program again as the contacts app.
  init(_ arguments: [String]) throws {
    guard let executable = Bundle.main.executableURL else {
      throw Failure(
        "The demo cannot find its own program file to launch it again; run it by path.",
        .inputOutput)
    }
    process.executableURL = executable
    process.arguments = ["contacts", "--json"] + arguments
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw Failure(
        "The demo cannot launch \(executable.path) again; see that it still exists and may be run.",
        .inputOutput)
    }
  }

  /// Reads the line that the app prints when it is ready.
  func readTranscript() throws -> LaunchTranscript {
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { break }
      line.append(part)
    }
    do {
      return try JSONDecoder().decode(LaunchTranscript.self, from: line)
    } catch {
      throw Failure(
        "The contacts app ended without saying what it shows; run keepsake contacts by hand to see "
          + "why.", .difference)
    }
  }

  /// Kills the process as the system kills an app: at once.
  func kill() -> End {
    // The process has not been waited for, so no other one can have its number.
    _ = Foundation.kill(identifier, SIGKILL)
    return wait()
  }

  /// Waits until the process has ended.
  func wait() -> End {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
  }
}
