import KeepsakeSeal

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
      case .fileLocked: throw inUse("a process, this one or another")
      default: throw KeepsakeError(.storeUnavailable, error)
      }
    }
  }

  /// What is said of a state that somebody uses.
  func inUse(_ user: String) -> KeepsakeError {
    KeepsakeError(
      .stateInUse,
      "The saved state in \(path) is in use by \(user), so it was neither read nor changed; let that one "
        + "end and try again.", at: path)
  }
}
