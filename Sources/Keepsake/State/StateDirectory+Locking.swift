import KeepsakeSeal
import Synchronization

// Who may use a state (Spec/state.md, section 1).
extension StateDirectory {
  /// How long a process that is just ending may keep the lock; a launch may follow a kill at once.
  private static let lockPatience = Duration.milliseconds(250)

  /// The directory of which a file is the archive, by its name; nil when it is any other file.
  init?(archivePath path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.last == "state.keepsake" else { return nil }
    self.init(path: parts.count == 1 ? "." : parts.dropLast().joined(separator: "/"))
  }

  /// A directory in this one, of which the same is allowed.
  func inner(_ name: String) -> StateDirectory {
    var directory = StateDirectory(path: path + "/" + name)
    directory.allowsMissingLocks = allowsMissingLocks
    return directory
  }

  /// Locks the directory, which has to be its user's own.
  ///
  /// - Parameters:
  ///   - scope: Who may hold the lock at once.
  ///   - patience: How long to wait for whoever holds it.
  /// - Returns: The lock.
  /// - Throws: An error with the code `fileLocked` when somebody else holds it.
  func lock(
    _ scope: FileLock.Scope = .process, patience: Duration = lockPatience
  ) throws(SealError) -> FileLock {
    try DurableFile.requireOwnDirectory(at: path)
    return try FileLock(
      at: lockPath, scope: scope, patience: patience, allowsMissingLocks: allowsMissingLocks)
  }

  /// Locks the state for one piece of work, also against the rest of this process; nil where there is no
  /// directory, and where nobody can write.
  func exclusiveLock() throws(KeepsakeError) -> FileLock? {
    do throws(SealError) {
      return try lock(.exclusive)
    } catch {
      switch error.code {
      case .directoryAbsent, .readOnlyFileSystem: return nil
      case .fileLocked: throw inUse("a process")
      default: throw KeepsakeError(.storeUnavailable, error)
      }
    }
  }

  /// What is said of a state that somebody uses.
  fileprivate func inUse(_ user: String) -> KeepsakeError {
    KeepsakeError(
      .stateInUse,
      "The saved state in \(path) is in use by \(user), so it was neither read nor changed; let that one "
        + "end and try again.", at: path)
  }
}

extension SealedStateStore {
  /// Gives the directory to other processes until this store loads or saves again.
  ///
  /// For a process that the system may stop at any moment: on iOS one that is suspended while it holds the
  /// lock of a file in an app group's container is ended by the system (0xdead10cc). Call it when the app
  /// goes to the background, after the last save, and ask for background time until it has returned. The
  /// next load or save takes the lock again; a save is refused with `stateInUse` while another process has
  /// it, and with `stateChanged` when another process has saved meanwhile, until the state is loaded again.
  public func suspend() async {
    let work: @Sendable () throws(KeepsakeError) -> Void = { self.unlock() }
    try? await perform(work)
  }

  /// Locks the directory, unless this store has it locked.
  func lock() throws(KeepsakeError) {
    if try hasLockInPlace() { return }
    do throws(SealError) {
      let lock = try directory.lock()
      knowledge.withLock { $0.lock = lock }
    } catch {
      throw error.code == .fileLocked
        ? directory.inUse("another process") : KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Whether this store has the directory locked; where what is there is not what it locked, it has not.
  func hasLockInPlace() throws(KeepsakeError) -> Bool {
    guard let lock = knowledge.withLock({ $0.lock }) else { return false }
    let isInPlace = try KeepsakeError.access { () throws(SealError) in try lock.isInPlace() }
    // The directory was replaced, or its lock removed: another process may have locked what is there.
    if !isInPlace { unlock() }
    return isInPlace
  }

  /// Gives the directory back to other processes.
  func unlock() {
    knowledge.withLock { knowledge in
      knowledge.lock = nil
      knowledge.mayHaveChanged = true
    }
  }

  /// Remembers the archive that is there, under the lock: what was loaded, saved or taken away.
  func noteVersion() { note(try? DurableFile.version(of: directory.archivePath)) }

  func note(_ version: FileVersion?) {
    knowledge.withLock { knowledge in
      knowledge.version = version
      knowledge.mayHaveChanged = false
    }
  }

  /// Refuses to replace or take away what another process has saved while this one had no lock.
  func requireUnchanged() throws(KeepsakeError) {
    let (mayHaveChanged, known) = knowledge.withLock { ($0.mayHaveChanged, $0.version) }
    guard mayHaveChanged else { return }
    let found = try KeepsakeError.access { () throws(SealError) in
      try DurableFile.version(of: directory.archivePath)
    }
    // Where there is nothing, nothing can be lost.
    guard let found, found != known else { return }
    throw KeepsakeError(
      .stateChanged,
      "The state in \(directory.path) was saved by another process since this one read it, or its "
        + "directory was replaced, so it was left as it is; prepare again to see it.",
      at: directory.path)
  }
}
