import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Prints one value of an archive.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints one value of an archive, and reads only what it needs.",
    discussion: """
      PATH begins at the root, or at an object: @ and its number, its type or its restoration identifier. Then it has \
      keys, as "inspect" and "export" show them, and places in brackets: contacts[0].name, @7.draft, \
      @Note.draft, settings["font size"]. Some elements of an array are log[100..<200], log[100...] or log[..<10]. \
      In brackets and quotes a key may have any characters, with \\ before " and \\. \
      References are followed. In a file of SealedValueStore or SealedValue a path begins at its value. \
      A single value is printed as it is, bytes included; anything else, and everything with --json, as JSON.

      Examples:
        keepsake get settings.sealed fontSize --key my.key
        keepsake get archive 'contacts[0].name'
        keepsake get archive 'log[..<10]'
        keepsake get fontSize --key my.key < settings.sealed
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Argument(
    help: ArgumentHelp(
      "The path of the value. If this is the only argument, the file comes from standard input.",
      valueName: "path"))
  var path: String?

  @OptionGroup var destination: DestinationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    // A single argument is the path, as in: keepsake get PATH < FILE.
    let (named, path) = path == nil ? (nil, input.file) : (input.file, path)
    guard let path else {
      throw Failure(
        "No path of a value was named; name one, as in \"keepsake get FILE contacts[0].name\".",
        .usage)
    }
    let steps = try ValuePath(path)
    let file = try readable(named, path)
    let archive = try file.archive(in: try input.unseal(file, with: opening), lazily: true)
    let finder = ValueFinder(archive)
    let place = try finder.place(at: steps)
    let part = try steps.places.map { try finder.elements(at: place, $0) }
    if part == nil, place.tag == .bytes, !place.isNil, !output.json {
      return try write(bytesAt: place)
    }
    let output = Output(to: try destination.path(for: nil))
    var printer = ValuePrinter(
      to: output, printsTextBare: !self.output.json, isShown: destination.output == nil)
    if let part {
      try printer.begin(.array)
      try part.forEach { try $0.walk(&printer) }
      try printer.end(.array)
    } else {
      try place.walk(&printer)
    }
    try printer.finish()
  }

  /// The file of the value; the failure says so when the only argument is a file and not a path in standard input.
  private func readable(_ named: String?, _ path: String) throws -> InputFile {
    do {
      return try InputFile(ByteStream.argument(named), session: input.session)
    } catch {
      guard named == nil else { throw error }
      if RemoteAddress(path) == nil {
        guard case .regular = try DurableFile.kind(of: path) else { throw error }
      }
      throw Failure(
        "\"\(path)\" is a file, and no path in it was named. Name one, as in \"keepsake get \(path) contacts[0].name\", "
          + "or print all of it with \"keepsake export\".", .usage)
    }
  }

  private func write(bytesAt place: ValuePlace) throws {
    guard case .bytes(let content) = try place.value() else { return }
    let output = Output(to: try destination.path(for: "A value of bytes"))
    try output.write(bytes: content)
    try output.finish()
  }
}

/// Prints a value as JSON; a single text is printed as it is.
private struct ValuePrinter: DynamicValueVisitor {
  private var writer: JSONWriter
  private let output: Output
  private let printsTextBare: Bool
  /// True when the output may be a terminal, which the text must not control.
  private let isShown: Bool

  init(to output: Output, printsTextBare: Bool, isShown: Bool) {
    writer = JSONWriter(to: output)
    (self.output, self.printsTextBare, self.isShown) = (output, printsTextBare, isShown)
  }

  mutating func visit(_ value: DynamicValue) throws {
    guard printsTextBare, writer.isAtTop, case .string(let text)? = value.plainJSON else {
      return try writer.visit(value)
    }
    try output.write(text: isShown ? text.displayedOnTerminal : text)
  }

  mutating func begin(_ container: DynamicContainer) throws { try writer.begin(container) }
  mutating func end(_ container: DynamicContainer) throws { try writer.end(container) }
  mutating func visit(key: DynamicRecord.Field) throws { try writer.visit(key: key) }
  mutating func visit(name: String) throws { try writer.visit(name: name) }

  mutating func finish() throws {
    try writer.breakLine()
    try writer.flush()
    try output.finish()
  }
}
