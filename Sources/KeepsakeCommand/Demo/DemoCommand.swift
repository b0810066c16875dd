import ArgumentParser
import Foundation

/// The demo: an app saves its state, dies, and is back where it was.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Plays an app that is killed and relaunched: save, die, relaunch, restored.",
    discussion: """
      The contacts app runs without a screen, in processes of its own. The first one is killed with \
      SIGKILL after its save; the second one restores the state from the encrypted file; a third one, \
      of another version, refuses it as stale; and one byte flipped in a copy is found.
      """)

  @Option(
    help: "Leave the files in this directory, which must not exist yet or be empty.")
  var keep: String?

  @MainActor
  func run() async throws {
    try await Failure.reporting {
      let directory = try makeDirectory()
      defer { if keep == nil { try? FileManager.default.removeItem(at: directory) } }
      try Demo(directory: directory, leavesFiles: keep != nil).run()
    }
  }

  private func makeDirectory() throws -> URL {
    let manager = FileManager.default
    let directory =
      keep.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? manager.temporaryDirectory.appendingPathComponent(
        "keepsake-demo-\(UUID().uuidString.lowercased())", isDirectory: true)
    do {
      try manager.createDirectory(at: directory, withIntermediateDirectories: true)
      if try manager.contentsOfDirectory(atPath: directory.path).isEmpty { return directory }
    } catch {
      throw Failure(
        message: "The directory \(directory.path) cannot be made or read: "
          + "\(error.localizedDescription) Name one in a place that can be written.",
        status: .inputOutput)
    }
    throw Failure(
      message: "The directory \(directory.path) is not empty, and the demo overwrites nothing; "
        + "name a new or an empty directory.",
      status: .inputOutput)
  }
}
