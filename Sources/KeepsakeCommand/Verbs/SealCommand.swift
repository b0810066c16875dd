import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Encrypts a file or a stream.
struct SealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal",
    abstract: "Encrypts a file, or standard input, for keys, recipients or a passphrase.",
    discussion: """
      Anyone with one of the keys can open the result. Sealing needs little memory, however long the input is.
      """)

  @Argument(help: ArgumentHelp("The file to encrypt, or - for standard input.", valueName: "file"))
  var file: String

  @OptionGroup var keys: SealingOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var destination: DestinationOptions

  @Flag(help: "Hide the length: add up to 12 % of zero bytes.")
  var pad = false

  @Option(
    help: ArgumentHelp(
      "A name that has to be given again to open the file; it is not stored.", valueName: "text"))
  var context: String?

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try StandardInput.requireOpen(for: file)
    }
  }

  func run() throws {
    let path = try destination.path(for: "A sealed file")
    let recipients = try keys.recipients()
    var options = keys.options
    options.padding = pad ? .padme : .none
    options.signingKey = try signing.key
    options.context = Array((context ?? "").utf8)
    let pieces = InputPieces()
    try Interruption.whileWriting(whenSignalled: { pieces.stop(Interruption.stopped) }) {
      if let path {
        try seal(to: path, for: recipients, options, pieces)
      } else {
        try Scratch.writingToOutput { try seal(to: $0, for: recipients, options, pieces) }
      }
    }
  }

  private func seal(
    to path: String, for recipients: [SealRecipient], _ options: SealOptions, _ pieces: InputPieces
  ) throws {
    let progress = Progress("Sealing", quiet: destination.quiet)
    defer { progress.finish() }
    guard file == "-" else {
      _ = try Failure.making(path) { () throws(SealError) in
        try SealedFile.seal(
          contentsOf: file, to: path, for: recipients, options: options, progress: progress.observe)
      }
      return
    }
    let writer = try Failure.making(path) { () throws(SealError) in
      try SealedFileWriter(
        to: path, for: recipients, options: options, progress: progress.observe)
    }
    try StandardInput.forEachPiece(of: pieces) { try writer.write($0.span) }
    try writer.finish()
  }
}
