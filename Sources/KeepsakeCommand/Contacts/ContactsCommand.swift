import ArgumentParser
import CommandSupport
import ContactsModel
import Foundation
import Keepsake

/// One launch of the contacts app in a process of its own.
struct ContactsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Launches the demo's contacts app once, and prints its interface.",
    discussion: """
      The app keeps its contacts in contacts.json and its interface's state, encrypted, in state/. \
      With --play it does what the demo's user does, saves, and waits to be killed.

      Examples:
        keepsake contacts --directory app --play
        keepsake contacts --directory app
      """)

  @Option(help: ArgumentHelp("The directory that the app has for itself.", valueName: "dir"))
  var directory: String

  @Option(
    help: "The bundle version that the app says it has; by default 11.0.",
    transform: BundleVersion.init)
  var bundleVersion: BundleVersion?

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
    let refusal = try await Failure.reporting(as: "keepsake") { try await launch() }
    if let refusal {
      throw ExitCode(Failure.status(for: refusal).rawValue)
    }
  }

  @MainActor
  private func launch() async throws -> RestoreReport.Refusal? {
    let files = ContactsFiles(directory: directory)
    let version = try bundleVersion ?? BundleVersion("11.0")
    if reset { try await SealedStateStore(directory: files.state).reset() }
    let app = ContactsApp(book: try files.contactBook(), rowHeight: 44)
    app.allContacts.layOut(height: 660)
    if pauseInRestore {
      app.onDecoded = {
        FileHandle.standardOutput.write(Data("Restoring.\n".utf8))
        while readLine() != nil {}
      }
    }
    var configuration = RestorationConfiguration(bundleVersion: version)
    configuration.awaitsFirstFrame = true
    let coordinator = RestorationCoordinator(directory: files.state, configuration: configuration)
    let report = await coordinator.launch(app)
    var transcript = LaunchTranscript(report, of: app)
    if play { app.playUser() }
    if play || save {
      transcript.saved = try await coordinator.save(app).description
      transcript.describe(app)
    }
    try transcript.print(asJSON: json)
    coordinator.didDrawFirstFrame()
    if play {
      while readLine() != nil {}
    }
    if case .refused(let refusal) = report.outcome { return refusal }
    return nil
  }
}

/// The files of the demo's contacts app: its model, and the directory of its saved state.
struct ContactsFiles {
  let directory: String

  var model: String { directory + "/contacts.json" }
  var state: StateDirectory { StateDirectory(path: directory + "/state") }

  /// Reads the contacts; without a model file they are the samples.
  @MainActor
  func contactBook() throws -> ContactBook {
    do {
      return try ContactBook(path: model)
    } catch let error as ContactBook.DamageError {
      throw Failure(error.description, .damaged)
    }
  }
}
