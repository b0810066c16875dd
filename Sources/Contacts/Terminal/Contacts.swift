import ArgumentParser
import CommandSupport
import ContactsModel
import Foundation
import Keepsake
import TerminalScreen

/// The contacts app in a terminal: an example of an app that continues where it was.
@main
struct Contacts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Keeps contacts, and comes back where it was, however it ended.",
    discussion: """
      Each terminal that it runs in is a window with a saved state of its own. Kill it at any moment \
      and start it again: what the last line reported as saved is back, unsaved text included.

      Exit codes are those of keepsake: 0 success; 64 wrong usage, or no terminal that can be drawn \
      in; 65 a file is damaged; 66 there is no such session; 74 a file or directory cannot be read \
      or written; 77 the key is missing, unusable or the wrong one.
      """)

  @Option(
    help: ArgumentHelp(
      "The directory for contacts and states; by default one of the user's.", valueName: "dir"))
  var directory: String?

  @Flag(help: "List the windows, the one that was used last first.")
  var list = false

  @Option(
    help: ArgumentHelp("Show what a window that is not open has saved.", valueName: "name"),
    transform: SessionIdentifier.init)
  var show: SessionIdentifier?

  @Option(
    help: ArgumentHelp("Erase a window that is not open, its key first.", valueName: "name"),
    transform: SessionIdentifier.init)
  var remove: SessionIdentifier?

  static func main() async {
    ProgramStart.begin(as: "contacts")
    await main(nil)
  }

  func validate() throws {
    if [list, show != nil, remove != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Give one of --list, --show and --remove, and not two.")
    }
  }

  @MainActor
  func run() async throws {
    try await Failure.reporting(as: "contacts") {
      let state =
        try directory.map { StateDirectory(path: $0) } ?? .user("com.example.keepsake-contacts")
      let sessions = StateSessions(in: state)
      if list {
        for summary in try await sessions.list() { print(summary) }
      } else if let show {
        var tree = ArchiveTree(try await sessions.archive(of: show))
        print(try tree.lines().joined(separator: "\n"))
      } else if let remove {
        try await sessions.remove(remove)
      } else {
        try await runWindow(state, sessions)
      }
    }
  }

  /// Runs the app in this terminal.
  ///
  /// The session is opened last, so a run that fails before leaves none behind.
  @MainActor
  private func runWindow(_ state: StateDirectory, _ sessions: StateSessions) async throws {
    let terminal: Terminal
    do {
      terminal = try Terminal(type: ProcessInfo.processInfo.environment["TERM"])
    } catch {
      throw Failure(error.description, .usage)
    }
    defer { terminal.restore() }
    let book: ContactBook
    do {
      book = try ContactBook(path: state.path + "/contacts.json")
    } catch let error as ContactBook.DamageError {
      throw Failure(error.description, .damaged)
    }
    let session = try await sessions.resume()
    try await ContactsWindow(terminal: terminal, book: book, session: session).run()
  }
}
