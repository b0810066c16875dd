import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The sessions of an app's windows.
struct SessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Lists the sessions in a state directory, shows one, or erases one for good.",
    discussion: """
      Examples:
        keepsake sessions list state
        keepsake sessions show state main
        keepsake sessions remove state main
      """,
    subcommands: [List.self, Show.self, Remove.self])
}

extension SessionsCommand {
  struct Directory: ParsableArguments {
    @Argument(
      help: ArgumentHelp("The directory of the app's states.", valueName: "dir"),
      completion: .directory)
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

  struct Session: ParsableArguments {
    @OptionGroup var directory: Directory

    @Argument(help: ArgumentHelp("The session, as the list names it.", valueName: "id"))
    var identifier: String
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the sessions; no key is needed.",
      discussion: """
        Each line has the name, the state, the size and the time of the last save, with blanks between them.

        Examples:
          keepsake sessions list state
          keepsake sessions list state | awk '{ print $1 }'
        """)

    @OptionGroup var directory: Directory
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let all = try await directory.sessions().list()
      try output.print(
        all.isEmpty ? ["No sessions."] : all.lines, json: .array(all.map(\.json)))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the state of a session, as \"inspect\" does.",
      discussion: """
        Examples:
          keepsake sessions show state main
        """)

    @OptionGroup var session: Session
    @OptionGroup var opening: OpeningOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
      _ = try session.directory.sessions()
      let file = try InputFile(session.directory.directory, session: session.identifier)
      try FileReport.print(file, asJSON: output.json) { summary in
        try file.unseal(
          summary, with: opening, context: summary.statedContext, policy: SealPolicy())
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Erases a session with its key; no copy of its state opens any more.",
      discussion: """
        Examples:
          keepsake sessions remove state main
        """)

    @OptionGroup var session: Session

    func run() async throws {
      let identifier = try SessionIdentifier(session.identifier)
      try await session.directory.sessions().remove(identifier)
    }
  }
}

extension [SessionSummary] {
  /// The sessions in columns, each padded to its longest text; scripts take the name from the first column.
  fileprivate var lines: [String] {
    let rows = map(\.columns)
    let widths = (0..<SessionSummary.columnCount).map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: "  ").trimmedAtEnd
    }
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension SessionSummary {
  fileprivate static let columnCount = 4

  /// The name, the state, the size, and the session's problem or else the time of the last save.
  fileprivate var columns: [String] {
    let last = problem.map { $0.message } ?? lastSaved?.text ?? "-"
    return ["\(identifier)", state, "\(byteCount) bytes", last.displayed]
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
