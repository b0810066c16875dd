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

      Examples:
        keepsake seal report.pdf --key my.key -o report.sealed
        tar -cf - folder | keepsake seal --recipient friend.txt > folder.sealed
        keepsake seal note.txt --passphrase --armor
        keepsake seal report.pdf --key my.key -o s3://bucket/report.sealed
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to encrypt; without it, or with -, standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @OptionGroup var keys: SealingOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var destination: DestinationOptions

  @Flag(help: "Hide the length: add up to 12 % of zero bytes.")
  var pad = false

  @Option(
    help: ArgumentHelp(
      "A name that has to be given again to open the file; it is not stored.", valueName: "text"))
  var context: String?

  @Flag(help: "Write a text form for mail and clipboards, of a file of at most 8 MiB.")
  var armor = false

  func validate() throws {
    guard !armor || destination.address == nil else {
      throw ValidationError("--armor writes a text for mail; leave it out for an address.")
    }
    try checking(as: "keepsake") { () throws(Failure) in
      try ByteStream.requireOpen(for: file ?? "-")
    }
  }

  func run() throws {
    let upload = try destination.address?.prepareUpload()
    let path = upload == nil ? try destination.path(for: armor ? nil : "A sealed file") : nil
    let recipients = try keys.recipients()
    var options = keys.options
    options.padding = pad ? .padme : .none
    options.signingKey = try signing.key
    options.context = Array((context ?? "").utf8)
    let input = try NamedInput(ByteStream.argument(file))
    if case .path(let file) = input, try DurableFile.kind(of: file) == .directory {
      throw Failure(
        "\"\(file)\" is a directory, and only files are sealed; make a file of it by \"tar -cf - DIRECTORY\".",
        .inputOutput)
    }
    let pieces = InputPieces()
    try Interruption.whileWriting(onSignal: { pieces.stop(Interruption.stopped) }) {
      if let upload {
        let progress = Progress("Uploading", quiet: destination.quiet)
        defer { progress.finish() }
        try upload.seal(for: recipients, options: options) { append in
          try input.forEachPiece(of: pieces) { piece, total in
            // A sealed file is longer than its plaintext.
            let count = try append(piece)
            progress.advance(to: min(count, total ?? count), of: total)
          }
        }
      } else if let path, !armor, path != OutputPath.nothing {
        try seal(input, to: path, for: recipients, options, pieces)
      } else {
        try Scratch.writing(to: path, armored: armor) {
          try seal(input, to: $0, for: recipients, options, pieces)
        }
      }
    }
  }

  private func seal(
    _ input: NamedInput, to path: String, for recipients: [SealRecipient], _ options: SealOptions,
    _ pieces: InputPieces
  ) throws {
    let progress = Progress("Sealing", quiet: destination.quiet)
    defer { progress.finish() }
    switch input {
    case .path(let file):
      _ = try Failure.making(path) { () throws(SealError) in
        try SealedFile.seal(
          contentsOf: file, to: path, for: recipients, options: options, progress: progress.observe)
      }
    case .stream, .remote:
      let writer = try Failure.making(path) { () throws(SealError) in
        try SealedFileWriter(
          to: path, for: recipients, options: options, progress: progress.observe)
      }
      try input.forEachPiece(of: pieces) { piece, _ in try writer.write(piece.span) }
      try writer.finish()
    }
  }
}
