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
      the sound beginning of a damaged file comes before the error, so look at the exit code.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var signer: SignerOptions
  @OptionGroup var destination: DestinationOptions

  func run() throws {
    let path = try destination.path(for: "The content of a sealed file")
    let file = try input.look()
    guard let opened = try input.unseal(file, policy: try signer.policy()) else {
      throw Failure(
        "\(file.name) is an archive that is not sealed, so there is nothing to open; \"keepsake inspect\" "
          + "shows it.", .damaged)
    }
    let progress = Progress("Opening", quiet: destination.quiet)
    defer { progress.finish() }
    if let path {
      try Interruption.whileWriting { try opened.extract(to: path, progress: progress.observe) }
    } else {
      var reader = try opened.makeReader()
      let output = Output()
      while let piece = try reader.next() {
        try output.write(bytes: piece)
        progress.advance(to: reader.offset, of: opened.plaintextLength)
      }
      try output.flush()
    }
  }
}
