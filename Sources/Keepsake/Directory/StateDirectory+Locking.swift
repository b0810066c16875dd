import KeepsakeFiles
import KeepsakeSeal

// Locks of a state (Spec/state.md, section 1).
extension StateDirectory {
  /// The time for which a new launch waits for the lock, since a killed process may hold it a moment longer.
  private static let lockPatience = Duration.milliseconds(250)

  /// The directory of the archive at a path; nil when the file name is not that of an archive.
  init?(archivePath path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.last == "state.keepsake" else { return nil }
    self.init(path: parts.count == 1 ? "." : parts.dropLast().joined(separator: "/"))
  }

  /// A directory inside this one, with the same ``allowsMissingLocks``.
  func inner(_ name: String) -> StateDirectory {
    var directory = StateDirectory(path: path + "/" + name)
    directory.allowsMissingLocks = allowsMissingLocks
    return directory
  }

  /// Locks the directory, which this user must own.
  func lock(
    _ scope: FileLock.Scope = .process, patience: Duration = lockPatience
  ) throws(FileError) -> FileLock {
    try DurableFile.requireOwnDirectory(at: path)
    return try FileLock(
      at: lockPath, scope: scope, patience: patience, allowsMissingLocks: allowsMissingLocks)
  }

  /// Locks the directory for reading; nil when this user cannot write it and it has no lock file: the caller then
  /// reads without a lock.
  ///
  /// A lock that exists and cannot be opened counts as held.
  func lockForReading(
    _ scope: FileLock.Scope = .process, patience: Duration = lockPatience
  ) throws(FileError) -> FileLock? {
    guard try !DurableFile.isWritableDirectory(path) else {
      return try lock(scope, patience: patience)
    }
    return try FileLock.forReading(
      at: lockPath, scope: scope, patience: patience, allowsMissingLocks: allowsMissingLocks)
  }

  /// Locks the state for one piece of work, also against the rest of this process; nil when there is no directory,
  /// when its file system is read-only, and when it is read without a lock.
  func exclusiveLock(isReading: Bool = false) throws(KeepsakeError) -> FileLock? {
    do throws(FileError) {
      return try isReading ? lockForReading(.exclusive) : lock(.exclusive)
    } catch {
      switch error.code {
      case .directoryAbsent, .readOnlyFileSystem: return nil
      case .fileLocked: throw inUse(error)
      default: throw KeepsakeError(.storeUnavailable, error)
      }
    }
  }

  /// The error of a state whose lock cannot be taken.
  func inUse(_ error: FileError) -> KeepsakeError {
    let use =
      error.systemError == nil
      ? "is in use by another process or another part of this program, so it was neither read nor changed; let "
        + "that one end and try again."
      : "may be in use, so it was neither read nor changed: this user may not open its lock at \(lockPath). Let "
        + "the owner of that file hand it over, or remove it when no process uses the state."
    return KeepsakeError(
      .stateInUse, "The saved state in \(path) \(use)", at: path,
      underlyingError: SealError(error))
  }

  /// The error of a state that this user cannot write.
  func readOnlyError(_ error: FileError? = nil) -> KeepsakeError {
    KeepsakeError(
      .storeUnavailable,
      "This user cannot write the directory \(path), so its state is only read and nothing is saved; give this "
        + "user the right to write there, or use another directory.", at: path,
      underlyingError: error.map { SealError($0) })
  }

  /// True when this user may write the directory, or make it.
  var isWritable: Bool {
    get throws(KeepsakeError) {
      try KeepsakeError.access { () throws(FileError) in
        try DurableFile.isWritableDirectory(path)
      }
    }
  }
}
