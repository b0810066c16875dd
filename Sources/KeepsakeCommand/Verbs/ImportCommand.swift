import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Makes an archive of JSON or of a property list.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes an archive of JSON or of a property list, sealed if keys are named.",
    discussion: """
      The names of an object become keys of a record, whole numbers integers of 64 bits, or of 128 if they need \
      them, and other numbers doubles. An array of numbers of both kinds becomes one of doubles. Dates, bytes and \
      real numbers of a property list stay what they are. Anything else becomes the value of the key "value". \
      A number that would lose its value is refused.

      With --as value the file is one that SealedValue and SealedValueStore load, as they save it: sealed, with the value \
      under the key "value".

      Examples:
        keepsake import settings.json -o settings.archive
        keepsake import settings.plist --as value --key my.key -o settings.sealed
        curl -s https://example.org/list.json | keepsake import -o list.archive
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, plist
  }

  enum Content: String, CaseIterable, ExpressibleByArgument {
    case archive, value
  }

  @Argument(
    help: ArgumentHelp(
      "The file to read; without it, or with -, standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(help: "The format of the file; by default its first bytes tell.")
  var format: Format?

  @Option(
    name: .customLong("as"),
    help:
      "Make an archive of one object, or the file of a value that SealedValue and SealedValueStore load."
  )
  var content = Content.archive

  @Option(
    help: ArgumentHelp(
      "The purpose that the app gives the key of the value, if it gives one.", valueName: "text"))
  var purpose: String?

  @Option(
    help: ArgumentHelp(
      "The type of the one object that is made; by default Imported.", valueName: "name"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "The bundle version that the archive says it was written by.", valueName: "version"),
    transform: BundleVersion.init)
  var bundleVersion: BundleVersion?

  @OptionGroup var keys: SealingOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try ByteStream.requireOpen(for: file ?? "-")
    }
  }

  func run() throws {
    let path = try destination.path(for: "An archive")
    let isSealed = try keys.isGiven
    guard isSealed || signing.sign == nil else {
      throw Failure("Only a sealed file can be signed; say whom to seal for.", .usage)
    }
    guard content == .value || purpose == nil else {
      throw Failure("Only a value has a purpose; give --as value with --purpose.", .usage)
    }
    guard content == .archive || type == nil else {
      throw Failure("A value has no type of its own; leave --type out.", .usage)
    }
    guard content == .archive || isSealed else {
      throw Failure(
        "The file of a value is sealed; say whom to seal it for: --key FILE, --recipient RECIPIENT or --passphrase.",
        .usage)
    }
    let recipients = isSealed ? try keys.recipients() : []
    var options = keys.options
    options.signingKey = try signing.key
    if content == .value {
      options.context = ValuePurpose(name: purpose ?? "").context
      options.publicMetadata = options.context
    }
    let archive = try self.archive()
    try Interruption.whileWriting {
      if !isSealed {
        let output = Output(to: path)
        try output.write(bytes: archive)
        try output.finish()
      } else if let path, path != OutputPath.nothing {
        try SealedFile.seal(archive.span, to: path, for: recipients, options: options)
      } else {
        try Scratch.writing(to: path) {
          try SealedFile.seal(archive.span, to: $0, for: recipients, options: options)
        }
      }
    }
  }

  private func archive() throws -> [UInt8] {
    let file = try ByteStream.argument(file)
    let name = file == "-" ? "standard input" : file
    let bytes = try NamedInput(file).bytes(upTo: InputFile.largestInMemory)
    // A file of SealedValueStore has the version of its values, which begins with 1.
    let version = bundleVersion?.text ?? (content == .value ? "1" : nil)
    var document = ArchiveDocument(reserved: ReservedValues(bundleVersion: version))
    let value: DynamicValue
    switch format ?? Self.format(of: bytes) {
    case .json: value = try DynamicValue(try JSONParser.parse(bytes, from: name), from: name)
    case .plist: value = try PropertyList.parse(bytes, from: name)
    }
    let record = record(of: value)
    do throws(ArchiveError) {
      document.rootID = try document.insert(record.withDictionaries())
      return try document.encoded()
    } catch {
      guard error.code == .limitExceeded else { throw error }
      throw Failure(
        "\(name) goes beyond what an archive may hold: \(error.message). Nest it less, or split it.",
        .damaged)
    }
  }

  /// The object of the archive: the value itself if it has keys, otherwise one with the value under a key.
  private func record(of value: DynamicValue) -> DynamicRecord {
    if content == .archive, case .record(var record) = value {
      record.typeName = type ?? "Imported"
      return record
    }
    return DynamicRecord(
      typeName: content == .value ? CodableArchive.typeName : type ?? "Imported",
      fields: [.init(key: "value", value: value)])
  }

  /// A property list begins with its own signature, or as XML does.
  private static func format(of bytes: [UInt8]) -> Format {
    let first = bytes.first { !TextCursor.isBlank($0) && ![0xEF, 0xBB, 0xBF].contains($0) }
    return bytes.starts(with: "bplist".utf8) || first == UInt8(ascii: "<") ? .plist : .json
  }
}
