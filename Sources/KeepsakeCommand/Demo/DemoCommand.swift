import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The demo: an app saves its state, is killed, and restores the state when it is launched again.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Plays an app that is killed and relaunched: save, die, relaunch, restored.",
    discussion: """
      The contacts app runs without a screen, in processes of its own. The first one is killed with \
      SIGKILL after its save; the second one restores the state from the encrypted file; a third one, \
      of another version, refuses it as stale; and one byte flipped in a copy is found.

      Examples:
        keepsake demo
        keepsake demo --keep demo
      """)

  @Option(
    help: ArgumentHelp(
      "Leave the files in this directory, which must not exist yet or be empty.", valueName: "dir"))
  var keep: String?

  @MainActor
  func run() async throws {
    try await Failure.reporting(as: "keepsake") {
      let directory = try makeDirectory()
      defer { if keep == nil { try? FileManager.default.removeItem(atPath: directory) } }
      try Demo(directory: directory, leavesFiles: keep != nil).run()
    }
  }

  private func makeDirectory() throws -> String {
    let temporary = FileManager.default.temporaryDirectory
    let name = "keepsake-demo-\(UUID().uuidString.lowercased())"
    let directory = keep ?? temporary.appendingPathComponent(name).path
    try DurableFile.createDirectory(at: directory)
    guard try DurableFile.names(in: directory).isEmpty else {
      throw Failure(
        "The directory \(directory) is not empty, and the demo overwrites nothing; name a new or an "
          + "empty directory.", .inputOutput)
    }
    return directory
  }
}
