import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of one session (Spec/state.md, section 2).
struct SessionFiles {
  static let suffix = ".session"

  let identifier: SessionIdentifier
  let sessionsPath: String
  let directory: StateDirectory

  init(_ identifier: SessionIdentifier, in sessionsPath: String) {
    self.identifier = identifier
    self.sessionsPath = sessionsPath
    directory = StateDirectory(path: "\(sessionsPath)/\(identifier)\(Self.suffix)")
  }

  /// The sessions that have a directory, in the order of their names; other names are left alone.
  static func all(in sessionsPath: String) throws(KeepsakeError) -> [SessionFiles] {
    try KeepsakeError.access { () throws(SealError) in
      try DurableFile.names(in: sessionsPath)
    }
    .compactMap { name in
      guard name.hasSuffix(suffix),
        let identifier = try? SessionIdentifier(String(name.dropLast(suffix.count)))
      else { return nil }
      return SessionFiles(identifier, in: sessionsPath)
    }
  }

  var recordPath: String { directory.path + "/session" }
  var record: SessionRecord? { SessionRecord(at: recordPath) }

  var hasArchive: Bool {
    get throws(KeepsakeError) {
      try KeepsakeError.access { () throws(SealError) in
        try DurableFile.kind(of: directory.archivePath) != .absent
      }
    }
  }

  func names() throws(KeepsakeError) -> [String] {
    try KeepsakeError.access { () throws(SealError) in try DurableFile.names(in: directory.path) }
  }

  /// Whether a name is an archive's, also one that was set aside.
  private static func isArchive(_ name: String) -> Bool { name.hasPrefix("state.keepsake") }

  /// What can be told of the session without its key.
  func summary(isInUse: Bool) throws(KeepsakeError) -> SessionSummary {
    var byteCount = 0
    var lastSaved: Date?
    for name in try names() {
      let path = directory.path + "/" + name
      let kind = try KeepsakeError.access { () throws(SealError) in try DurableFile.kind(of: path) }
      // A file that went away since it was listed takes no room.
      guard case .regular(let size) = kind else { continue }
      byteCount += size
      if Self.isArchive(name), let date = try Self.modificationDate(of: path) {
        lastSaved = max(lastSaved ?? date, date)
      }
    }
    return SessionSummary(
      identifier: identifier, lastSaved: lastSaved, byteCount: byteCount, isInUse: isInUse,
      reason: isInUse || lastSaved == nil ? nil : SessionRecord.reason(of: record))
  }

  /// When a file was written last; a session whose age cannot be told is not one that holds nothing.
  private static func modificationDate(of path: String) throws(KeepsakeError) -> Date? {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return attributes[.modificationDate] as? Date
    } catch {
      throw KeepsakeError(
        .storeUnavailable,
        "The system does not say when \(path) was written; check that you may read it.")
    }
  }

  /// Makes what was saved unreadable for good, then removes it; record and lock stay.
  ///
  /// The key goes first. Should the process end in between, the record tells the next one to go on.
  func erase() throws(KeepsakeError) {
    try SessionRecord(.discarded).write(to: recordPath)
    let names = try names().filter { $0 != "session" && $0 != "lock" }
    try KeepsakeError.access { () throws(SealError) in
      for name in names where name.hasPrefix("key") {
        try DurableFile.erase(at: directory.path + "/" + name)
      }
      for name in names where !name.hasPrefix("key") {
        try DurableFile.remove(at: directory.path + "/" + name)
      }
    }
  }

  /// Erases the session and takes its directory away.
  func remove() throws(KeepsakeError) {
    try erase()
    try KeepsakeError.access { () throws(SealError) in
      // The record goes last of what tells that this is under way.
      for path in [recordPath, directory.lockPath]
      where try DurableFile.kind(of: path) != .absent {
        try DurableFile.remove(at: path)
      }
      try DurableFile.removeDirectory(at: directory.path)
    }
  }
}
