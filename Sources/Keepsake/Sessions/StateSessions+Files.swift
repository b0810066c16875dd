import KeepsakeFiles
import KeepsakeSeal
import Synchronization

// Work under the lock of the sessions' directory (Spec/state.md, section 4).
extension StateSessions {
  func opened(_ identifier: SessionIdentifier) throws(KeepsakeError) -> StateSession {
    let open = openSessions.withLock { $0[identifier]?.session }
    if let open, !open.wasDiscarded {
      // The window may have been closed meanwhile.
      if try listed(identifier) {
        try SessionRecord(.active).write(to: SessionFiles(identifier, in: folder).recordPath)
      }
      return open
    }
    let found = try SessionFiles.located(identifier, in: folder)
    let session: StateSession
    if try found.directory.isWritable {
      try listed(identifier)
      let files = try found.movedBack()
      do throws(KeepsakeError) {
        session = try begun(files)
      } catch {
        // After the point of no return, which is the move.
        throw found.expiredAt == nil
          ? error : error.after("The session \(identifier) was brought back.", "Open it again.")
      }
    } else {
      session = try read(found)
    }
    openSessions.withLock { sessions in
      sessions = sessions.filter { $0.value.session != nil }
      sessions[identifier] = OpenSession(session: session)
    }
    return session
  }

  /// Adds a session to the list of open windows; false when it is listed already.
  @discardableResult
  private func listed(_ identifier: SessionIdentifier) throws(KeepsakeError) -> Bool {
    guard try folder.isWritable else { return false }
    var windows = OpenWindows(in: folder)
    return try windows.add(identifier)
  }

  /// Opens a session for this process.
  private func begun(_ files: SessionFiles) throws(KeepsakeError) -> StateSession {
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.createDirectory(at: files.directory.path, mode: 0o700)
    }
    let store = store(of: files)
    try store.lock()
    if files.record?.use == .discarded { try files.erase() }
    let summary = try files.summary(isInUse: false)
    try SessionRecord(.active).write(to: files.recordPath)
    return StateSession(files, reason: summary.reason, store: store)
  }

  /// Opens a session that this user can only read: no record is written, and nothing is saved.
  private func read(_ files: SessionFiles) throws(KeepsakeError) -> StateSession {
    guard files.record?.use != .discarded else { throw Self.absent(files) }
    let store = store(of: files)
    try store.noteAccess()
    if try !files.names().isEmpty { try store.lockForReading() }
    return StateSession(files, reason: try files.summary(isInUse: false).reason, store: store)
  }

  /// The store of a session, whose state is sealed for this app and this session.
  func store(of files: SessionFiles) -> SealedStateStore {
    var directory = files.directory
    directory.purpose = purpose(of: files)
    return SealedStateStore(
      directory: directory, keyStore: keys(of: files), freshnessStore: freshnessStore)
  }

  func purpose(of files: SessionFiles) -> StatePurpose {
    StatePurpose(application: directory.purpose.application, session: files.identifier)
  }

  /// Removes the pin of a session that was erased; a pin that stays does no harm.
  func removePin(of files: SessionFiles) {
    try? freshnessStore?.removePin(of: purpose(of: files))
  }

  func keys(of files: SessionFiles) -> SessionKeyStore {
    SessionKeyStore(
      appKey: keyStore, own: KeyFileStore(path: files.directory.keyPath), folder: folder)
  }

  /// The lock of a session; nil when a process, this one included, uses it.
  static func unusedLock(of files: SessionFiles) throws(KeepsakeError) -> FileLock? {
    do throws(FileError) {
      return try files.directory.lock(.exclusive, patience: .zero)
    } catch {
      if error.code == .fileLocked { return nil }
      throw KeepsakeError(.storeUnavailable, error)
    }
  }

  /// The lock for reading a session while no other process uses it; with the scope of the process, this process may
  /// use it.
  ///
  /// It is nil when this user cannot write the session and the lock file does not exist.
  static func lockForReading(
    _ files: SessionFiles, _ scope: FileLock.Scope = .process
  ) throws(KeepsakeError) -> FileLock? {
    do throws(FileError) {
      return try files.directory.lockForReading(scope, patience: .zero)
    } catch {
      throw error.code == .fileLocked ? inUse(files) : KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Runs work while no other process opens or removes any session.
  func locked<T>(_ work: () throws(KeepsakeError) -> T) throws(KeepsakeError) -> T {
    let lock = try Self.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    return try work()
  }

  /// Runs work that needs no permission to write, while no other process opens or removes any session.
  ///
  /// If this user cannot write and the lock file does not exist, it runs without a lock.
  func lockedForReading<T>(_ work: () throws(KeepsakeError) -> T) throws(KeepsakeError) -> T {
    guard try !folder.isWritable else { return try locked(work) }
    let lock: FileLock?
    do throws(FileError) {
      lock =
        try DurableFile.kind(of: folder.path) == .absent
        ? nil : folder.lockForReading(.exclusive, patience: Self.patience)
    } catch {
      throw Self.notLocked(folder, error)
    }
    defer { withExtendedLifetime(lock) {} }
    return try work()
  }

  func onQueue<T: Sendable>(
    _ work: @escaping @Sendable () throws(KeepsakeError) -> T
  ) async throws(KeepsakeError) -> T {
    try await queue.result(of: work).get()
  }

  /// The maximum time to wait for the lock of the sessions' directory.
  private static let patience = Duration.seconds(5)

  /// Locks the directory of the sessions for one short piece of work.
  static func lock(
    _ folder: StateDirectory, patience: Duration = patience
  ) throws(KeepsakeError) -> FileLock {
    do throws(FileError) {
      try DurableFile.createDirectory(at: folder.path, mode: 0o700)
      return try folder.lock(.exclusive, patience: patience)
    } catch {
      throw notLocked(folder, error)
    }
  }

  private static func notLocked(_ folder: StateDirectory, _ error: FileError) -> KeepsakeError {
    guard error.code == .fileLocked else { return KeepsakeError(.storeUnavailable, error) }
    guard error.systemError == nil else { return folder.inUse(error) }
    return KeepsakeError(
      .stateInUse,
      "The sessions in \(folder.path) could not be inspected, because another process or another part of "
        + "this program has them locked for longer than five seconds; let that one finish, and try again.",
      at: folder.path, underlyingError: SealError(error))
  }

  static func absent(_ files: SessionFiles) -> KeepsakeError {
    KeepsakeError(
      .stateAbsent,
      "The session \(files.identifier) has no saved state in \(files.directory.path); list the "
        + "sessions to see which there are.", at: files.directory.path)
  }

  static func inUse(_ files: SessionFiles) -> KeepsakeError {
    KeepsakeError(
      .stateInUse,
      "The session \(files.identifier) is in use, so it was left as it is; close its window, or end "
        + "the process that has it, and try again.", at: files.directory.path)
  }
}
