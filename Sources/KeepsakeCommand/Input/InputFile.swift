import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The file that a verb reads; the verb also has ``OpeningOptions``, with the keys.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The file, the directory of a saved state, or an address with s3:// or https://; without it, or with -, "
        + "standard input.",
      valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "The session whose state is read, where FILE is the directory of an app's states.",
      valueName: "id"))
  var session: String?

  @Option(
    help: ArgumentHelp(
      "The name that the file was sealed under, if it is not a saved state.",
      valueName: "text"))
  var context: String?

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try ByteStream.requireOpen(for: file ?? "-")
    }
  }

  /// Examines the file without any key.
  func look() throws -> InputFile {
    try InputFile(ByteStream.argument(file), session: session)
  }

  /// The directory of the journal that the user names, by itself or by one of its files; nil for all else.
  func journalDirectory() throws -> String? {
    guard let file, session == nil, case .path(let path) = try NamedInput(file) else { return nil }
    return try JournalDirectory.directory(at: path)
  }

  /// The journal in a directory, with the keys that were named.
  func journal(
    in directory: String, with opening: OpeningOptions
  ) throws -> JournalDirectory {
    JournalDirectory(
      directory,
      with: JournalKeys(
        recipients: [], identities: try opening.journalIdentities(),
        context: context.map { Array($0.utf8) } ?? []))
  }

  /// The context of a sealed file: the one that the user names, or the one that a saved state states.
  func contextBytes(of summary: SealedFileSummary) -> [UInt8] {
    context.map { Array($0.utf8) } ?? summary.statedContext
  }

  /// Opens the file by one of the keys; nil for an archive that is not sealed.
  func unseal(
    _ file: InputFile, with opening: OpeningOptions, policy: SealPolicy = SealPolicy()
  ) throws -> SealedFile? {
    try file.summary.map { try unseal(file, $0, with: opening, policy: policy) }
  }

  /// Opens a sealed file by one of the keys.
  func unseal(
    _ file: InputFile, _ summary: SealedFileSummary, with opening: OpeningOptions,
    policy: SealPolicy = SealPolicy()
  ) throws -> SealedFile {
    try file.unseal(summary, with: opening, context: contextBytes(of: summary), policy: policy)
  }
}

/// A file that was examined: its kind, and all facts that need no key.
struct InputFile {
  enum Kind {
    case sealed(SealedFileSummary)
    case archive(Archive)
  }

  /// The maximum number of bytes of standard input, and of other content that is in memory as a whole.
  static let inMemoryLimit = 1 << 30
  /// Up to this size an archive is read at once, which is faster than reading its parts.
  private static let readAtOnce = 1 << 26

  /// The path of the file, of a link the path of its target; nil for standard input, pipes and remote files.
  let path: String?
  let kind: Kind
  /// The file as the user named it, where that is a link, a pipe, a text form or an address; nil for any other file,
  /// and for standard input.
  let given: String?
  /// True when the file is on a server.
  let isRemote: Bool
  /// The bytes that were read from standard input or a pipe, or the remote file; nil for a file with a path.
  private let content: ByteStream.Content?

  /// The name of the file in sentences and reports.
  var name: String { (given ?? path)?.displayed ?? "standard input" }

  /// The file in a report of JSON.
  var argument: String { given ?? path ?? "-" }

  var summary: SealedFileSummary? {
    if case .sealed(let summary) = kind { summary } else { nil }
  }

  init(_ argument: String, session: String? = nil) throws {
    let input = try NamedInput(argument)
    if case .remote = input { isRemote = true } else { isRemote = false }
    switch input {
    case .path(let named):
      let path = try Self.path(named, session: session)
      if let bytes = try Self.armored(at: path) {
        let content = ByteStream.Content.bytes(try ArmoredText.decode(bytes, from: argument))
        given = argument
        (self.path, self.content, kind) = (nil, content, try Self.kind(of: content, argument))
      } else {
        given = named == argument ? nil : argument
        (self.path, content, kind) = (path, nil, try Self.kind(at: path))
      }
    case .stream(let stream):
      let content = try stream.readAll(upTo: Self.inMemoryLimit)
      given = argument == "-" ? nil : argument
      (path, self.content, kind) = (nil, content, try Self.kind(of: content, stream.name))
    case .remote(let address):
      guard session == nil else {
        throw Failure(
          "--session names a session in a directory, and \(address.shown) is an address; leave out --session.",
          .usage)
      }
      let content = try Self.content(at: address)
      given = address.shown
      (path, self.content, kind) = (nil, content, try Self.kind(of: content, address.shown))
    }
  }

  /// Opens a sealed file by one of the keys.
  func unseal(
    _ summary: SealedFileSummary, with options: OpeningOptions, context: [UInt8],
    policy: SealPolicy
  ) throws -> SealedFile {
    var keys = try options.keys(for: summary, at: path, named: isRemote ? given : nil)
    return try keys.opening { identities in
      if let path {
        return try SealedFile.open(path, with: identities, context: context, policy: policy)
      }
      switch content {
      case .source(let source):
        return try SealedFile.open(
          source: source, with: identities, context: context, policy: policy)
      case .bytes(let bytes):
        return try SealedFile.open(
          bytes: bytes, with: identities, context: context, policy: policy)
      case nil: throw Failure.neither(name, [])
      }
    }
  }

  /// The archive in the file, whose parts are read when they are needed if it is large or `lazily` is
  /// true; `opened` is the file as ``InputOptions/unseal(_:with:policy:)`` has opened it.
  func archive(in opened: SealedFile?, lazily: Bool = false) throws -> Archive {
    guard let archive = try archiveIfAny(in: opened, lazily: lazily) else { throw noArchive }
    return archive
  }

  /// The archive in the content that the file was opened for.
  func archive(of content: [UInt8]) throws -> Archive {
    guard let archive = try archiveIfAny(opening: { try Archive(content) }) else { throw noArchive }
    return archive
  }

  private var noArchive: Failure {
    Failure("\(name) opens with its key, but there is no archive in it.", .damaged)
  }

  /// The archive in the file; nil where the content of a sealed file does not even begin as an archive does.
  func archiveIfAny(in opened: SealedFile?, lazily: Bool = false) throws -> Archive? {
    if case .archive(let archive) = kind {
      guard !lazily, archive.byteCount <= Self.readAtOnce else { return archive }
      if let path { return try Archive(try DurableFile.read(at: path, upTo: Self.readAtOnce)) }
      guard case .source(let source) = content else { return archive }
      return try Archive(try source.read(0..<source.byteCount))
    }
    guard let opened else { return nil }
    return try archiveIfAny(opening: {
      if lazily || opened.plaintextLength > Self.readAtOnce { return try Archive(source: opened) }
      return try Archive(try opened.read())
    })
  }

  private func archiveIfAny(opening open: () throws -> Archive) throws -> Archive? {
    do {
      return try open()
    } catch let error as ArchiveError where error.code != .sourceFailed {
      if error.isForeignFormat { return nil }
      throw Failure(
        "\(name) opens with its key, but the archive in it is not sound: \(error)", .damaged)
    }
  }

  private static func path(_ argument: String, session: String?) throws -> String {
    var directory = StateDirectory(path: argument)
    if let session {
      directory = StateDirectory(
        path: try folder(of: try SessionIdentifier(session), in: directory.sessionsPath))
    }
    // A path that is not a directory of a state is treated as a file.
    guard try DurableFile.kind(of: directory.path) == .directory else {
      return session == nil ? argument : directory.archivePath
    }
    guard try DurableFile.kind(of: directory.archivePath) == .absent, session == nil else {
      return directory.archivePath
    }
    throw try noState(in: directory)
  }

  /// Refuses a directory without a state, and says how many sessions it has.
  private static func noState(in directory: StateDirectory) throws -> Failure {
    let sessions =
      try DurableFile.kind(of: directory.sessionsPath) == .directory
      ? try DurableFile.names(in: directory.sessionsPath).count : 0
    guard sessions > 0 else {
      return Failure(
        "\"\(directory.path)\" is a directory, and there is no saved state in it. Name a file in it.",
        .inputOutput)
    }
    let count = sessions == 1 ? "one session" : "\(sessions) sessions"
    return Failure(
      "\"\(directory.path)\" is a directory with \(count). Name a session by --session; \"keepsake sessions list\" "
        + "lists them.", .noInput)
  }

  /// A remote file, whose parts are fetched when they are needed; a text form is fetched as a whole.
  private static func content(at address: RemoteAddress) throws -> ByteStream.Content {
    let source = try address.open()
    let beginning = try source.read(0..<min(256, source.byteCount))
    guard source.byteCount <= ArmoredText.mostBytes, ArmoredText.isArmored(beginning) else {
      return .source(source)
    }
    let text = try source.readAll(upTo: ArmoredText.mostBytes, named: address.shown)
    return .bytes(try ArmoredText.decode(text, from: address.shown))
  }

  /// The bytes of a text form of a sealed file; nil for any other file.
  private static func armored(at path: String) throws -> [UInt8]? {
    guard case .regular(let size) = try DurableFile.kind(of: path), size > 0,
      size <= ArmoredText.mostBytes,
      let handle = FileHandle(forReadingAtPath: path),
      let beginning = try? handle.read(upToCount: 256), ArmoredText.isArmored(Array(beginning))
    else { return nil }
    return try DurableFile.read(at: path, upTo: ArmoredText.mostBytes)
  }

  /// The folder of a session, whose name begins with its identifier.
  private static func folder(
    of session: SessionIdentifier, in directory: String
  ) throws(FileError) -> String {
    let name = "\(session)"
    guard try DurableFile.kind(of: directory) == .directory else { return directory + "/" + name }
    let found = try DurableFile.names(in: directory).first {
      $0 == name || $0.hasPrefix(name + ".")
    }
    return directory + "/" + (found ?? name)
  }

  private static func kind(at path: String) throws -> Kind {
    do throws(SealError) {
      return .sealed(try SealedFile.inspect(path))
    } catch {
      guard error.code == .notSealedFile else { throw error }
    }
    let source = try FileSource(path)
    return .archive(
      try archive(named: path.displayed, at: path) { () throws(ArchiveError) in
        try Archive(source: source)
      })
  }

  private static func kind(of content: ByteStream.Content, _ name: String) throws -> Kind {
    do throws(SealError) {
      switch content {
      case .source(let source): return .sealed(try SealedFile.inspect(source: source))
      case .bytes(let bytes): return .sealed(try SealedFile.inspect(bytes: bytes))
      }
    } catch {
      guard error.code == .notSealedFile || error.code == .emptyFile else { throw error }
    }
    return .archive(
      try archive(named: name) { () throws(ArchiveError) in
        switch content {
        case .source(let source): try Archive(source: source)
        case .bytes(let bytes): try Archive(bytes)
        }
      })
  }

  private static func archive(
    named name: String, at path: String? = nil, _ open: () throws(ArchiveError) -> Archive
  ) throws -> Archive {
    do throws(ArchiveError) {
      return try open()
    } catch {
      switch error.code {
      case .notAnArchive,
        .truncated where error.offset == 0:
        if let path, let kind = try? KeySource.path(path).content().kind, kind != .unknown {
          throw keyFile(name, kind)
        }
        throw Failure.neither(name, path.map(beginning) ?? [])
      case .sourceFailed: throw error
      default: throw Failure("\(name): \(error)", .damaged)
      }
    }
  }

  /// Refuses a key that was named in place of the file that it opens.
  private static func keyFile(_ name: String, _ kind: KeyContent.Kind) -> Failure {
    let option =
      switch kind {
      case .signingKey: "and the key by --sign"
      case .recipients: "and the recipient by --recipient"
      case .signers: "and the signer by --signer"
      case .age, .unknown: "and a key of Keepsake"
      case .key, .keyUnderPassphrase, .identities: "and the key by --key"
      }
    return Failure(
      "\(name) is \(kind.name ?? "a key"), neither a sealed file nor an archive. Name the file that is meant, "
        + "\(option).", .damaged)
  }

  /// The first bytes of a file; none if it cannot be read.
  private static func beginning(of path: String) -> [UInt8] {
    Array((try? FileHandle(forReadingAtPath: path)?.read(upToCount: 4_096)) ?? Data())
  }
}

extension ArchiveError {
  /// True when the bytes do not even begin as an archive does.
  var isForeignFormat: Bool { code == .notAnArchive || code == .truncated && offset == 0 }
}
