import ArgumentParser
import Foundation
import Keepsake

/// One launch of the contacts app in a process of its own.
struct ContactsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Launches the demo's contacts app once, and shows its interface.",
    discussion: """
      The app keeps its contacts in contacts.json and its interface's state, encrypted, in state/. \
      With --play it does what the demo's user does, saves, and waits to be killed.
      """)

  @Option(help: "The directory that the app has for itself.")
  var directory: String

  @Option(help: "The bundle version that the app says it has.")
  var bundleVersion = "11.0"

  @Flag(help: "Do what the demo's user does, save, and wait until standard input ends.")
  var play = false

  @Flag(help: "Save the state after the launch.")
  var save = false

  @Flag(help: "Set the saved state and its key aside first, and start over.")
  var reset = false

  @Flag(help: "Wait in the middle of the restore until standard input ends, to be killed there.")
  var pauseInRestore = false

  @Flag(help: "Print one line of JSON in place of text.")
  var json = false

  @MainActor
  func run() async throws {
    let refusal = try await Failure.reporting { try await launch() }
    if let refusal {
      throw ExitCode(Failure.status(for: refusal).rawValue)
    }
  }

  @MainActor
  private func launch() async throws -> RestoreReport.Refusal? {
    let files = ContactsFiles(directory: directory)
    ContactBook.shared = try files.contactBook()
    let version: BundleVersion
    do throws(MigrationError) {
      version = try BundleVersion(bundleVersion)
    } catch {
      throw ValidationError(error.description)
    }
    if reset { try await SealedStateStore(directory: files.state).reset() }
    let app = ContactsApp()
    if pauseInRestore {
      app.onDecoded = {
        FileHandle.standardOutput.write(Data("Restoring.\n".utf8))
        while readLine() != nil {}
      }
    }
    let coordinator = RestorationCoordinator(
      directory: files.state, bundleVersion: version, registry: try ContactsApp.registry())
    let report = await coordinator.launch(app)
    var transcript = LaunchTranscript(report, of: app)
    if play { app.playUser() }
    if play || save {
      transcript.saved = try await coordinator.save(app).description
      transcript.describe(app)
    }
    try transcript.print(asJSON: json)
    if play {
      while readLine() != nil {}
    }
    if case .refused(let refusal) = report.outcome { return refusal }
    return nil
  }
}
