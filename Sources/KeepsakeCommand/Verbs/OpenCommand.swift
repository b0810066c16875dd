import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Decrypts a sealed file.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Decrypts a sealed file.",
    discussion: """
      Every byte that is written was verified. Into a file all of it is written or nothing; into a pipe \
      the sound beginning of a damaged file is written before the error, so check the exit code. \
      A short text is shown on a terminal; \
      other content needs -o or a pipe. The text form that "seal --armor" writes is recognized.

      Examples:
        keepsake open report.sealed --key my.key -o report.pdf
        keepsake open --key my.key < folder.sealed | tar -xf -
        keepsake open note.sealed --key <(pass show my-key)
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var signer: SignerOptions
  @OptionGroup var destination: DestinationOptions

  func run() throws {
    let path = try destination.path(for: nil)
    let file = try input.look()
    guard let opened = try input.unseal(file, with: opening, policy: try signer.policy()) else {
      throw Failure(
        "\(file.name) is an archive that is not sealed, so there is nothing to open; \"keepsake inspect\" "
          + "shows it.", .damaged)
    }
    let progress = Progress("Opening", quiet: destination.quiet)
    defer { progress.finish() }
    if let path, path != OutputPath.nothing {
      try Interruption.whileWriting { try opened.extract(to: path, progress: progress.observe) }
      return
    }
    if path == nil, destination.output == nil, Output.isTerminal { return try show(opened) }
    var reader = try opened.makeReader()
    let output = Output(to: path)
    while let piece = try reader.next() {
      try output.write(bytes: piece)
      progress.advance(to: reader.offset, of: opened.plaintextLength)
    }
    try output.finish()
  }

  /// The most bytes of a text that is shown on a terminal.
  private static let longestText = 1 << 20

  /// Shows a text on the terminal; other content is refused before anything of it is shown.
  private func show(_ opened: SealedFile) throws {
    guard opened.plaintextLength <= Self.longestText,
      let text = String(validating: try opened.read(), as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0 != "\n" && $0 != "\t" && $0.steersDisplay })
    else { throw Failure.notForTerminal("The content of a sealed file that is not a short text") }
    let output = Output()
    try output.write(text: text)
    if !text.isEmpty, !text.hasSuffix("\n") { try output.write(text: "\n") }
    try output.flush()
  }
}
