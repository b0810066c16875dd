import KeepsakeFiles
import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of one session, and the files in it (Spec/state.md, section 2).
struct SessionFiles: Sendable {
  private static let suffix = ".session"
  private static let expiredInfix = ".expired-"

  let identifier: SessionIdentifier
  let folder: StateDirectory
  let directory: StateDirectory
  /// The time at which the session was set aside as expired, in seconds since 1970; nil when it was not set aside.
  let expiredAt: Int64?

  /// Names the folder of a session, or the folder to which it was set aside.
  init(_ identifier: SessionIdentifier, in folder: StateDirectory, expiredAt: Int64? = nil) {
    self.identifier = identifier
    self.folder = folder
    self.expiredAt = expiredAt
    let ending = expiredAt.map { "\(Self.expiredInfix)\($0)" } ?? Self.suffix
    directory = folder.inner("\(identifier)\(ending)")
  }

  /// Parses the name of a folder; nil when it is not the name of a session's folder.
  private init?(name: String, in folder: StateDirectory) {
    // An identifier contains no period.
    guard let period = name.firstIndex(of: "."),
      let identifier = try? SessionIdentifier(String(name[..<period]))
    else { return nil }
    let ending = name[period...]
    if ending == Self.suffix {
      self.init(identifier, in: folder)
    } else {
      guard ending.hasPrefix(Self.expiredInfix),
        let seconds = Int64(ending.dropFirst(Self.expiredInfix.count)), seconds >= 0
      else { return nil }
      self.init(identifier, in: folder, expiredAt: seconds)
      // Refuse other spellings of the number.
      guard directory.path.hasSuffix("/" + name) else { return nil }
    }
  }

  /// The sessions that have a folder, in the order of their names; other entries are ignored, links to folders too.
  static func all(in folder: StateDirectory) throws(KeepsakeError) -> [SessionFiles] {
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.names(in: folder.path)
    }
    .compactMap { SessionFiles(name: $0, in: folder) }
    .filter { files in
      // An entry of unknown kind is listed, so that its problem is reported.
      let kind = try? DurableFile.kind(of: files.directory.path)
      return kind == nil || kind == .directory
    }
  }

  /// The present folder of a session: its own, or else the one to which it was set aside, or else its own, still to
  /// be made.
  static func located(
    _ identifier: SessionIdentifier, in folder: StateDirectory
  ) throws(KeepsakeError) -> SessionFiles {
    let own = SessionFiles(identifier, in: folder)
    let kind = try KeepsakeError.access { () throws(FileError) in
      try DurableFile.kind(of: own.directory.path)
    }
    guard kind == .absent else { return own }
    return try all(in: folder).filter { $0.identifier == identifier }
      .max { ($0.expiredAt ?? 0) < ($1.expiredAt ?? 0) } ?? own
  }

  var recordPath: String { directory.path + "/session" }
  var record: SessionRecord? { SessionRecord(at: recordPath) }

  var hasArchive: Bool {
    get throws(KeepsakeError) {
      try KeepsakeError.access { () throws(FileError) in
        try DurableFile.kind(of: directory.archivePath) != .absent
      }
    }
  }

  /// The names in the folder; empty when it does not exist.
  func names() throws(KeepsakeError) -> [String] {
    try KeepsakeError.access { () throws(FileError) in try DurableFile.names(in: directory.path) }
  }

  /// Whether the folder belongs to a session: it holds a file of a session, or nothing yet.
  func isSession() throws(KeepsakeError) -> Bool {
    let names = try names()
    return names.isEmpty || names.contains { Role(of: $0) != .foreign }
  }

  // MARK: - Facts that need no key

  func summary(isInUse: Bool) throws(KeepsakeError) -> SessionSummary {
    var byteCount = 0
    var lastSaved: Date?
    for name in try names() {
      let path = directory.path + "/" + name
      let kind = try KeepsakeError.access { () throws(FileError) -> FileKind in
        do throws(FileError) {
          return try DurableFile.kind(of: path)
        } catch  where error.code == .invalidPath {
          // No file of a session has a name that is not UTF-8, so this file is left alone.
          return .other
        }
      }
      // A file that was removed after it was listed takes no space.
      guard case .regular(let size) = kind else { continue }
      byteCount += size
      guard Role(of: name) == .archive else { continue }
      // An unknown age is an error: the session must not count as one without a saved state.
      let time = try KeepsakeError.access { () throws(FileError) in
        try DurableFile.modificationTime(of: path)
      }
      if let time {
        let date = Date(timeIntervalSince1970: time)
        lastSaved = max(lastSaved ?? date, date)
      }
    }
    return SessionSummary(
      identifier: identifier, lastSaved: lastSaved, byteCount: byteCount, isInUse: isInUse,
      reason: isInUse || lastSaved == nil ? nil : SessionRecord.reason(of: record),
      expired: expiredAt.map { Date(timeIntervalSince1970: Double($0)) }, problem: nil)
  }

  /// The summary of a session that cannot be inspected.
  func summary(_ problem: KeepsakeError) -> SessionSummary {
    SessionSummary(
      identifier: identifier, lastSaved: nil, byteCount: 0, isInUse: false, reason: nil,
      expired: expiredAt.map { Date(timeIntervalSince1970: Double($0)) }, problem: problem)
  }

  // MARK: - Moving and erasing, under the locks of the folder and of the session

  /// Moves the folder aside, with the key in it; `date` is the present time, at which the session has expired.
  func setAside(at date: Date) throws(KeepsakeError) -> SessionFiles {
    let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    return try moved(to: SessionFiles(identifier, in: folder, expiredAt: max(0, seconds)))
  }

  /// Moves a folder that was set aside back to its own place.
  func movedBack() throws(KeepsakeError) -> SessionFiles {
    guard expiredAt != nil else { return self }
    return try moved(to: SessionFiles(identifier, in: folder))
  }

  private func moved(to files: SessionFiles) throws(KeepsakeError) -> SessionFiles {
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.moveEntry(from: directory.path, to: files.directory.path)
    }
    return files
  }

  /// Makes the saved state unreadable for good, then removes it; record and lock stay.
  ///
  /// The key is erased first. If the process ends in between, the record tells the next one to continue. The result is
  /// the number of other names (hard links) of the erased key files; each of them now leads to zeros.
  @discardableResult
  func erase() throws(KeepsakeError) -> Int {
    // The point of no return: a process that finds this record continues the erasing.
    try SessionRecord(.discarded).write(to: recordPath)
    do throws(KeepsakeError) {
      let names = try names()
      return try KeepsakeError.access { () throws(FileError) in
        var otherKeyNames = 0
        for name in names where Role(of: name) == .key {
          otherKeyNames += try DurableFile.eraseIfRegular(at: directory.path + "/" + name)
        }
        for name in names where ![.record, .lock, .foreign].contains(Role(of: name)) {
          // An entry at the path of a file is removed without opening it.
          try DurableFile.removeEntry(at: directory.path + "/" + name)
        }
        return otherKeyNames
      }
    } catch {
      throw error.after(
        "The session \(identifier) is marked as discarded, and erased in part.",
        "The next pruning continues.")
    }
  }

  /// The remains of an erased session.
  struct ErasureResult {
    /// The names in the folder that do not belong to the session.
    var foreignNames: [String] = []
    /// The number of other names of the erased key files.
    var otherKeyNames = 0
  }

  /// Erases the session, removes its folder unless it contains foreign files, and returns the remains.
  @discardableResult
  func remove() throws(KeepsakeError) -> ErasureResult {
    let otherKeyNames = try erase()
    do throws(KeepsakeError) {
      return try KeepsakeError.access { () throws(FileError) in
        for path in [recordPath, directory.lockPath] { try DurableFile.removeEntry(at: path) }
        let others = try DurableFile.names(in: directory.path)
        if others.isEmpty { try DurableFile.removeDirectory(at: directory.path) }
        return ErasureResult(foreignNames: others, otherKeyNames: otherKeyNames)
      }
    } catch {
      throw error.after(
        "The session \(identifier) was erased for good.",
        "Its empty folder goes with the next pruning.")
    }
  }
}

extension SessionFiles {
  /// The role of a file in the folder of a session, by its name.
  enum Role {
    case archive, key, mark, record, lock, temporary
    /// The file does not belong to the session.
    case foreign

    init(of name: String) {
      self =
        switch name {
        case "state.keepsake": .archive
        case "key": .key
        case "restoring": .mark
        case "session": .record
        case "lock": .lock
        default:
          if name.hasPrefix("."), name.hasSuffix(".sealtmp") || name.hasSuffix(".sealswap") {
            .temporary
          } else {
            switch SetAsideName(name) {
            case let name? where name.isArchive: .archive
            case let name? where name.isKey: .key
            case let name? where name.original == "restoring": .mark
            default: .foreign
            }
          }
        }
    }
  }
}
