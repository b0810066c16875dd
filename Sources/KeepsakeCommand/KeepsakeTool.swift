import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The command-line tool `keepsake`.
@main
struct KeepsakeTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keepsake",
    abstract: "Seals files, and looks into archives and saved states.",
    discussion: """
      Exit codes: 0 success; 1 a difference was found; 3 another version wrote the state and it was \
      refused; 64 wrong usage; 65 a file is damaged or not what it should be; 66 there is no such file, \
      session or value; 74 a file or directory cannot be read or written; 77 the key is missing, unusable \
      or another one. After a signal the code is 128 plus the signal's number, as in a shell, \
      and no file is half written.
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Keys and sealed files",
        subcommands: [
          KeygenCommand.self, SealCommand.self, OpenCommand.self, VerifyCommand.self,
          RewrapCommand.self, ResealCommand.self, PasswdCommand.self,
        ]),
      CommandGroup(
        name: "Archives and saved states",
        subcommands: [
          InspectCommand.self, BrowseCommand.self, GetCommand.self, SetCommand.self,
          UnsetCommand.self, ExportCommand.self, ImportCommand.self,
          DiffCommand.self, MigrateCommand.self, SessionsCommand.self,
        ]),
      CommandGroup(name: "Journals", subcommands: [JournalCommand.self]),
      CommandGroup(name: "The demo", subcommands: [DemoCommand.self, ContactsCommand.self]),
    ])

  static func main() async {
    ProgramStart.begin(as: "keepsake")
    do {
      try Self.requireVerb(CommandLine.arguments.dropFirst())
      // Descriptors in the arguments are checked before the tool opens descriptors of its own.
      var command = try parseAsRoot()
      try Interruption.watch()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(reporting: error)
    }
  }

  /// Refuses a line without a verb, and a verb that does not exist.
  private static func requireVerb(_ arguments: ArraySlice<String>) throws(Failure) {
    var command: any ParsableCommand.Type = Self.self
    var (line, rest) = ("keepsake", arguments)
    while !command.configuration.subcommands.isEmpty {
      guard let verb = rest.popFirst() else {
        throw Failure(
          "No verb was named after \"\(line)\"; \"\(line) --help\" lists the verbs.", .usage)
      }
      if verb.hasPrefix("-") || verb == "help" { return }
      let verbs = command.configuration.subcommands
      guard let next = verbs.first(where: { $0._commandName == verb }) else {
        let nearest = Suggestion.nearest(to: verb, in: verbs.map { $0._commandName })
        throw Failure(
          "There is no verb \"\(verb.shortened)\" of \"\(line)\"; "
            + (nearest.map { "did you mean \"\($0)\"? " } ?? "")
            + "\"\(line) --help\" lists the verbs.", .usage)
      }
      (command, line) = (next, line + " " + verb)
    }
  }

  /// Ends the process with a sentence on standard error and an exit code; help goes to standard output.
  private static func exit(reporting error: any Error) -> Never {
    if let failure = Failure(explaining: error) { failure.end(as: "keepsake") }
    let text = fullMessage(for: error)
    let code = exitCode(for: error)
    if code.isSuccess {
      do {
        try Output.print([text])
      } catch {
        Failure(explaining: error)?.end(as: "keepsake")
      }
    } else if !text.isEmpty {
      try? FileHandle.standardError.write(
        contentsOf: Data((text.displayedLines.cutAsMessage + "\n").utf8))
    }
    Foundation.exit(code.rawValue)
  }
}

extension String {
  /// The text, with an escape for each character that controls a terminal, except line feeds.
  fileprivate var displayedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).displayed }
      .joined(separator: "\n")
  }
}
