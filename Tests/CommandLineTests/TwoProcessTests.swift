import Foundation
import Testing

// Both launches are real processes; the first one pauses in the middle of its restore.
@Suite struct `Two launches at once on one state` {
  @Test func `Neither of two launches takes the other's restore for a crash`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      #expect(try Tool.run("contacts", "--directory", directory.path, "--play").exitCode == 0)
      let archive = directory.appendingPathComponent("state/state.keepsake")
      let bytes = try Data(contentsOf: archive)

      let first = Process()
      first.executableURL = try Tool.url
      first.arguments = ["contacts", "--directory", directory.path, "--pause-in-restore"]
      let (output, input) = (Pipe(), Pipe())
      first.standardOutput = output
      first.standardInput = input
      try first.run()
      let line = output.fileHandleForReading.availableData
      #expect(String(decoding: line, as: UTF8.self) == "Restoring.\n")

      let second = try Tool.run("contacts", "--directory", directory.path)
      #expect(second.exitCode == 74 && second.output.contains("in use by another process"))
      let save = try Tool.run("contacts", "--directory", directory.path, "--save")
      #expect(save.exitCode == 74 && save.error.contains("in use by another process"))
      #expect(try Data(contentsOf: archive) == bytes)

      try input.fileHandleForWriting.close()
      _ = output.fileHandleForReading.readDataToEndOfFile()
      first.waitUntilExit()
      #expect(first.terminationStatus == 0)
      let third = try Tool.run("contacts", "--directory", directory.path)
      #expect(third.exitCode == 0 && third.output.hasPrefix("Restored 16 of 16"))
    }
  }
}
