import ArgumentParser
import CommandSupport
import Keepsake

/// Changes one value of an archive.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Changes one value of an archive, durably.",
    discussion: """
      PATH is as "get" takes it. VALUE gets the type of the value that is there, such as an integer of 16 bits, a date in \
      ISO 8601 or bytes in base 64; for a list, a dictionary or a key that is not there yet it is JSON, or else a text. A \
      type that does not fit is refused. The file is replaced as a whole or not at all.

      A sealed file is sealed anew, for the keys that open it now, and its generation rises. Each slot has to be named, \
      by --key or by --recipient. A file of SealedValueStore is changed under the lock of the store.

      Examples:
        keepsake set settings.sealed fontSize 14 --key my.key
        keepsake set archive 'contacts[0].name' Ada
        keepsake set archive tags '["work", "home"]'
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Argument(help: ArgumentHelp("The path of the value.", valueName: "path"))
  var path: String

  @Argument(help: ArgumentHelp("The new value.", valueName: "value"))
  var value: String

  @Flag(help: "Take VALUE as a text, even if it could be JSON.")
  var text = false

  @OptionGroup var sealing: EditingOptions

  func run() throws {
    let steps = try ValuePath(path)
    var isNew = false
    try sealing.edit(input, with: opening) { editor in
      try editor.change(steps) { old in
        isNew = old == nil
        return try NewValue(value, isText: text).value(replacing: old)
      }
    }
    // A key with a typing error is added like any other.
    if isNew {
      Message.show(
        "There was no \(path.shortened), so it was added; \"keepsake unset\" removes it.")
    }
  }
}

/// Removes one value of an archive.
struct UnsetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Removes one value of an archive, durably.",
    discussion: """
      PATH is as "get" takes it: a key of a record or a dictionary, or an element of an array. Keys and files are treated \
      as "set" treats them.

      Examples:
        keepsake unset settings.sealed fontSize --key my.key
        keepsake unset archive 'contacts[3]'
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Argument(help: ArgumentHelp("The path of the value.", valueName: "path"))
  var path: String

  @OptionGroup var sealing: EditingOptions

  func run() throws {
    let steps = try ValuePath(path)
    guard !steps.steps.isEmpty else {
      throw Failure("An object is not removed as a whole; name a value in it.", .usage)
    }
    try sealing.edit(input, with: opening) { editor in
      try editor.change(steps) { old in
        guard old != nil else { throw ArchiveEditor.Absent() }
        return nil
      }
    }
  }
}

/// The options of a change of a sealed file.
struct EditingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A recipient that can open the file and stays, besides the given keys. May be repeated.",
      valueName: "recipient"),
    completion: .file())
  var recipient: [String] = []

  @OptionGroup var signing: ResigningOptions

  /// Changes the archive in a file; nothing is written where nothing changes.
  func edit(
    _ input: InputOptions, with opening: OpeningOptions,
    _ body: (inout ArchiveEditor) throws -> Void
  ) throws {
    let file = try input.look()
    let path = try file.replaceablePath(for: "change")
    guard let summary = file.summary else {
      guard let bytes = try Self.edited(try file.archive(in: nil), body) else { return }
      return try Interruption.whileWriting { try DurableFile.change(at: path, to: bytes) }
    }
    let isStore = ValuePurpose.isStated(by: summary.publicMetadata)
    let lock = isStore ? try lock(besides: path) : nil
    defer { withExtendedLifetime(lock) {} }
    var keys = try opening.keys(for: summary, at: path)
    let context = input.contextBytes(of: summary)
    let present = try file.recipients(opening: path, &keys, context: context)
    let others = try recipient.flatMap(RecipientReader.recipients).map { SealRecipient.x25519($0) }
    let stay = present + others.filter { new in !present.contains { $0.isSame(as: new) } }
    let signer = try signing.key
    try Failure.changingSlots(of: file.name, canKeep: false, canRemove: false) {
      try Interruption.whileWriting {
        try keys.opening { identities in
          try SealedFile.replaceContent(
            of: path, with: identities, for: stay, signingKey: signer,
            dropsSignature: signing.dropSignature, signsUnsigned: signing.signUnsigned,
            context: context
          ) { content in
            (try Self.edited(try file.archive(of: content), body), ())
          }
        }
      }
    }
  }

  /// The lock of `SealedValueStore`: its own writers wait, and see the change.
  private func lock(besides path: String) throws(SealError) -> FileLock {
    try callingFiles { () throws(FileError) in
      try FileLock(at: path + ".lock", patience: .seconds(5))
    }
  }

  /// The archive after a change; nil when nothing changes.
  private static func edited(
    _ archive: Archive, _ body: (inout ArchiveEditor) throws -> Void
  ) throws -> [UInt8]? {
    var editor = try ArchiveEditor(archive)
    try body(&editor)
    return try editor.encoded()
  }
}

struct NewValue {
  private let text: String
  private let isText: Bool

  init(_ text: String, isText: Bool) { (self.text, self.isText) = (text, isText) }

  /// The new value, with the type of the old one; `old` is nil when there is no value yet.
  func value(replacing old: DynamicValue?) throws -> DynamicValue {
    if isText { return .string(text) }
    switch old {
    case .string?: return .string(text)
    case .bool?:
      guard text == "true" || text == "false" else { throw mismatch("true or false") }
      return .bool(text == "true")
    case .signed(_, let width)?:
      guard let number = Int64(text), number.fits(width) else {
        throw mismatch("an integer of \(width) bits")
      }
      return .signed(number, bitWidth: width)
    case .unsigned(_, let width)?:
      guard let number = UInt64(text), width == 64 || number < 1 << UInt64(width) else {
        throw mismatch("an unsigned integer of \(width) bits")
      }
      return .unsigned(number, bitWidth: width)
    case .int128?:
      guard let number = Int128(text) else { throw mismatch("an integer of 128 bits") }
      return .int128(number)
    case .uint128?:
      guard let number = UInt128(text) else { throw mismatch("an unsigned integer of 128 bits") }
      return .uint128(number)
    case .double?: return .double(try real())
    case .float?:
      let number = Float(try real())
      guard number.isFinite else { throw mismatch("a number of 32 bits") }
      return .float(number)
    case .date?:
      guard let date = ArchiveDate(text: text) else {
        throw mismatch("a date such as 2026-01-31T12:00:00Z")
      }
      return .date(date)
    case .bytes?:
      guard let bytes = PropertyList.bytes(base64: text) else { throw mismatch("bytes in base 64") }
      return .bytes(bytes)
    case .uuid?:
      guard let value = ArchiveUUID(text: text) else { throw mismatch("a UUID") }
      return .uuid(value)
    case .url?:
      return .url(ArchiveURL(text))
    case .null?, .array?, .set?, .dictionary?, .record?, nil: return try json()
    case .float16?, .enumeration?, .reference?, .conditionalReference?, .unknown?:
      throw Failure(
        "A value of type \(old?.typeDescription ?? "nil") cannot be set; set a value in it, or change it in its app.",
        .usage)
    }
  }

  private func real() throws(Failure) -> Double {
    do throws(Double.DecimalFailure) {
      return try Double(decimal: text)
    } catch {
      throw mismatch("a number")
    }
  }

  /// The value of the JSON; a text that is not JSON is the value itself.
  private func json() throws(Failure) -> DynamicValue {
    let name = "the value"
    guard let json = try? JSONParser.parse(Array(text.utf8), from: name) else {
      return .string(text)
    }
    return try DynamicValue(json, from: name)
  }

  private func mismatch(_ wanted: String) -> Failure {
    Failure(
      "The value there is \(wanted), and \"\(text.shortened)\" is not; give one, or --text for a text.",
      .usage)
  }
}

extension Int64 {
  /// True when the number fits a signed integer of fewer bits.
  fileprivate func fits(_ bitWidth: Int) -> Bool {
    let shift = 64 - bitWidth
    return (self << shift) >> shift == self
  }
}
