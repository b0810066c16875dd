import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Changes the keys that open a file.
struct RewrapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrap",
    abstract: "Changes the keys that open a file and not its content, or lists the key slots.",
    discussion: """
      The file is replaced as a whole or not at all. Every slot must be named: by the key that opens the \
      file, by what is added or removed, or as kept. A recipient that was removed may have kept the file or its data \
      key; "reseal" makes a new data key. Without any change the slots are listed.

      Examples:
        keepsake rewrap report.sealed
        keepsake rewrap report.sealed --key my.key --add-recipient friend.txt
        keepsake rewrap report.sealed --key my.key --remove-slot 1
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var changes: SlotChangeOptions

  @Option(
    help: ArgumentHelp(
      "Keep a slot as it is, by its number from 0. May be repeated.", valueName: "number"))
  var keepSlot: [Int] = []

  @Flag(help: "Keep every slot that is not named.")
  var keepOthers = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let file = try input.look()
    let (path, summary) = try file.sealedPath(for: "change")
    guard changes.isGiven else {
      return try report(summary, of: file, unnamed: nil)
    }
    var keys = try opening.keys(for: summary, at: path)
    let context = input.contextBytes(of: summary)
    let removed =
      try changes.removed().map { SealSlotSelection.recipient($0) }
      + changes.removeSlot.map { .slot($0) }
    let added = try changes.added()
    let progress = Progress("Rewrapping", quiet: quiet)
    defer { progress.finish() }
    let result = try Failure.changingSlots(of: file.name, canKeep: true) {
      try Interruption.whileWriting {
        try keys.opening { identities in
          try SealedFile.rewrap(
            path, with: identities, adding: added, removing: removed,
            keeping: keepSlot.map { .slot($0) }, keepsUnnamedSlots: keepOthers, context: context,
            allowsMixedPassphrase: changes.allowMixed, progress: progress.observe)
        }
      }
    }
    progress.finish()
    try report(result.summary, of: file, unnamed: result.unnamedSlots.count)
  }

  private func report(
    _ summary: SealedFileSummary, of file: InputFile, unnamed: Int?
  ) throws {
    var lines = [summary.line(named: file.name)] + summary.slotLines
    if let unnamed, unnamed > 0 {
      lines.append("  kept without being named: \(unnamed)")
    }
    try output.print(
      after: unnamed == nil ? "" : "The slots of \(file.name) were changed.",
      lines,
      json: [
        "file": .string(file.argument), "sealed": summary.json,
        "unnamedSlots": unnamed.map { .number($0) },
      ])
  }
}
