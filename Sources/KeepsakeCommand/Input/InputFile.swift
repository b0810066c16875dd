import ArgumentParser
import CommandSupport
import Foundation
import Keepsake
import Synchronization

/// The file that a verb reads, and how to open it.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The file, or - for standard input, or the directory of a saved state.", valueName: "file"))
  var file: String

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

  @OptionGroup var opening: OpeningOptions

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try StandardInput.requireOpen(for: file)
    }
  }

  /// Looks at the file without any key.
  func look() throws -> InputFile { try InputFile(file, session: session) }

  /// The context of a sealed file: the one that the user names, or the one that a saved state states.
  func contextBytes(of summary: SealedFileSummary) -> [UInt8] {
    context.map { Array($0.utf8) } ?? summary.statedContext
  }

  /// Opens the file by one of the keys; nil for an archive that is not sealed.
  func unseal(
    _ file: InputFile, policy: SealPolicy = .default
  ) throws -> SealedFile? {
    try file.summary.map { try unseal(file, $0, policy: policy) }
  }

  /// Opens a sealed file by one of the keys.
  func unseal(
    _ file: InputFile, _ summary: SealedFileSummary, policy: SealPolicy = .default
  ) throws -> SealedFile {
    try file.unseal(summary, with: opening, context: contextBytes(of: summary), policy: policy)
  }
}

/// A file that was looked at: its kind, and all facts that need no key.
struct InputFile {
  enum Kind {
    case sealed(SealedFileSummary)
    case archive(Archive)
  }

  /// The maximum number of bytes of standard input, and of other content that is in memory as a whole.
  static let largestInMemory = 1 << 30
  /// Up to this size an archive is read at once, which is faster than reading its parts.
  private static let readAtOnce = 1 << 26

  /// The path of the file; nil for standard input.
  let path: String?
  let kind: Kind
  /// The bytes that were read from standard input; nil for a file with a path.
  private let content: StandardInput.Content?

  /// The name of the file in sentences and reports.
  var name: String { path?.displayed ?? "standard input" }

  var summary: SealedFileSummary? {
    if case .sealed(let summary) = kind { summary } else { nil }
  }

  /// Looks at a file.
  init(_ argument: String, session: String? = nil) throws {
    if argument == "-" {
      let content = try StandardInput.readAll(upTo: Self.largestInMemory)
      (path, self.content, kind) = (nil, content, try Self.kind(of: content))
    } else {
      let path = try Self.path(argument, session: session)
      (self.path, content, kind) = (path, nil, try Self.kind(at: path))
    }
  }

  /// Opens a sealed file by one of the keys.
  func unseal(
    _ summary: SealedFileSummary, with options: OpeningOptions, context: [UInt8],
    policy: SealPolicy
  ) throws -> SealedFile {
    try options.keys(for: summary, at: path).opening { identities in
      if let path {
        return try SealedFile.open(path, with: identities, context: context, policy: policy)
      }
      switch content {
      case .file(let source):
        return try SealedFile.open(
          source: source, with: identities, context: context, policy: policy)
      case .bytes(let bytes):
        return try SealedFile.open(
          bytes: bytes, with: identities, context: context, policy: policy)
      case nil: throw Self.neither(name)
      }
    }
  }

  /// The archive in the file, whose parts are read when they are needed if it is large or `lazily` is
  /// true; `opened` is the file as ``InputOptions/unseal(_:policy:)`` has opened it.
  func archive(in opened: SealedFile?, lazily: Bool = false) throws -> Archive {
    guard let archive = try archiveIfAny(in: opened, lazily: lazily) else {
      throw Failure("\(name) opens with its key, but there is no archive in it.", .damaged)
    }
    return archive
  }

  /// The same; `nil` where the content of a sealed file does not even begin as an archive does.
  func archiveIfAny(in opened: SealedFile?, lazily: Bool = false) throws -> Archive? {
    if case .archive(let archive) = kind {
      guard !lazily, let path, archive.byteCount <= Self.readAtOnce else { return archive }
      return try Archive(try DurableFile.read(at: path, upTo: Self.readAtOnce))
    }
    guard let opened else { return nil }
    do {
      if lazily || opened.plaintextLength > Self.readAtOnce { return try Archive(source: opened) }
      return try Archive(try opened.read())
    } catch let error as ArchiveError where error.code != .sourceFailed {
      if error.saysNoArchive { return nil }
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
    // A path that is no directory of a state is looked at as a file.
    guard try DurableFile.kind(of: directory.path) == .directory,
      try DurableFile.kind(of: directory.archivePath) != .absent
    else { return session == nil ? argument : directory.archivePath }
    return directory.archivePath
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

  private static func kind(of content: StandardInput.Content) throws -> Kind {
    let bytes: [UInt8]
    switch content {
    case .file(let source): return .sealed(try SealedFile.inspect(source: source))
    case .bytes(let held): bytes = held
    }
    do throws(SealError) {
      return .sealed(try SealedFile.inspect(bytes: bytes))
    } catch {
      guard error.code == .notSealedFile || error.code == .emptyFile else { throw error }
    }
    return .archive(
      try archive(named: "standard input") { () throws(ArchiveError) in
        try Archive(bytes)
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
        if let path, let kind = try? KeyFileKind(of: path) { throw keyFile(name, kind) }
        throw neither(name)
      default: throw Failure("\(name): \(error)", .damaged)
      }
    }
  }

  /// Refuses a key that was named in place of the file that it opens.
  private static func keyFile(_ name: String, _ kind: KeyFileKind) -> Failure {
    Failure(
      "\(name) is \(kind.name), neither a sealed file nor an archive. Name the file that is meant, and the "
        + "key by \(kind == .signingKey ? "--sign" : "--key").", .damaged)
  }

  /// Refuses a file by its first bytes.
  static func neither(_ name: String) -> Failure {
    Failure(
      "\(name) is neither a sealed file nor an archive; check that it is the right file.", .damaged)
  }
}

extension ArchiveError {
  /// Whether the bytes do not even begin as an archive does.
  var saysNoArchive: Bool { code == .notAnArchive || code == .truncated && offset == 0 }
}

/// A regular file whose parts are read when they are needed.
final class FileSource: ArchivePositionedSource, SealedFileSource {
  let byteCount: Int
  private let handle: Mutex<FileHandle>

  init(_ path: String) throws {
    guard case .regular(let size) = try DurableFile.kind(of: path),
      let handle = FileHandle(forReadingAtPath: path)
    else { throw Failure("\(path) cannot be read: check its permissions.", .inputOutput) }
    byteCount = size
    self.handle = Mutex(handle)
  }

  /// A file without a name, which the system removes when the process ends: for input that is too long for the
  /// memory.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the file.
  ///   - next: Returns the next bytes; none at the end.
  /// - Throws: The errors of `next`, or a failure to write the file.
  init(holding bytes: [UInt8], _ next: () throws -> [UInt8]) throws {
    let handle = try Interruption.whileWriting { try Scratch.namelessFile() }
    var (piece, count) = (bytes, 0)
    while !piece.isEmpty {
      do {
        try handle.write(contentsOf: Data(piece))
      } catch {
        throw Failure(
          "Standard input has more than \(count) bytes, which do not fit into the directory for temporary "
            + "files; name one with more room by TMPDIR.", .inputOutput)
      }
      count += piece.count
      piece = try next()
    }
    byteCount = count
    self.handle = Mutex(handle)
  }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    try handle.withLock { handle in
      try handle.seek(toOffset: UInt64(range.lowerBound))
      return Array(try handle.read(upToCount: range.count) ?? Data())
    }
  }
}
