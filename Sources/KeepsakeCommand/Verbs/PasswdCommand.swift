import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Changes a passphrase.
struct PasswdCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passwd",
    abstract: "Changes the passphrase of a key file or of a sealed file.",
    discussion: """
      Older copies of the file still open with the older passphrase. Nothing that the key of a key file has \
      sealed needs to be touched.

      Examples:
        keepsake passwd my.key
        keepsake passwd my.sealed --passphrase-file old --new-passphrase-file new
      """)

  @Argument(
    help: ArgumentHelp("The key file or the sealed file.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var old: PassphraseOptions

  @Option(
    help: ArgumentHelp("Read the new passphrase from a file.", valueName: "file"),
    completion: .file())
  var newPassphraseFile: String?

  @Option(
    name: .customLong("new-passphrase-fd"),
    help: ArgumentHelp("Read the new passphrase from an open file descriptor.", valueName: "number")
  )
  var newPassphraseDescriptor: Int32?

  @Flag(help: "Make a guess at the new passphrase cost 64 MiB in place of 256, for small machines.")
  var constrained = false

  private var cost: PassphraseCost { constrained ? .constrained : .standard }

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try PassphraseSource.requireOpen(newPassphraseDescriptor, "new-passphrase")
    }
  }

  func run() throws {
    let summary: SealedFileSummary?
    do throws(SealError) {
      summary = try SealedFile.inspect(file)
    } catch {
      guard error.code == .notSealedFile else { throw error }
      summary = nil
    }
    if let summary {
      guard summary.slotTypes.contains(.passphrase) else {
        throw Failure(
          "\(file) is not sealed for a passphrase, so it has none that could change; \"keepsake rewrap\" "
            + "changes the keys that open it.", .keyUnavailable)
      }
    } else {
      try requireKeyUnderPassphrase()
    }
    let source = try old.source ?? .terminal()
    let newSource = try PassphraseSource.chosen(
      prompts: false, file: newPassphraseFile, descriptor: newPassphraseDescriptor,
      "new-passphrase")
    let current = try currentPassphrase(from: source, summary)
    let new = try (newSource ?? .terminal(option: "new-passphrase")).read(
      prompt: "New passphrase", isNew: true)
    try Interruption.whileWriting {
      if let summary {
        try change(summary, from: current, to: new)
      } else {
        try SealKey.changePassphrase(at: file, from: current, to: new, cost: cost)
      }
    }
  }

  /// Asks for the passphrase until it opens the file; a person has three attempts.
  private func currentPassphrase(
    from source: PassphraseSource, _ summary: SealedFileSummary?
  ) throws -> SealPassphrase {
    var promptsUser = false
    if case .terminal = source { promptsUser = true }
    for attempt in 1...KeyReader.attemptLimit {
      let prompt = attempt == 1 ? "Current passphrase of \(file)" : "Current passphrase again"
      for passphrase in try source.readAll(prompt: prompt) {
        do throws(SealError) {
          if let summary {
            _ = try SealedFile.open(
              file, with: [.passphrase(passphrase)], context: summary.statedContext)
          } else {
            _ = try SealKey.read(at: file, passphrase: passphrase)
          }
          return passphrase
        } catch {
          guard error.code == .noMatchingKey else { throw error }
        }
      }
      guard promptsUser, attempt < KeyReader.attemptLimit else { break }
      Message.show("That is not the passphrase of \"\(file)\".")
    }
    throw Failure(
      "That is not the current passphrase of \(file); the file is as it was.", .keyUnavailable)
  }

  /// Refuses a file that is neither sealed nor a key file under a passphrase.
  private func requireKeyUnderPassphrase() throws {
    if let source = try? FileSource(file), (try? Archive(source: source)) != nil {
      throw Failure(
        "\(file) is an archive that is not sealed, so it has no passphrase to change; "
          + "\"keepsake seal\" seals it for one.", .keyUnavailable)
    }
    let kind = try KeySource.path(file).content().kind
    guard kind == .keyUnderPassphrase else {
      guard kind == .key || kind == .identities || kind == .signingKey, let name = kind.name else {
        throw Failure(.path(file), is: kind, not: "a passphrase")
      }
      throw Failure(
        "\(file) is \(name) without a passphrase, so it has none that could change; "
          + "\"keepsake keygen key --passphrase\" makes a key file under one.", .keyUnavailable)
    }
  }

  private func change(
    _ summary: SealedFileSummary, from current: SealPassphrase, to new: SealPassphrase
  ) throws {
    try SealedFile.rewrap(
      file, with: [.passphrase(current)], adding: [.passphrase(new, cost: cost)],
      removing: [.recipient(.passphrase(current))], keepsUnnamedSlots: true,
      context: summary.statedContext,
      allowsMixedPassphrase: summary.slotTypes.count > 1)
  }
}
