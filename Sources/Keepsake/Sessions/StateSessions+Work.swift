import KeepsakeArchive
import KeepsakeSeal

// What the sessions do, on the thread that calls.
extension StateSessions {
  package func listNow() throws(KeepsakeError) -> [SessionSummary] {
    try locked { () throws(KeepsakeError) in try summaries() }
  }

  package func resumeNow() throws(KeepsakeError) -> StateSession {
    try locked { () throws(KeepsakeError) in
      _ = try pruned()
      let latest = try summaries().first { !$0.isInUse && $0.lastSaved != nil }
      return try opened(latest?.identifier ?? SessionIdentifier())
    }
  }

  package func openNow(_ identifier: SessionIdentifier) throws(KeepsakeError) -> StateSession {
    try locked { () throws(KeepsakeError) in try opened(identifier) }
  }

  package func pruneNow() throws(KeepsakeError) -> [SessionRemoval] {
    try locked { () throws(KeepsakeError) in try pruned() }
  }

  func archiveNow(of identifier: SessionIdentifier) throws(KeepsakeError) -> Archive {
    let files = SessionFiles(identifier, in: path)
    guard try files.hasArchive else { throw Self.absent(files) }
    let key = try keys(of: files).existingKey()
    let bytes: [UInt8]
    do throws(SealError) {
      bytes = try SealedFile.open(files.directory.archivePath, keys: [key]).read()
    } catch {
      throw KeepsakeError(opening: error)
    }
    do throws(ArchiveError) {
      return try Archive(bytes)
    } catch {
      throw KeepsakeError(
        .damaged, "The saved state of the session \(files.identifier) is damaged: \(error)")
    }
  }

  package func removeNow(_ identifier: SessionIdentifier) throws(KeepsakeError) {
    let files = SessionFiles(identifier, in: path)
    try locked { () throws(KeepsakeError) in
      guard try !files.names().isEmpty else { throw Self.absent(files) }
      guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
      defer { withExtendedLifetime(lock) {} }
      try files.remove()
    }
  }

  package func resetNow() throws(KeepsakeError) {
    try locked { () throws(KeepsakeError) in
      var locks: [FileLock] = []
      let all = try SessionFiles.all(in: path)
      for files in all {
        guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
        locks.append(lock)
      }
      defer { withExtendedLifetime(locks) {} }
      for files in all {
        try Self.setAside(files.directory.archivePath)
        try KeyFileStore(path: files.directory.keyPath).setKeyAside()
      }
      try keyStore.setKeyAside()
    }
  }
}
