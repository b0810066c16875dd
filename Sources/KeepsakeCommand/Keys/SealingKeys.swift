import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The recipients of a new file.
struct SealingOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Seal for a key file, with or without a passphrase, or for an identity of one's own. May be repeated.",
      valueName: "file"))
  var key: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Seal for a recipient: its text, which begins with keepsake1, or a file with one in each line. May "
        + "be repeated.", valueName: "recipient"))
  var recipient: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  @Flag(
    help: "Allow a passphrase beside other keys, although it is the weakest of them.")
  var allowMixed = false

  /// True when the user has named a recipient.
  var isGiven: Bool {
    get throws(Failure) {
      let source = try passphrase.source
      return !key.isEmpty || !recipient.isEmpty || source != nil
    }
  }

  /// Reads the recipients.
  func recipients() throws -> [SealRecipient] {
    let found = try RecipientReader.recipients(
      keys: key, recipients: recipient, passphrase: try passphrase.source)
    guard !found.isEmpty else {
      throw Failure(
        "Say whom to seal for: --key FILE, --recipient RECIPIENT or --passphrase. \"keepsake keygen key FILE\" makes a key.",
        .usage)
    }
    return found
  }

  var options: SealOptions { SealOptions(allowsMixedPassphrase: allowMixed) }
}

/// Reads recipients.
enum RecipientReader {
  static func recipients(
    keys: [String], recipients: [String], passphrase: PassphraseSource?
  ) throws -> [SealRecipient] {
    var reader = KeyReader(passphrase)
    var found: [SealRecipient] = []
    for file in keys { found.append(try reader.key(at: file).recipient) }
    for text in recipients { found += try self.recipients(text).map { .x25519($0) } }
    if passphrase != nil, !reader.hasOpenedKeyFile {
      found.append(.passphrase(try reader.passphrase(for: "to seal with", isNew: true)))
    }
    return found
  }

  /// Reads one recipient from a text, or the recipients in a file, one in each line.
  static func recipients(_ text: String) throws -> [X25519Recipient] {
    do {
      return [try X25519Recipient(text)]
    } catch {
      // A text that begins like a recipient is a recipient with a mistake, and not the name of a file.
      guard !text.lowercased().hasPrefix("keepsake1"), !text.uppercased().hasPrefix("KEEPSAKE-"),
        try DurableFile.kind(of: text) != .absent
      else { throw Failure(error.description, .keyUnavailable) }
    }
    do {
      if let identity = try? X25519Identity.read(at: text) { return [identity.recipient] }
      let bytes = try callingFiles { () throws(FileError) in
        try DurableFile.read(at: text, upTo: 1 << 20)
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      guard !lines.isEmpty else {
        throw Failure("The file at \"\(text)\" has no recipient in it.", .keyUnavailable)
      }
      return try lines.map { line throws(SealError) in try X25519Recipient(line) }
    } catch let error as SealError {
      throw Failure(
        "\(error.description) It was read from \"\(text)\".", .keyUnavailable)
    }
  }
}
