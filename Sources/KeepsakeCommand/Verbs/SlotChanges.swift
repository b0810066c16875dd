import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The recipients that are added to a file, and those that are removed.
struct SlotChangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Let a key open the file: a key file or an identity. May be repeated.", valueName: "file"))
  var addKey: [String] = []

  @Option(
    help: ArgumentHelp("Let a recipient open the file. May be repeated.", valueName: "recipient"))
  var addRecipient: [String] = []

  @Flag(help: "Let a passphrase open the file, which is asked for at the terminal.")
  var addPassphrase = false

  @Option(help: ArgumentHelp("Let the passphrase in a file open the file.", valueName: "file"))
  var addPassphraseFile: String?

  @Option(
    name: .customLong("add-passphrase-fd"),
    help: ArgumentHelp(
      "Let a passphrase from a file descriptor open the file.", valueName: "number"))
  var addPassphraseDescriptor: Int32?

  @Option(help: ArgumentHelp("Shut out a key. May be repeated.", valueName: "file"))
  var removeKey: [String] = []

  @Option(help: ArgumentHelp("Shut out a recipient. May be repeated.", valueName: "recipient"))
  var removeRecipient: [String] = []

  @Option(
    help: ArgumentHelp(
      "Remove a slot, by its number from 0. May be repeated.", valueName: "number")
  )
  var removeSlot: [Int] = []

  @Flag(help: "Allow a passphrase beside other keys, although it is the weakest of them.")
  var allowMixed = false

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try PassphraseSource.requireOpen(addPassphraseDescriptor, "add-passphrase")
    }
  }

  /// Reads the recipients to add.
  func added() throws -> [SealRecipient] {
    let source = try PassphraseSource.chosen(
      asks: addPassphrase, file: addPassphraseFile, descriptor: addPassphraseDescriptor,
      "add-passphrase")
    return try RecipientReader.recipients(
      keys: addKey, recipients: addRecipient, passphrase: source)
  }

  /// Reads the recipients to remove, except those that the user names by slot.
  func removed() throws -> [SealRecipient] {
    try RecipientReader.recipients(keys: removeKey, recipients: removeRecipient, passphrase: nil)
  }

  var isGiven: Bool {
    !(addKey + addRecipient + removeKey + removeRecipient).isEmpty || !removeSlot.isEmpty
      || addPassphrase || addPassphraseFile != nil || addPassphraseDescriptor != nil
  }
}

extension SealRecipient {
  /// Whether both are the same key, identity or passphrase; the cost of a passphrase is not compared.
  func isSame(as other: SealRecipient) -> Bool {
    switch (self, other) {
    case (.key(let one), .key(let other)): one.isEqual(to: other)
    case (.x25519(let one), .x25519(let other)): one == other
    case (.passphrase(let one, _), .passphrase(let other, _)): one.isEqual(to: other)
    default: false
    }
  }
}

extension Failure {
  /// A file that replaces a signed one must be signed, unless the user gives that up.
  static func signatureWouldBeLost(of name: String) -> Failure {
    Failure(
      "\(name) is signed, and the signature would be lost: name the signing key by --sign, or give "
        + "--drop-signature.", .keyUnavailable)
  }

  /// A signature vouches for the content; anyone with a key may have written the content of an unsigned file.
  static func unsignedWouldBeSigned(_ name: String) -> Failure {
    Failure(
      "\(name) is not signed, so anyone with a key of it may have written its content: leave --sign out, or "
        + "give --sign-unsigned to sign it all the same.", .damaged)
  }

  /// Runs work on the slots of a file; a failure names the options of the tool that help.
  ///
  /// `canKeep` is true when the verb has an option that keeps a slot without its key.
  static func changingSlots<Result>(
    of name: String, canKeep: Bool, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as SealError {
      let slot = error.slotIndex.map { "slot \($0)" } ?? "a slot"
      switch error.code {
      case .missingRecipient:
        throw Failure(
          "\(slot) of \(name) was not named. Name its key or recipient, "
            + "\(canKeep ? "keep it by --keep-slot, " : "")or shut it out by --remove-slot; "
            + "\"keepsake inspect --header\" lists the slots.",
          .keyUnavailable)
      case .noSuchSlot:
        throw Failure(
          "\(name) has no slot for what was to be removed or kept; \"keepsake inspect --header\" lists "
            + "the slots, whose numbers begin with 0.", .keyUnavailable)
      case .signingKeyAbsent: throw signatureWouldBeLost(of: name)
      case .signatureAbsent: throw unsignedWouldBeSigned(name)
      default: throw error
      }
    }
  }
}

extension InputFile {
  /// The path and the summary of a sealed file, which can be changed in place; other input is refused.
  func sealedPath(for verb: String) throws(Failure) -> (path: String, summary: SealedFileSummary) {
    guard let path else {
      throw Failure(
        "Standard input has no name under which it could be replaced; name the file to \(verb).",
        .usage)
    }
    guard let summary else {
      throw Failure(
        "\(name) is an archive that is not sealed, so it has no keys to change; \"keepsake seal\" "
          + "seals it.", .usage)
    }
    return (path, summary)
  }

  /// Those of the keys that have a slot in the file, as recipients.
  ///
  /// The keys for a session's state include the app's key, which alone opens nothing.
  func recipients(opening path: String, _ keys: OpeningKeys, context: [UInt8]) throws
    -> [SealRecipient]
  {
    try keys.opening { identities in
      // One failure tells that none of the keys opens the file.
      _ = try SealedFile.open(path, with: identities, context: context)
    }
    return keys.held.filter { key in
      (try? SealedFile.open(path, with: [key.identity], context: context)) != nil
    }.map(\.recipient)
  }
}
