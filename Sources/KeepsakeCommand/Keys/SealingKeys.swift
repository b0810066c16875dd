import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The recipients of a new file.
struct SealingOptions: ParsableArguments {
  @OptionGroup var keyFiles: KeyFileOptions

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Seal for a recipient: its text, which begins with keepsake1, or a file with one in each line. May "
        + "be repeated.", valueName: "recipient"),
    completion: .file())
  var recipient: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  @Flag(
    help: "Allow a passphrase beside other keys, although it is the weakest of them.")
  var allowMixed = false

  /// True when the user has named a recipient.
  var isGiven: Bool {
    get throws(Failure) {
      let source = try passphrase.source
      return !keyFiles.sources.isEmpty || !recipient.isEmpty || source != nil
    }
  }

  func recipients() throws -> [SealRecipient] {
    let found = try RecipientReader.recipients(
      keys: keyFiles.sources, recipients: recipient, passphrase: try passphrase.source)
    guard !found.isEmpty else {
      throw Failure(
        "Say whom to seal for: --key FILE, --recipient RECIPIENT or --passphrase. \"keepsake keygen key FILE\" makes a key.",
        .usage)
    }
    try RecipientReader.require(found, allowMixed: allowMixed)
    return found
  }

  var options: SealOptions { SealOptions(allowsMixedPassphrase: allowMixed) }
}

enum RecipientReader {
  /// The most slots of a sealed file (Spec/seal.md, section 4).
  private static let slotLimit = 32

  /// Reads recipients; one that is given twice counts once.
  static func recipients(
    keys: [KeySource], recipients: [String], passphrase: PassphraseSource?
  ) throws -> [SealRecipient] {
    var reader = KeyReader(passphrase, to: .seal)
    var found: [SealRecipient] = []
    for source in keys { found += try reader.keys(from: source).map(\.recipient) }
    for text in recipients { found += try self.recipients(text).map { .x25519($0) } }
    if passphrase != nil, !reader.hasOpenedKeyFile {
      found += try reader.passphrases(for: "to seal with", isNew: true).prefix(1)
        .map { .passphrase($0) }
    }
    return found.withoutRepeats
  }

  /// Refuses recipients that one file cannot have together.
  static func require(_ recipients: [SealRecipient], allowMixed: Bool) throws(Failure) {
    guard recipients.count <= slotLimit else {
      throw Failure(
        "A file is sealed for at most \(slotLimit) keys, and \(recipients.count) were given; name fewer of them.",
        .usage)
    }
    let hasPassphrase = recipients.contains { if case .passphrase = $0 { true } else { false } }
    guard !hasPassphrase || recipients.count == 1 || allowMixed else { throw .mixedPassphrase }
  }

  /// Reads one recipient from a text, or the recipients in a file, one in each line.
  static func recipients(_ text: String) throws -> [X25519Recipient] {
    do {
      return [try X25519Recipient(text)]
    } catch {
      // A text that begins like a recipient is a recipient with a mistake, and not the name of a file.
      guard !text.lowercased().hasPrefix("keepsake1"), !text.uppercased().hasPrefix("KEEPSAKE-")
      else { throw Failure(error.description, .keyUnavailable) }
      guard !text.lowercased().hasPrefix("age1") else { throw recipientOfAge(text) }
      guard try DurableFile.kind(of: text) != .absent else {
        throw Failure(
          "There is no file at \"\(text)\", and it is not a recipient: a recipient begins with keepsake1. Check the "
            + "path, or the text.", .noInput)
      }
    }
    let input = try NamedInput(text)
    let bytes = try input.bytes(upTo: 1 << 20)
    var content = try KeyContent(copying: bytes.span, of: nil, path: text)
    if content.kind == .identities {
      // A regular file with a secret has to be closed to others; a pipe can be read only once.
      if case .path = input { content = try KeySource.path(text).content() }
      return try content.identities().map(\.recipient)
    }
    if let kind = content.kind.name, content.kind != .recipients {
      throw Failure(
        "The file at \"\(text)\" has \(kind), and not a recipient; name a file with a recipient in each line, or an "
          + "identity.", .keyUnavailable)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: Self.blanks) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !lines.isEmpty else {
      throw Failure("The file at \"\(text)\" has no recipient in it.", .keyUnavailable)
    }
    do throws(SealError) {
      return try lines.map { line throws(SealError) in try X25519Recipient(line) }
    } catch {
      throw Failure(
        "\(error.description) It was read from \"\(text)\".", .keyUnavailable)
    }
  }

  /// Blanks, and the byte order mark that some systems put before a text.
  private static let blanks = CharacterSet.whitespaces.union(CharacterSet(["\u{FEFF}"]))

  private static func recipientOfAge(_ text: String) -> Failure {
    Failure(
      "\"\(text.shortened)\" is a recipient of age, which is another program; \"keepsake keygen identity FILE\" makes "
        + "an identity of Keepsake, whose recipient begins with keepsake1.", .keyUnavailable)
  }
}

extension Failure {
  /// A passphrase is weaker than a key, so a file has both only if the user says so.
  static let mixedPassphrase = Failure(
    "The file would take a passphrase and another key, and the passphrase is the weakest of them: leave one out, or "
      + "give --allow-mixed.", .usage)
}

extension [SealRecipient] {
  /// The recipients, each once.
  fileprivate var withoutRepeats: [SealRecipient] {
    var found: [SealRecipient] = []
    for recipient in self where !found.contains(where: { $0.isSame(as: recipient) }) {
      found.append(recipient)
    }
    return found
  }
}
