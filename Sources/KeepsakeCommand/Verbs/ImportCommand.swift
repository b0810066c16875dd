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
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, plist
  }

  @Argument(help: ArgumentHelp("The file to read, or - for standard input.", valueName: "file"))
  var file: String

  @Option(help: "The format of the file; by default its first bytes tell.")
  var format: Format?

  @Option(help: ArgumentHelp("The type of the one object that is made.", valueName: "name"))
  var type = "Imported"

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
      try StandardInput.requireOpen(for: file)
    }
  }

  func run() throws {
    let path = try destination.path(for: "An archive")
    let isSealed = try keys.isGiven
    guard isSealed || signing.sign == nil else {
      throw Failure("Only a sealed file can be signed; say whom to seal for.", .usage)
    }
    let recipients = isSealed ? try keys.recipients() : []
    var options = keys.options
    options.signingKey = try signing.key
    let archive = try self.archive()
    try Interruption.whileWriting {
      if !isSealed, let path {
        try DurableFile.replace(at: path, with: archive.span)
      } else if !isSealed {
        let output = Output()
        try output.write(bytes: archive)
        try output.flush()
      } else if let path {
        try SealedFile.seal(archive.span, to: path, for: recipients, options: options)
      } else {
        try Scratch.writingToOutput {
          try SealedFile.seal(archive.span, to: $0, for: recipients, options: options)
        }
      }
    }
  }

  private func archive() throws -> [UInt8] {
    let name = file == "-" ? "standard input" : file
    let bytes =
      try file == "-"
      ? StandardInput.readPlain(upTo: InputFile.largestInMemory)
      : DurableFile.read(at: file, upTo: InputFile.largestInMemory)
    var document = ArchiveDocument(
      reserved: ReservedValues(bundleVersion: bundleVersion?.text))
    let record: DynamicRecord
    switch format ?? Self.format(of: bytes) {
    case .json:
      let json = try JSONParser.parse(bytes, from: name)
      record = try DynamicRecord(json, typeName: type, from: name)
    case .plist:
      let value = try PropertyList.parse(bytes, from: name)
      if case .record(var dictionary) = value {
        dictionary.typeName = type
        record = dictionary
      } else {
        record = DynamicRecord(typeName: type, fields: [.init(key: "value", value: value)])
      }
    }
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

  /// A property list begins with its own signature, or as XML does.
  private static func format(of bytes: [UInt8]) -> Format {
    let first = bytes.first { !TextCursor.isBlank($0) && ![0xEF, 0xBB, 0xBF].contains($0) }
    return bytes.starts(with: "bplist".utf8) || first == UInt8(ascii: "<") ? .plist : .json
  }
}
