import Foundation
import Testing

// Row 36 and scenario 60: the launches here are real processes, and the kill is a real one.
@Suite struct `A launch that dies while it restores` {
  /// Kills a launch of the contacts app in the middle of its restore.
  private func killInRestore(_ directory: URL) throws {
    let process = Process()
    process.executableURL = try Tool.url
    process.arguments = ["contacts", "--directory", directory.path, "--pause-in-restore"]
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    let line = output.fileHandleForReading.availableData
    #expect(String(decoding: line, as: UTF8.self) == "Restoring.\n")
    #expect(kill(process.processIdentifier, SIGKILL) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
  }

  // Row 36, scenario 60.
  @Test func `A state whose restore died is set aside and not restored again`() throws {
    try withTemporaryDirectory { directory in
      let first = try Tool.run("contacts", "--directory", directory.path, "--play")
      #expect(first.exitCode == 0, "\(first.error)")
      let archive = directory.appendingPathComponent("state/state.keepsake")
      let bytes = try Data(contentsOf: archive)
      try killInRestore(directory)
      let mark = directory.appendingPathComponent("state/restoring")
      #expect(FileManager.default.fileExists(atPath: mark.path), "the restore was not killed")

      let second = try Tool.run("contacts", "--directory", directory.path)
      #expect(second.exitCode == 65 && second.output.contains("ended while restoring"))
      #expect(second.output.contains("selected: none"), "the app shows its default")
      let asidePath = URL(fileURLWithPath: archive.path + ".interrupted-1")
      #expect(second.output.contains(asidePath.path))
      #expect(try Data(contentsOf: asidePath) == bytes)

      let third = try Tool.run("contacts", "--directory", directory.path, "--save")
      #expect(third.exitCode == 0 && third.output.hasPrefix("Nothing had been saved."))
      #expect(try Tool.run("contacts", "--directory", directory.path).exitCode == 0)
    }
  }
}
