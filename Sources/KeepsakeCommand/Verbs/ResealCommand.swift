import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Encrypts the content of a file anew.
struct ResealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reseal",
    abstract: "Encrypts the content of a file anew, with a new data key: to rotate a key.",
    discussion: """
      The file is replaced as a whole or not at all. It is sealed for the keys that open it now, for those \
      that are added, and for no others: every slot must be named by its key or recipient, or be removed. \
      Copies of the old file still open with its old keys.

      Examples:
        keepsake reseal my.sealed --key old.key --add-key new.key --remove-key old.key
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var changes: SlotChangeOptions
  @OptionGroup var signing: ResigningOptions

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let file = try input.look()
    let (path, summary) = try file.sealedPath(for: "seal anew")
    var keys = try opening.keys(for: summary, at: path)
    let context = input.contextBytes(of: summary)
    let removed = try changes.removed()
    let stay = try file.recipients(opening: path, &keys, context: context)
      .filter { key in !removed.contains { $0.isSame(as: key) } }
    let added = try changes.added().filter { new in !stay.contains { $0.isSame(as: new) } }
    let dropping =
      removed.map { SealSlotSelection.recipient($0) } + changes.removeSlot.map { .slot($0) }
    let signer = try signing.key
    let progress = Progress("Sealing", quiet: quiet)
    defer { progress.finish() }
    let new = try Failure.changingSlots(of: file.name, canKeep: false) {
      try Interruption.whileWriting {
        try keys.opening { identities in
          try SealedFile.reseal(
            path, with: identities, for: stay + added, dropping: dropping, signingKey: signer,
            dropsSignature: signing.dropSignature, signsUnsigned: signing.signUnsigned,
            context: context, progress: progress.observe)
        }
      }
    }
    progress.finish()
    try output.print(
      after: "\(file.name) was sealed anew.",
      [new.line(named: file.name)],
      json: ["file": .string(file.argument), "sealed": new.json])
  }
}
