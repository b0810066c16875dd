import ArgumentParser
import CommandSupport
import Foundation
import Keepsake
import TerminalScreen

/// Shows the content of a file in the terminal, to walk through it.
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract:
      "Shows the archive in a file in the terminal, to walk through it with the arrow keys.",
    discussion: """
      Nothing is written. Only the shown part of a large archive is read. The right arrow opens a row and the left one \
      closes it. Enter follows a reference, and Backspace goes back. / searches in types, keys and values, and n finds \
      the next place. b shows the bytes in place of the value. q quits. "inspect --html" makes a page for a browser.

      Examples:
        keepsake browse settings.sealed --key my.key
        keepsake browse state --session main
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @MainActor
  func run() async throws {
    let file = try input.look()
    // Passphrases are asked for before the terminal is taken over.
    let archive = try file.archive(in: try input.unseal(file, with: opening), lazily: true)
    var screen = try BrowseScreen(archive, title: file.name)
    let terminal: Terminal
    do {
      terminal = try Terminal(type: ProcessInfo.processInfo.environment["TERM"])
    } catch {
      throw Failure(error.description, .usage)
    }
    defer { terminal.restore() }
    terminal.write(screen.draw(terminal.size).controlSequences)
    for await event in terminal.events {
      switch event {
      case .key(let key):
        guard screen.handle(key) else { return }
      case .resized: break
      case .endRequested: return
      }
      terminal.write(screen.draw(terminal.size).controlSequences)
    }
  }
}
