import ArgumentParser
import CommandSupport
import Keepsake

// Each kind of options declares these anew. As option groups inside of option groups, debug builds of ArgumentParser
// would check them four times as often for each level, which took most of the time of a launch.

/// Options for a passphrase.
///
/// It is never an argument, since other users of the machine can read arguments.
protocol PassphraseNaming: ParsableArguments {
  var passphrase: Bool { get }
  var passphraseFile: String? { get }
  var passphraseDescriptor: Int32? { get }
}

extension PassphraseNaming {
  /// The source of the passphrase; nil when the user has named none.
  var passphraseSource: PassphraseSource? {
    get throws(Failure) {
      try PassphraseSource.chosen(
        asks: passphrase, file: passphraseFile, descriptor: passphraseDescriptor, "passphrase")
    }
  }

  func requireOpenPassphrase() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try PassphraseSource.requireOpen(passphraseDescriptor, "passphrase")
    }
  }
}

/// Options for key files and their passphrase, with which a verb opens or seals.
protocol KeyNaming: PassphraseNaming {
  var key: [String] { get }
  var keyDescriptor: [Int32] { get }
}

extension KeyNaming {
  /// The places of the keys.
  var keySources: [KeySource] {
    key.map { .path($0) } + keyDescriptor.map { .descriptor($0) }
  }

  /// Refuses descriptors that are not open, before the tool opens descriptors of those numbers.
  func requireOpen() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      for source in keySources { try source.requireOpen() }
    }
    try requireOpenPassphrase()
  }

  /// Reads the secrets that read a journal.
  func identitiesOfKeys() throws -> [SealIdentity] {
    guard !keySources.isEmpty else {
      throw Failure("Name the key that reads the journal: --key FILE.", .usage)
    }
    var reader = KeyReader(try passphraseSource, to: .open)
    return try keySources.flatMap { try reader.keys(from: $0).map(\.identity) }
  }
}

extension ArgumentHelp {
  static let key = ArgumentHelp(
    "A key: a key file, with or without a passphrase, or a file of identities. May be repeated.",
    valueName: "file")
  static let keyDescriptor = ArgumentHelp(
    "A key that is read from an open file descriptor. May be repeated.", valueName: "number")
  static let passphrase = ArgumentHelp("Ask for a passphrase at the terminal.")
  static let passphraseFile = ArgumentHelp(
    "Read the passphrase from a file; a line end after it does not count.", valueName: "file")
  static let passphraseDescriptor = ArgumentHelp(
    "Read the passphrase from an open file descriptor.", valueName: "number")
}
