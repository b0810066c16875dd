import KeepsakeArchive
import KeepsakeFiles
import KeepsakeSeal

// The work of the sessions, on the calling thread.
extension StateSessions {
  package func listNow() throws(KeepsakeError) -> [SessionSummary] {
    try lockedForReading { () throws(KeepsakeError) in try found().map(\.summary) }
  }

  package func resumeNow() throws(KeepsakeError) -> StateSession {
    try lockedForReading { () throws(KeepsakeError) in
      if try folder.isWritable { _ = try pruned() }
      if let session = openedFirst(of: try resumable()) { return session }
      return try opened(SessionIdentifier())
    }
  }

  package func resumeAllNow() throws(KeepsakeError) -> [StateSession] {
    try lockedForReading { () throws(KeepsakeError) in
      if try folder.isWritable { _ = try pruned() }
      let resumable = try resumable()
      guard let listed = OpenWindows(in: folder).identifiers else {
        // Version 0.1.0 has no list of windows.
        return openedFirst(of: resumable).map { [$0] } ?? []
      }
      let present = Set(resumable)
      // A window that cannot be opened does not stop the others.
      return listed.filter { present.contains($0) }.compactMap { try? opened($0) }
    }
  }

  /// The sessions that can be opened again, the last saved one first.
  private func resumable() throws(KeepsakeError) -> [SessionIdentifier] {
    let now = now()
    return try found().filter { session in
      guard session.isFree, !session.isDiscarded, let lastSaved = session.summary.lastSaved else {
        return false
      }
      // A session that was set aside by a wrong clock is opened again; an expired one that could not be set aside is
      // not.
      return !policy.isExpired(lastSaved, at: now)
    }
    .map(\.files.identifier)
  }

  /// Opens the first session that can be opened; nil when none can.
  private func openedFirst(of identifiers: [SessionIdentifier]) -> StateSession? {
    for identifier in identifiers {
      if let session = try? opened(identifier) { return session }
    }
    return nil
  }

  package func openNow(_ identifier: SessionIdentifier) throws(KeepsakeError) -> StateSession {
    try lockedForReading { () throws(KeepsakeError) in try opened(identifier) }
  }

  package func pruneNow() throws(KeepsakeError) -> [SessionRemoval] {
    try locked { () throws(KeepsakeError) in try pruned() }
  }

  package func archiveNow(of identifier: SessionIdentifier) throws(KeepsakeError) -> Archive {
    // The lock keeps other processes from discarding or migrating the session while its key and archive are read.
    try lockedForReading { () throws(KeepsakeError) in
      let files = try SessionFiles.located(identifier, in: folder)
      guard try files.hasArchive else { throw Self.absent(files) }
      let lock = try Self.lockForReading(files)
      defer { withExtendedLifetime(lock) {} }
      let store = store(of: files)
      let file = try store.openArchive(with: store.keyStore.existingKey())
      let bytes: [UInt8]
      do throws(SealError) {
        bytes = try file.read()
      } catch {
        throw KeepsakeError(opening: error)
      }
      do throws(ArchiveError) {
        return try Archive(bytes)
      } catch {
        throw KeepsakeError(
          .damaged, "The saved state of the session \(files.identifier) is damaged: \(error)",
          at: files.directory.archivePath, underlyingError: error)
      }
    }
  }

  package func removeNow(_ identifier: SessionIdentifier) throws(KeepsakeError) {
    try locked { () throws(KeepsakeError) in
      let files = try SessionFiles.located(identifier, in: folder)
      guard try !files.names().isEmpty else { throw Self.absent(files) }
      guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
      defer { withExtendedLifetime(lock) {} }
      try files.remove()
      removePin(of: files)
    }
  }

  package func resetNow() throws(KeepsakeError) {
    try locked { () throws(KeepsakeError) in
      var reset = PartialReset(folder.path)
      let all = try SessionFiles.all(in: folder)
      var locks: [FileLock] = []
      // Nothing is changed while any session is in use.
      for files in all {
        do throws(KeepsakeError) {
          guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
          locks.append(lock)
        } catch  where error.code != .stateInUse {
          // A session that cannot be locked is not in use; the call below reports if it cannot be set aside.
        }
      }
      defer { withExtendedLifetime(locks) {} }
      for files in all { reset.setAside(files.directory, andKey: true) }
      reset.setKeyAside(keyStore, of: folder)
      try reset.requireCompleteness()
    }
  }
}
