import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The recipients that are added to a file, and those that are removed.
struct SlotChangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Let a key open the file: a key file or an identity. May be repeated.", valueName: "file"),
    completion: .file())
  var addKey: [String] = []

  @Option(
    help: ArgumentHelp("Let a recipient open the file. May be repeated.", valueName: "recipient"),
    completion: .file())
  var addRecipient: [String] = []

  @Flag(help: "Let a passphrase open the file, which is asked for at the terminal.")
  var addPassphrase = false

  @Option(
    help: ArgumentHelp("Let the passphrase in a file open the file.", valueName: "file"),
    completion: .file())
  var addPassphraseFile: String?

  @Option(
    name: .customLong("add-passphrase-fd"),
    help: ArgumentHelp(
      "Let a passphrase from a file descriptor open the file.", valueName: "number"))
  var addPassphraseDescriptor: Int32?

  @Option(
    help: ArgumentHelp("Shut out a key. May be repeated.", valueName: "file"),
    completion: .file())
  var removeKey: [String] = []

  @Option(
    help: ArgumentHelp("Shut out a recipient. May be repeated.", valueName: "recipient"),
    completion: .file())
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
      for path in addKey + removeKey { try KeySource.path(path).requireOpen() }
    }
  }

  func added() throws -> [SealRecipient] {
    let source = try PassphraseSource.chosen(
      prompts: addPassphrase, file: addPassphraseFile, descriptor: addPassphraseDescriptor,
      "add-passphrase")
    return try RecipientReader.recipients(
      keys: addKey.map { .path($0) }, recipients: addRecipient, passphrase: source)
  }

  /// Reads the recipients to remove, except those that the user names by slot.
  func removed() throws -> [SealRecipient] {
    try RecipientReader.recipients(
      keys: removeKey.map { .path($0) }, recipients: removeRecipient, passphrase: nil)
  }

  var isGiven: Bool {
    !(addKey + addRecipient + removeKey + removeRecipient).isEmpty || !removeSlot.isEmpty
      || addPassphrase || addPassphraseFile != nil || addPassphraseDescriptor != nil
  }
}

extension SealRecipient {
  /// True when both are the same key, identity or passphrase; the cost of a passphrase is not compared.
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
  /// A file that replaces a signed one must be signed, unless the user gives up the signature.
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

  /// The failure of a change that would leave a file with slots that it cannot have.
  private static func slotsRefused(of name: String, _ error: SealError) -> Failure {
    if error.detail.contains("allowsMixedPassphrase") { return .mixedPassphrase }
    if error.detail.hasPrefix("0 keys") {
      return Failure(
        "This would shut out the last key of \(name), and nothing could open it any more. Add another key in the same "
          + "command, or delete the file.", .usage)
    }
    return Failure(
      "The slots of \(name) cannot be changed like this (\(error.detail)); a file has at most 32 keys, each once. "
        + "\"keepsake inspect --header\" lists the slots.", .usage)
  }

  /// Runs work on the slots of a file; a failure names the options of the tool that help.
  ///
  /// `canKeep` is true when the verb has an option that keeps a slot without its key, `canRemove` when it has one that
  /// removes a slot.
  static func changingSlots<Result>(
    of name: String, canKeep: Bool, canRemove: Bool = true, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as SealError {
      let slot = error.slotIndex.map { "slot \($0)" } ?? "a slot"
      switch error.code {
      case .missingRecipient:
        throw Failure(
          "\(slot) of \(name) was not named. Name its key or recipient"
            + (canKeep ? ", keep it by --keep-slot" : "")
            + (canRemove ? ", or shut it out by --remove-slot; " : " by --key or --recipient; ")
            + "\"keepsake inspect --header\" lists the slots.",
          .keyUnavailable)
      case .noSuchSlot:
        throw Failure(
          "\(name) has no slot for what was to be removed or kept; \"keepsake inspect --header\" lists "
            + "the slots, whose numbers begin with 0.",
          error.slotIndex == nil ? .keyUnavailable : .usage)
      case .invalidKeys: throw slotsRefused(of: name, error)
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
    let path = try replaceablePath(for: verb)
    guard let summary else {
      throw Failure(
        "\(name) is an archive that is not sealed, so it has no keys to change; \"keepsake seal\" "
          + "seals it.", .usage)
    }
    return (path, summary)
  }

  /// The path of a file that a verb replaces; a link, a pipe and a text form are refused.
  func replaceablePath(for verb: String) throws(Failure) -> String {
    if let path, given == nil { return path }
    if let path {
      throw Failure(
        "\(name) is a symbolic link, and a changed file would take the place of the link. Name the file that it leads to, "
          + "\"\(path)\".", .usage)
    }
    if isRemote {
      throw Failure(
        "\(name) is an address, and \(verb) changes files on this machine. Fetch the file, change it, and put it back.",
        .usage)
    }
    guard given == nil else {
      throw Failure(
        "\(name) is a pipe or the text form of a sealed file, so it cannot be changed in place; put the sealed file "
          + "itself into a file, and name that to \(verb).", .usage)
    }
    throw Failure(
      "Standard input has no name under which it could be replaced; name the file to \(verb).",
      .usage)
  }

  /// The keys that have a slot in the file, as recipients.
  ///
  /// The keys for a session's state include the app's key, which alone opens nothing.
  func recipients(opening path: String, _ keys: inout OpeningKeys, context: [UInt8]) throws
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
