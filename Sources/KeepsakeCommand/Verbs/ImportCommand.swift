import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Makes an archive of JSON, of a property list or of an archive of `NSKeyedArchiver`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Makes an archive of JSON, a property list or a file of NSKeyedArchiver, sealed if keys are named.",
    discussion: """
      The names of an object become keys of a record, whole numbers integers of 64 bits, or of 128 if they need \
      them, and other numbers doubles. An array of numbers of both kinds becomes one of doubles. Dates, bytes and \
      real numbers of a property list stay what they are. Anything else becomes the value of the key "value". \
      A number that would lose its value is refused.

      Each object of a file that NSKeyedArchiver wrote becomes an object of its class's name, with the keys that it \
      was encoded under; --rename gives the type another name, and --list-classes prints the names. The article \
      "From NSKeyedArchiver" says what becomes of the classes of Foundation.

      With --format typed or typed-lines the file is what "export" prints in that format, and becomes the archive again \
      with its types, versions and references. These formats are never guessed from the content.

      With --as value the file is one that SealedValue and SealedValueStore load, as they save it: sealed, with the value \
      under the key "value".

      Examples:
        keepsake import settings.json -o settings.archive
        keepsake import settings.plist --as value --key my.key -o settings.sealed
        keepsake export old --format typed | keepsake import --format typed -o new
        curl -s https://example.org/list.json | keepsake import -o list.archive
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, plist, keyed, typed
    case typedLines = "typed-lines"
  }

  enum Content: String, CaseIterable, ExpressibleByArgument {
    case archive, value
  }

  @Argument(
    help: ArgumentHelp(
      "The file to read; without it, or with -, standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: "The format of the file; by default its content tells whether it is json, plist or keyed."
  )
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
      "The type of the object that is made of a document, or of the values at the top of a keyed archive.",
      valueName: "name"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "Another name for the type that is made of a class of a keyed archive; may be repeated.",
      valueName: "class=type"))
  var rename: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Print the classes of a keyed archive, how many objects each has, and their keys; write nothing."
    ))
  var listClasses = false

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
    if listClasses { return try printClasses() }
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
    guard !isTyped || content == .archive && type == nil && bundleVersion == nil else {
      throw Failure(
        "An archive as JSON states its types and its versions; leave --as, --type and --bundle-version out.",
        .usage)
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

  private var isTyped: Bool { format == .typed || format == .typedLines }

  private var name: String { file.map { $0 == "-" ? "standard input" : $0 } ?? "standard input" }

  private func input() throws -> [UInt8] {
    try NamedInput(ByteStream.argument(file)).bytes(upTo: InputFile.inMemoryLimit)
  }

  private func archive() throws -> [UInt8] {
    let bytes = try input()
    let format = self.format ?? Self.format(of: bytes)
    let names = try typeNames()
    guard format == .keyed || names.isEmpty else {
      throw Failure(
        "\(name) is not an archive of NSKeyedArchiver, so it has no classes for --rename.", .usage)
    }
    guard format != .keyed || content == .archive else {
      throw Failure(
        "\(name) is an archive of NSKeyedArchiver, which becomes objects and not one value; leave --as value out.",
        .usage)
    }
    do {
      return try archive(of: bytes, format, names)
    } catch let error as ArchiveError where error.code == .limitExceeded {
      throw Failure(
        "\(name) goes beyond what an archive may hold: \(error.message). Nest it less, or split it.",
        .damaged)
    }
  }

  private func archive(
    of bytes: [UInt8], _ format: Format, _ names: [String: String]
  ) throws -> [UInt8] {
    switch format {
    case .keyed: return try imported(bytes, typeNames: names).document.encoded()
    case .typed: return try TypedJSONReader.archive(bytes, from: name)
    case .typedLines: return try TypedJSONReader.archive(lines: bytes, from: name)
    case .json, .plist: break
    }
    // A file of SealedValueStore has the version of its values, which begins with 1.
    let version = bundleVersion?.text ?? (content == .value ? "1" : nil)
    let reserved = ReservedValues(bundleVersion: version)
    let typeName = content == .value ? CodableArchive.typeName : type ?? "Imported"
    if format == .json {
      return try JSONParser.document(bytes, from: name).archive(
        typeName: typeName, isValue: content == .value, reserved: reserved, from: name)
    }
    var document = ArchiveDocument(reserved: reserved)
    document.rootID = try document.insert(
      record(of: try propertyList(bytes), typeName).withDictionaries())
    return try document.encoded()
  }

  /// The object of the archive: the value itself if it has keys, otherwise one with the value under a key.
  private func record(of value: DynamicValue, _ typeName: String) -> DynamicRecord {
    if content == .archive, case .record(var record) = value {
      record.typeName = typeName
      return record
    }
    return DynamicRecord(typeName: typeName, fields: [.init(key: "value", value: value)])
  }

  private func propertyList(_ bytes: [UInt8]) throws(Failure) -> DynamicValue {
    do throws(ImportError) {
      return try PropertyList.value(of: bytes)
    } catch {
      throw Failure(error, in: name, "is not a property list that can be read")
    }
  }

  // MARK: - Keyed archives

  private func imported(
    _ bytes: [UInt8], typeNames: [String: String]
  ) throws(Failure) -> ImportedArchive {
    var options = ImportOptions()
    options.typeNames = typeNames
    options.topTypeName = type ?? "Imported"
    options.reserved = ReservedValues(bundleVersion: bundleVersion?.text)
    let imported: ImportedArchive
    do throws(ImportError) {
      imported = try ImportedArchive(bytes, options: options)
    } catch {
      throw Failure(error, in: name, "is not an archive of NSKeyedArchiver that can be read")
    }
    try requireClasses(typeNames.keys.sorted(), of: imported)
    return imported
  }

  /// Refuses a new name for a class that the archive has no objects of.
  private func requireClasses(
    _ renamed: [String], of imported: ImportedArchive
  ) throws(Failure) {
    let classes = imported.classes.map(\.name)
    guard let absent = renamed.first(where: { !classes.contains($0) }) else { return }
    // The name of a class in Swift begins with that of its module.
    let nearest =
      classes.first { $0.hasSuffix(".\(absent)") } ?? Suggestion.nearest(to: absent, in: classes)
    throw Failure(
      "\(name) has no object of the class \"\(absent.shortened)\", which --rename names; "
        + (nearest.map { "did you mean \"\($0)\"? " } ?? "") + "--list-classes prints the classes.",
      .usage)
  }

  private func typeNames() throws(Failure) -> [String: String] {
    var names: [String: String] = [:]
    for text in rename {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw Failure(
          "\"\(text.shortened)\" is not the name of a class, an equals sign and the name of a type.",
          .usage)
      }
      guard names.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
        throw Failure("--rename names the class \(String(parts[0]).shortened) twice.", .usage)
      }
    }
    return names
  }

  private func printClasses() throws {
    let imported = try self.imported(input(), typeNames: typeNames())
    try Output.print(
      imported.classes.map { imported in
        let name =
          imported.name == imported.typeName
          ? imported.name : "\(imported.name) as \(imported.typeName)"
        let count = imported.objectCount == 1 ? "1 object" : "\(imported.objectCount) objects"
        let keys = imported.keys.isEmpty ? "no keys" : imported.keys.joined(separator: ", ")
        return "\(name), \(count): \(keys)".displayed
      })
  }

  /// A property list begins with its own signature, or as XML does; that of an archive has references.
  private static func format(of bytes: [UInt8]) -> Format {
    let first = bytes.first { !TextCursor.isBlank($0) && ![0xEF, 0xBB, 0xBF].contains($0) }
    guard bytes.starts(with: "bplist".utf8) || first == UInt8(ascii: "<") else { return .json }
    return ImportedArchive.isKeyedArchive(bytes) ? .keyed : .plist
  }
}
