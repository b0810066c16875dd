import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Prints one value of an archive.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints one value of an archive, and reads no more than it takes.",
    discussion: """
      PATH begins at the root, or with @ and the number of an object, and goes on with keys, as \
      "inspect" and "export" show them, and places in brackets: contacts[0].name, @7.draft, settings["font size"]. \
      In brackets and quotes a key may have any characters, with \\ before " and \\. \
      References are followed. A single value is printed as it is, bytes included; anything else, and \
      everything with --json, as JSON.
      """)

  @OptionGroup var input: InputOptions

  @Argument(help: ArgumentHelp("The path of the value.", valueName: "path"))
  var path: String

  @OptionGroup var destination: DestinationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let steps = try ValuePath(path)
    let file = try input.look()
    let archive = try file.archive(in: try input.unseal(file), lazily: true)
    let value = try ValueFinder(archive).value(at: steps)
    try write(output.json ? .text(JSONValue(value).text()) : Printed(value))
  }

  private func write(_ printed: Printed) throws {
    switch printed {
    case .bytes(let content):
      try write(content, to: try destination.path(for: "A value of bytes"))
    case .text(let text):
      let path = destination.output == "-" ? nil : destination.output
      // What goes to a terminal is not to steer it.
      let shown = destination.output == nil ? text.displayedOnTerminal : text
      try write(Array((shown + "\n").utf8), to: path)
    }
  }

  private func write(_ bytes: [UInt8], to path: String?) throws {
    var output = Output(to: path)
    try output.write(bytes: bytes)
    try output.finish()
  }
}

/// How a value is printed.
private enum Printed {
  case text(String)
  case bytes([UInt8])

  init(_ value: ArchivedValue) {
    switch value {
    case .bytes(let bytes): self = .bytes(bytes)
    default:
      if case .string(let text) = JSONValue(value) {
        self = .text(text)
      } else {
        self = .text(JSONValue(value).text())
      }
    }
  }
}
