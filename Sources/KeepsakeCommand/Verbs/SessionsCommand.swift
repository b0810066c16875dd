import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The sessions of an app's windows.
struct SessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Lists the sessions in a state directory, shows one, or erases one for good.",
    subcommands: [List.self, Show.self, Remove.self])
}

extension SessionsCommand {
  struct Directory: ParsableArguments {
    @Argument(help: ArgumentHelp("The directory of the app's states.", valueName: "dir"))
    var directory: String

    /// The sessions; throws when their directory does not exist.
    func sessions() throws -> StateSessions {
      let state = StateDirectory(path: directory)
      guard try DurableFile.kind(of: state.sessionsPath) == .directory else {
        throw Failure(
          "There are no sessions in \(directory); check that it is the right directory.", .noInput)
      }
      return StateSessions(in: state)
    }
  }

  /// The arguments that name one session.
  struct Session: ParsableArguments {
    @OptionGroup var directory: Directory

    @Argument(help: ArgumentHelp("The session, as the list names it.", valueName: "id"))
    var identifier: String
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the sessions; no key is needed.")

    @OptionGroup var directory: Directory
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let all = try await directory.sessions().list()
      try output.print(
        all.isEmpty ? ["No sessions."] : all.map(\.line), json: .array(all.map(\.json)))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the state of a session, as \"inspect\" does.")

    @OptionGroup var session: Session
    @OptionGroup var opening: OpeningOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
      _ = try session.directory.sessions()
      let file = try InputFile(session.directory.directory, session: session.identifier)
      try FileReport.print(file, asJSON: output.json) { summary in
        try file.unseal(
          summary, with: opening, context: summary.statedContext, policy: .default)
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Erases a session with its key; no copy of its state opens any more.")

    @OptionGroup var session: Session

    func run() async throws {
      let identifier = try SessionIdentifier(session.identifier)
      try await session.directory.sessions().remove(identifier)
    }
  }
}

extension SessionSummary {
  fileprivate var line: String {
    lastSaved.map { "\(self), saved \($0.text)" } ?? "\(self)"
  }

  fileprivate var json: JSONValue {
    [
      "session": .string("\(identifier)"),
      "lastSaved": lastSaved.map { .string($0.text) }, "byteCount": .number(byteCount),
      "isInUse": .bool(isInUse), "reason": reason.map { .string($0.rawValue) },
      "setAside": expired.map { .string($0.text) },
      "problem": problem.map { .string($0.message) },
    ]
  }
}

extension Date {
  fileprivate var text: String {
    ArchiveDate(secondsSinceReferenceDate: timeIntervalSinceReferenceDate).text
  }
}
