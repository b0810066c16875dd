import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Makes keys, and prints the public side of existing ones.
struct KeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Makes a key, or prints the public side of one.",
    discussion: """
      A key file opens and seals. An identity opens files that others seal for its recipient, which is not \
      secret. A signing key tells who wrote a file; its signer is not secret. The key is a new file \
      with mode 0600; an existing file is never replaced. Keep a copy: without the key, sealed files cannot be \
      opened.

      Examples:
        keepsake keygen key my.key
        keepsake keygen key locked.key --passphrase
        keepsake keygen identity me.identity
        keepsake keygen recipient me.identity > me.txt
      """,
    subcommands: [Key.self, Identity.self, Recipient.self, SigningKey.self, Signer.self])
}

extension KeygenCommand {
  /// The new file, and the report of it.
  struct NewFile: ParsableArguments {
    @Argument(help: ArgumentHelp("The new file.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    /// The kind of a key file that a passphrase opens.
    static let keyUnderPassphrase = "key file under a passphrase"

    func making<Key>(_ make: () throws(SealError) -> Key) throws -> Key {
      try Failure.making(file, make)
    }

    func print(_ kind: String, _ publicSide: (name: String, text: String)? = nil) throws {
      let made =
        kind == Self.keyUnderPassphrase
        ? "Made the key file \(file.displayed), which its passphrase opens."
        : "Made the \(kind) \(file.displayed)."
      try output.print(
        after: made, publicSide.map { [$0.text] } ?? [made],
        json: [
          "made": .string(kind), "file": .string(file),
          publicSide?.name ?? "recipient": publicSide.map { .string($0.text) },
        ])
    }
  }

  struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a key file, under a passphrase if one is asked for.",
      discussion: """
        Examples:
          keepsake keygen key my.key
          keepsake keygen key locked.key --passphrase
        """)

    @OptionGroup var new: NewFile
    @OptionGroup var passphrase: PassphraseOptions

    @Flag(help: "Make a guess at the passphrase cost 64 MiB in place of 256, for small machines.")
    var constrained = false

    func run() throws {
      if let source = try passphrase.source {
        // A file that exists is refused before the user types a passphrase.
        if try DurableFile.kind(of: new.file) == .absent {
          let passphrase = try source.read(
            prompt: "Passphrase for the key file \(new.file)", isNew: true)
          _ = try new.making { () throws(SealError) in
            try SealKey.create(
              at: new.file, passphrase: passphrase, cost: constrained ? .constrained : .standard)
          }
          return try new.print(NewFile.keyUnderPassphrase)
        }
      }
      _ = try new.making { () throws(SealError) in try SealKey.create(at: new.file) }
      try new.print("key file")
    }
  }

  struct Identity: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes an identity, and prints its recipient.",
      discussion: """
        Examples:
          keepsake keygen identity me.identity > me.txt
        """)

    @OptionGroup var new: NewFile

    func run() throws {
      let identity = try new.making { () throws(SealError) in
        try X25519Identity.create(at: new.file)
      }
      try new.print("identity", ("recipient", "\(identity.recipient)"))
    }
  }

  struct Recipient: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the recipient of an identity.",
      discussion: """
        Examples:
          keepsake keygen recipient me.identity
        """)

    @Argument(
      help: ArgumentHelp("The file of the identity, or of several.", valueName: "file"),
      completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    func run() throws {
      var reader = KeyReader(nil, to: .open)
      let texts = try reader.identities(from: .path(file)).map { "\($0.recipient)" }
      try output.print(
        texts,
        json: [
          "recipient": texts.first.map { .string($0) },
          "recipients": texts.count > 1 ? .strings(texts) : nil,
        ])
    }
  }

  struct SigningKey: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "signing-key", abstract: "Makes a signing key, and prints its signer.",
      discussion: """
        Examples:
          keepsake keygen signing-key my.sign > my.signer
        """)

    @OptionGroup var new: NewFile

    func run() throws {
      let key = try new.making { () throws(SealError) in try SealSigningKey.create(at: new.file) }
      try new.print("signing key", ("signer", "\(key.signer)"))
    }
  }

  struct Signer: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the signer of a signing key.",
      discussion: """
        Examples:
          keepsake keygen signer my.sign
        """)

    @Argument(
      help: ArgumentHelp("The file of the signing key.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    func run() throws {
      let text = "\(try SigningOptions.key(at: file).signer)"
      try output.print([text], json: ["signer": .string(text)])
    }
  }
}
