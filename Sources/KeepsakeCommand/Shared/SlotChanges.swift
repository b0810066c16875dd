import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Who is to open a file from now on, and who no longer.
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
      "Shut out whoever a slot is for, by its number from 0. May be repeated.", valueName: "number")
  )
  var removeSlot: [Int] = []

  @Flag(help: "Let a passphrase stand beside other keys, although it is the weakest of them.")
  var allowMixed = false

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try PassphraseSource.requireOpen(addPassphraseDescriptor, "add-passphrase")
    }
  }

  /// Those who are added.
  func added() throws -> [SealRecipient] {
    let source = try PassphraseSource.chosen(
      asks: addPassphrase, file: addPassphraseFile, descriptor: addPassphraseDescriptor,
      "add-passphrase")
    return try RecipientReader.recipients(
      keys: addKey, recipients: addRecipient, passphrase: source)
  }

  /// The keys that are shut out, without those of slots.
  func removed() throws -> [SealRecipient] {
    try RecipientReader.recipients(keys: removeKey, recipients: removeRecipient, passphrase: nil)
  }

  var isGiven: Bool {
    !(addKey + addRecipient + removeKey + removeRecipient).isEmpty || !removeSlot.isEmpty
      || addPassphrase || addPassphraseFile != nil || addPassphraseDescriptor != nil
  }
}

extension SealRecipient {
  /// Whether both are the same, as far as it can be told; the cost of a passphrase has no say in it.
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
  /// What replaces a signed file has to be signed, unless the user gives that up.
  static func signatureWouldBeLost(of name: String) -> Failure {
    Failure(
      "\(name) is signed, and the signature would be lost: name the signing key by --sign, or give "
        + "--drop-signature.", .keyUnavailable)
  }

  /// A signature vouches for the content of a file, and anyone with a key of it can have written one without.
  static func unsignedWouldBeSigned(_ name: String) -> Failure {
    Failure(
      "\(name) is not signed, so anyone with a key of it may have written its content: leave --sign out, or "
        + "give --sign-unsigned to sign it all the same.", .damaged)
  }

  /// Runs work on the slots of a file, and says in the words of the tool what is to be done about them.
  ///
  /// `canKeep` says whether a slot can stay as it is, for somebody who is not named.
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
          "Nobody was named for \(slot) of \(name). Name its key or recipient, "
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
  /// What can be changed in place: a sealed file with a path of its own.
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
  /// A session's state comes with the app's key, which opens nothing by itself.
  func recipients(opening path: String, _ keys: OpeningKeys, context: [UInt8]) throws
    -> [SealRecipient]
  {
    try keys.opening { identities in
      // One after the other; that all of them are wrong is told once.
      _ = try SealedFile.open(path, with: identities, context: context)
    }
    return keys.held.filter { key in
      (try? SealedFile.open(path, with: [key.identity], context: context)) != nil
    }.map(\.recipient)
  }
}
