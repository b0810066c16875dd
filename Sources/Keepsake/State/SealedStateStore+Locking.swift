import KeepsakeFiles
import KeepsakeSeal
import Synchronization

extension SealedStateStore {
  /// Releases the directory to other processes until this store loads or saves again.
  ///
  /// Use it in a process that the system may stop at any moment: iOS ends a process that is suspended while it holds
  /// the lock of a file in an app group's container (0xdead10cc). Call it when the app goes to the background, after
  /// the last save, and ask for background time until it has returned. The next load or save acquires the lock again;
  /// a save is refused with `stateInUse` while another process has it, and with `stateChanged` when another process
  /// has saved meanwhile, until the state is loaded again.
  public func suspend() async {
    let work: @Sendable () throws(KeepsakeError) -> Void = { self.unlock() }
    try? await perform(work)
  }

  /// Locks the directory, unless this store has it locked.
  func lock() throws(KeepsakeError) {
    if try hasLockInPlace() { return }
    do throws(FileError) {
      let lock = try directory.lock()
      knowledge.withLock { $0.lock = lock }
    } catch {
      switch error.code {
      case .fileLocked: throw directory.inUse(error)
      case .permissionDenied, .readOnlyFileSystem, .directoryNotOwned:
        guard try directory.isWritable else { throw directory.readOnlyError(error) }
        throw KeepsakeError(.storeUnavailable, error)
      default: throw KeepsakeError(.storeUnavailable, error)
      }
    }
  }

  /// Locks the directory for a load; if this user cannot write it and the lock file does not exist, the load needs no
  /// lock (Spec/state.md, section 1).
  func lockForReading() throws(KeepsakeError) {
    guard isReadOnly else { return try lock() }
    do throws(FileError) {
      let lock = try directory.lockForReading()
      knowledge.withLock { $0.lock = lock }
    } catch {
      throw error.code == .fileLocked
        ? directory.inUse(error) : KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Checks whether this user can write the directory.
  func noteAccess() throws(KeepsakeError) {
    let isWritable = try directory.isWritable
    knowledge.withLock { $0.isReadOnly = !isWritable }
  }

  /// True when the last load found that this user cannot write the directory; then there is no mark, and nothing is
  /// saved.
  var isReadOnly: Bool { knowledge.withLock { $0.isReadOnly } }

  /// Whether this store holds the lock of the directory, and the lock file is still the one that it locked.
  func hasLockInPlace() throws(KeepsakeError) -> Bool {
    guard let lock = knowledge.withLock({ $0.lock }) else { return false }
    let isInPlace = try KeepsakeError.access { () throws(FileError) in try lock.isInPlace() }
    // The directory was replaced, or its lock file removed: another process may have locked the new one.
    if !isInPlace { unlock() }
    return isInPlace
  }

  /// Releases the directory to other processes.
  func unlock() {
    knowledge.withLock { knowledge in
      knowledge.lock = nil
      knowledge.mayHaveChanged = true
      // Other processes may set archives aside from now on.
      knowledge.mayExceedLimit = true
    }
  }

  /// Records the version of the present archive, under the lock, after a load, a save or a removal.
  func noteVersion() { note(try? DurableFile.version(of: directory.archivePath)) }

  func note(_ version: FileVersion?) {
    knowledge.withLock { knowledge in
      knowledge.version = version
      knowledge.mayHaveChanged = false
    }
  }

  /// Refuses to replace or remove a state that another process has saved while this one had no lock.
  func requireUnchanged() throws(KeepsakeError) {
    let (mayHaveChanged, known) = knowledge.withLock { ($0.mayHaveChanged, $0.version) }
    guard mayHaveChanged else { return }
    let found = try KeepsakeError.access { () throws(FileError) in
      try DurableFile.version(of: directory.archivePath)
    }
    // Without a file nothing can be lost.
    guard let found, found != known else { return }
    throw KeepsakeError(
      .stateChanged,
      "The state in \(directory.path) was saved by another process since this one read it, or its "
        + "directory was replaced, so it was left as it is; prepare again to see it.",
      at: directory.path)
  }
}
