import ArgumentParser
import Foundation
import Keepsake
import TerminalScreen

/// The contacts app in a terminal: an example of an app that comes back where it was.
@main
struct Contacts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "Keeps contacts, and comes back where it was, however it ended.",
    discussion: """
      Each terminal that it runs in is a window with a saved state of its own. Kill it at any moment \
      and start it again: what you typed is there.
      """)

  @Option(help: "The directory for contacts and states; by default one of the user's.")
  var directory: String?

  @Flag(help: "List the windows, the one that was used last first.")
  var list = false

  @Option(help: ArgumentHelp("Show what a window has saved.", valueName: "name"))
  var show: String?

  @Option(help: ArgumentHelp("Erase a window that is not open, its key first.", valueName: "name"))
  var remove: String?

  @MainActor
  func run() async throws {
    do {
      try await start()
    } catch let error as KeepsakeError {
      throw failure(error.message)
    } catch let error as RestorationError {
      throw failure(error.message)
    } catch let error as SealError {
      throw failure(error.description)
    }
  }

  private func failure(_ message: String) -> ExitCode {
    FileHandle.standardError.write(Data("contacts: \(message)\n".utf8))
    return .failure
  }

  @MainActor
  private func start() async throws {
    let state =
      try directory.map { StateDirectory(path: $0) } ?? .user("com.example.keepsake-contacts")
    let sessions = StateSessions(in: state)
    if list {
      for summary in try await sessions.list() { print(summary) }
    } else if let show {
      print(try ArchivePrinter.text(of: try await sessions.archive(of: SessionIdentifier(show))))
    } else if let remove {
      try await sessions.remove(SessionIdentifier(remove))
    } else {
      try await runWindow(state, sessions)
    }
  }

  @MainActor
  private func runWindow(_ state: StateDirectory, _ sessions: StateSessions) async throws {
    let session = try await sessions.resume()
    let book = try AddressBook(path: state.path + "/contacts.json")
    guard let terminal = Terminal() else {
      throw failure("There is no terminal to draw in; run it in one, not in a pipe.")
    }
    defer { terminal.restore() }
    try await ContactsWindow(terminal: terminal, book: book, session: session).run()
  }
}
