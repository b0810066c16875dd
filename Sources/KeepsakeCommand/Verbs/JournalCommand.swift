import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Sealed journals: encrypted lists of entries that grow.
struct JournalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Appends to an encrypted journal, prints its entries, follows and verifies it.",
    discussion: """
      A journal is a directory of files. Appending needs only the public keys of the recipients.

      Examples:
        keepsake journal append log --recipient keepsake1... < lines
        keepsake journal cat log --key me.identity --last 20 --follow
        keepsake journal verify log --key me.identity
      """,
    subcommands: [Append.self, Print.self, Rotate.self, Verify.self])
}

extension JournalCommand {
  struct Directory: ParsableArguments {
    @Argument(
      help: ArgumentHelp("The directory of the journal.", valueName: "dir"),
      completion: .directory)
    var directory: String

    /// The address, where the user has named one in place of a directory.
    var address: RemoteAddress? { RemoteAddress(directory) }

    /// The path of the directory; throws when it is an address.
    func path() throws -> String {
      guard let address else { return directory }
      throw Failure(
        "\(address.shown) is an address, which only \"keepsake journal cat\" takes; name a directory.",
        .usage)
    }

    /// The path of the directory; throws when it does not exist.
    func existing() throws -> String {
      let directory = try path()
      guard try DurableFile.kind(of: directory) == .directory else {
        throw Failure(
          "There is no journal in \(directory): it is not a directory. Check the path.", .noInput)
      }
      return directory
    }
  }

  /// The keys that read a journal.
  struct ReadingOptions: ParsableArguments {
    @OptionGroup var keyFiles: KeyFileOptions
    @OptionGroup var passphrase: PassphraseOptions

    /// The journal in a directory that exists, with the keys that were named.
    func journal(in directory: Directory) throws -> JournalDirectory {
      try JournalDirectory(directory.existing(), with: keys)
    }

    /// The keys that were named.
    var keys: JournalKeys {
      get throws {
        JournalKeys(recipients: [], identities: try keyFiles.identities(passphrase))
      }
    }
  }

  /// The options for appending to a journal; a verb also has ``SealingOptions``, with the recipients.
  struct WritingOptions: ParsableArguments {
    @Option(help: "How many seconds to wait for another writer that has the journal open.")
    var wait = 0

    /// Opens the journal for appending entries that are bytes.
    func journal(at directory: String, for keys: SealingOptions) throws -> Journal<[UInt8]> {
      let recipients = try keys.recipients()
      for case .passphrase in recipients {
        throw Failure(
          "A journal takes no passphrase, because each opening would have to derive a key from it; make a key file "
            + "under a passphrase by \"keepsake keygen key --passphrase FILE\", and name that.",
          .usage)
      }
      return try Journal.open(
        at: directory, for: JournalKeys(recipients: recipients), as: .bytes(),
        options: JournalOptions(patience: .seconds(max(0, wait))))
    }
  }

  struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Appends the lines of standard input, one entry for each.",
      discussion: """
        Lines that are there at once share one write, and are durable before the next ones are read. A last line without \
        an end is an entry, too. When it is stopped, the lines that it had read are in the journal.

        Examples:
          keepsake journal append log --recipient keepsake1... < lines
          tail -F app.log | keepsake journal append log --key my.key
        """)

    @OptionGroup var directory: Directory
    @OptionGroup var keys: SealingOptions
    @OptionGroup var writing: WritingOptions

    func run() throws {
      try ByteStream.requireOpen(for: "-")
      let journal = try writing.journal(at: directory.path(), for: keys)
      var lines = LineSplitter()
      while true {
        let piece = try ByteStream.standardInput.read(upTo: 1 << 18)
        let entries = piece.isEmpty ? lines.finish() : lines.take(piece)
        if !entries.isEmpty {
          _ = try Interruption.whileWriting { try journal.append(contentsOf: entries) }
        }
        if piece.isEmpty || lines.isTooLong { break }
      }
      try journal.close()
      guard !lines.isTooLong else {
        throw Failure(
          "Line \(lines.count + 1) of standard input has more than 16 MiB, and an entry has no more; split it. The "
            + "lines before it were appended.", .damaged)
      }
    }
  }

  /// Splits what is read into lines, up to one that is too long for an entry.
  struct LineSplitter {
    /// The beginning of a line whose end was not read yet.
    private var rest: [UInt8] = []
    /// The number of lines that were split off.
    private(set) var count = 0
    /// True when the next line has more bytes than an entry may have.
    private(set) var isTooLong = false

    /// Takes a piece; returns the lines that end in it.
    mutating func take(_ piece: [UInt8]) -> [[UInt8]] {
      var lines: [[UInt8]] = []
      for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if part.startIndex > 0 {
          lines.append(rest)
          rest = []
        }
        rest += part
        if rest.count > JournalRecord.maximumContentLength {
          isTooLong = true
          break
        }
      }
      count += lines.count
      return lines
    }

    /// The last line, when it has no end.
    mutating func finish() -> [[UInt8]] {
      let last = rest
      rest = []
      count += last.isEmpty ? 0 : 1
      return last.isEmpty ? [] : [last]
    }
  }

  struct Print: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cat",
      abstract: "Prints the entries of a journal, one in each line.",
      discussion: """
        Entries that are archives are printed as JSON, and others as they are. With --json each line is an object with the \
        number, the time and the type of an entry. A time is 2026-11-26, or 2026-11-26T22:00:00Z. Printing stops at damage, \
        with its place; --skip-damage continues after it, and says on standard error how many entries are missing. A journal \
        below an address with s3:// is fetched in parts, and only those that are needed.

        Examples:
          keepsake journal cat log --key my.key
          keepsake journal cat log --key my.key --last 20 --follow
          keepsake journal cat log --key my.key --since 2026-11-26 --json
        """)

    @OptionGroup var directory: Directory
    @OptionGroup var reading: ReadingOptions

    @Option(help: "The number of the first entry; the first of a journal is 0.")
    var from: UInt64?

    @Option(
      help: ArgumentHelp("The time of the first entry, by the writer's clock.", valueName: "time"))
    var since: String?

    @Option(help: "Begin with the last entries, this many of them.")
    var last: UInt64?

    @Flag(help: "Wait for new entries, also those of other processes, until ^C.")
    var follow = false

    @Flag(help: "Continue after damage.")
    var skipDamage = false

    @Flag(help: "Print a line of JSON for each entry.")
    var json = false

    func validate() throws {
      guard from == nil || last == nil else {
        throw ValidationError("--from and --last name two beginnings; give one of them.")
      }
    }

    func run() async throws {
      guard let address = directory.address else {
        return try await print(try reading.journal(in: directory))
      }
      guard !follow else {
        throw Failure(
          "--follow waits for entries of a journal on this machine; leave it out for \(address.shown).",
          .usage)
      }
      try await print(address.journal(with: reading.keys))
    }

    private func print(_ journal: JournalDirectory) async throws {
      var first = from ?? 0
      if let last {
        let count = try journal.count()
        first = count > last ? count - last : 0
      }
      let entries = journal.entries(
        as: .records, from: first, since: try since.map(Self.date), following: follow,
        skippingDamage: skipDamage)
      let output = Output()
      for try await entry in entries {
        if Interruption.isRequested { throw Interruption.stopped }
        if entry.missingBefore > 0 {
          try output.flush()
          Message.show("\(entry.missingBefore) entries before entry \(entry.number) are missing.")
        }
        try print(entry, to: output)
        // A reader that follows shows each entry at once.
        if follow { try output.flush() }
      }
      try output.flush()
    }

    private func print(_ entry: JournalEntry<JournalRecord>, to output: Output) throws {
      let record = entry.value
      guard json || record.representation == .archive else {
        let text = String(decoding: record.content, as: UTF8.self)
        if Output.isTerminal { return try output.write(line: text.displayed) }
        try output.write(bytes: record.content)
        return try output.write(text: "\n")
      }
      let value = try Self.value(of: record)
      guard json else { return try output.write(line: value.jsonText) }
      var writer = JSONWriter(to: output)
      writer.beginObject()
      writer.write([
        .init("number", .number(entry.number)), .init("time", .string(entry.date.journalText)),
        .init("type", .string(record.typeName)), .init("version", .number(record.version)),
      ])
      writer.write(name: "value")
      try value.walk(&writer)
      writer.endObject()
      try writer.breakLine()
      try writer.flush()
    }

    /// The value of an entry: the one in an archive, or the text of bytes.
    private static func value(of record: JournalRecord) throws -> DynamicValue {
      guard record.representation == .archive else {
        return .string(String(decoding: record.content, as: UTF8.self))
      }
      let archive = try Archive(record.content)
      let root = try archive.object(archive.rootID).dynamicRecord()
      guard root.typeName == CodableArchive.typeName, let field = root.fields.first else {
        return .record(root)
      }
      return field.value
    }

    private static func date(_ text: String) throws(Failure) -> Date {
      guard let date = ArchiveDate(text: text) ?? ArchiveDate(text: text + "T00:00:00Z") else {
        throw Failure(
          "\"\(text)\" is not a time; write it as 2026-11-26 or 2026-11-26T22:00:00Z.", .usage)
      }
      return Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
    }
  }

  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Closes the current file of a journal and begins a new one.",
      discussion: """
        Examples:
          keepsake journal rotate log --recipient keepsake1...
        """)

    @OptionGroup var directory: Directory
    @OptionGroup var keys: SealingOptions
    @OptionGroup var writing: WritingOptions

    func run() throws {
      let journal = try writing.journal(at: directory.existing(), for: keys)
      try journal.beginFile()
      try journal.close()
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads a whole journal, and says whether each byte of it is sound.",
      discussion: """
        Examples:
          keepsake journal verify log --key my.key
        """)

    @OptionGroup var directory: Directory
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
      let journal = try reading.journal(in: directory)
      try JournalReport(journal, named: directory.directory, try journal.verify()?.count ?? 0)
        .printVerdict(to: output)
    }
  }
}

/// The facts of a journal, and the files that it has.
struct JournalReport {
  private let name: String
  private let files: [JournalFile]
  private let count: UInt64

  /// The files are listed after the entries were counted, so that none is counted twice.
  init(_ journal: JournalDirectory, named name: String, _ count: UInt64) throws {
    self.name = name
    self.count = count
    files = try journal.files()
  }

  private var first: UInt64 { files.first?.firstEntry ?? 0 }
  private var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

  private var sizes: String {
    "\(count - min(first, count)) entries in \(files.count) "
      + (files.count == 1 ? "file" : "files") + ", \(byteCount) bytes"
  }

  private func json(_ others: [JSONValue.Member]) -> JSONValue {
    .object(
      [
        .init("file", .string(name)), .init("entries", .number(count - min(first, count))),
        .init("firstEntry", .number(first)), .init("files", .number(files.count)),
        .init("bytes", .number(byteCount)),
      ] + others)
  }

  /// Prints that every byte is sound.
  func printVerdict(to output: OutputOptions) throws {
    try output.print(["\(name): the journal is sound, \(sizes)"], json: json([]))
  }

  /// Prints the facts that need no key.
  func printFacts(to output: OutputOptions) throws {
    let list = files.map { file in
      "  \(file.number): \(file.byteCount) bytes, from entry \(file.firstEntry) on, begun at "
        + file.date.journalText
    }
    let items = files.map { file in
      JSONValue.object([
        .init("number", .number(file.number)), .init("bytes", .number(file.byteCount)),
        .init("firstEntry", .number(file.firstEntry)),
        .init("time", .string(file.date.journalText)),
      ])
    }
    try output.print(
      ["\(name): a journal, \(sizes)"] + list, json: json([.init("list", .array(items))]))
  }
}

extension Date {
  /// A time of a journal, in milliseconds.
  var journalText: String {
    // The style cuts digits off, and a time of milliseconds is not exact in binary.
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      .format(addingTimeInterval(0.000_1))
  }
}
