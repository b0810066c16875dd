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
      """)

  @Argument(help: ArgumentHelp("The key file or the sealed file.", valueName: "file"))
  var file: String

  @OptionGroup var old: PassphraseOptions

  @Option(help: ArgumentHelp("Read the new passphrase from a file.", valueName: "file"))
  var newPassphraseFile: String?

  @Option(
    name: .customLong("new-passphrase-fd"),
    help: ArgumentHelp("Read the new passphrase from an open file descriptor.", valueName: "number")
  )
  var newPassphraseDescriptor: Int32?

  @Flag(help: "Let a guess at the new passphrase cost 64 MiB in place of 256, for small machines.")
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
    let present = try (old.source ?? .terminal()).read(prompt: "Present passphrase of \(file)")
    let source = try PassphraseSource.chosen(
      asks: false, file: newPassphraseFile, descriptor: newPassphraseDescriptor, "new-passphrase")
    let new = try (source ?? .terminal(option: "new-passphrase")).read(
      prompt: "New passphrase", isNew: true)
    do {
      try Interruption.whileWriting {
        if let summary {
          try change(summary, from: present, to: new)
        } else {
          try SealKey.changePassphrase(at: file, from: present, to: new, cost: cost)
        }
      }
    } catch let error as SealError where error.code == .noMatchingKey {
      throw Failure(
        "The present passphrase of \(file) is another one; the file is as it was.", .keyUnavailable)
    }
  }

  /// Refuses a file that is neither sealed nor a key file under a passphrase.
  private func requireKeyUnderPassphrase() throws {
    if let source = try? FileSource(file), (try? Archive(source: source)) != nil {
      throw Failure(
        "\(file) is an archive that is not sealed, so it has no passphrase to change; "
          + "\"keepsake seal\" seals it for one.", .keyUnavailable)
    }
    let kind = try KeyFileKind(of: file)
    guard kind == .keyUnderPassphrase else {
      throw Failure(
        "\(file) is \(kind.name) without a passphrase, so it has none that could change; "
          + "\"keepsake keygen key --passphrase\" makes a key file under one.", .keyUnavailable)
    }
  }

  private func change(
    _ summary: SealedFileSummary, from present: SealPassphrase, to new: SealPassphrase
  ) throws {
    try SealedFile.rewrap(
      file, with: [.passphrase(present)], adding: [.passphrase(new, cost: cost)],
      removing: [.recipient(.passphrase(present))], keepsUnnamedSlots: true,
      context: summary.statedContext,
      allowsMixedPassphrase: summary.slotTypes.count > 1)
  }
}
