import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Reads every byte of a file and says whether it is sound.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Reads a whole file, and says whether it is sound and who signed it.",
    discussion: """
      Every chunk of a sealed file is verified, and the archive in it if there is one. Nothing is written. A journal is \
      read as a whole, also where one of its files is named. Exit code 0 says that all is sound. The facts that need \
      no key are printed in any case.

      Examples:
        keepsake verify backup.sealed --key my.key
        keepsake verify release.sealed --key my.key --signer signers.txt
        keepsake verify log --key my.key
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var signer: SignerOptions

  @Flag(name: .shortAndLong, help: "Print nothing but what is wrong.")
  var quiet = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    if let directory = try input.journalDirectory() { return try verifyJournal(in: directory) }
    let file = try input.look()
    let policy = try signer.policy()
    if case .archive = file.kind, !signer.signer.isEmpty || signer.anySigner {
      throw Failure(
        "\(file.name) is an archive that is not sealed, so it has no signature.", .damaged)
    }
    let opened: SealedFile?
    let verdict: String?
    do {
      opened = try input.unseal(file, with: opening, policy: policy)
      if let opened { try verifyContent(of: opened) }
      verdict = try archiveVerdict(of: file, opened)
    } catch {
      if !quiet, let summary = file.summary {
        try output.print(
          [summary.line(named: file.name)],
          json: ["file": .string(file.argument), "sealed": summary.json])
      }
      throw error
    }
    guard !quiet else { return }
    try output.print(
      lines(file, opened, verdict),
      json: [
        "file": .string(file.argument), "isSound": .bool(true),
        "sealed": file.summary?.json, "opened": opened?.json,
        "archive": verdict.map { .string($0) },
      ])
  }

  private func verifyJournal(in directory: String) throws {
    guard signer.signer.isEmpty, !signer.anySigner else {
      throw Failure("A journal has no signature; leave out --signer and --any-signer.", .usage)
    }
    let journal = try input.journal(in: directory, with: opening)
    let count = try journal.verify()?.count ?? 0
    guard !quiet else { return }
    try JournalReport(journal, named: directory, count).printVerdict(to: output)
  }

  private func verifyContent(of opened: SealedFile) throws {
    let progress = Progress("Verifying", quiet: quiet)
    defer { progress.finish() }
    var reader = try opened.makeReader()
    while try reader.next() != nil {
      progress.advance(to: reader.offset, of: opened.plaintextLength)
    }
  }

  /// The words that describe the archive; nil when the content is not an archive.
  private func archiveVerdict(
    of file: InputFile, _ opened: SealedFile?
  ) throws -> String? {
    guard let archive = try file.archiveIfAny(in: opened, lazily: true) else { return nil }
    return try archive.verdict().words
  }

  private func lines(
    _ file: InputFile, _ opened: SealedFile?, _ verdict: String?
  ) -> [String] {
    guard let opened else { return ["\(file.name): an archive, \(verdict ?? "sound")"] }
    return [
      opened.summary.line(named: file.name), opened.line,
      "  every chunk is sound",
      opened.signer == nil && opened.summary.isSigned
        ? "  the signature was not verified; --any-signer does that" : nil,
      verdict.map { "  the archive in it: \($0)" } ?? "  the content is not an archive",
    ].compactMap { $0 }
  }
}
