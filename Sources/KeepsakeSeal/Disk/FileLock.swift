internal import Synchronization

/// The lock of a file, which nobody else holds at once, in this process or another.
///
/// The system releases it when the process ends, however it ends, so that a lock never outlives its
/// holder and none has to be cleaned up. It binds only those who ask for it. On a file system without
/// locks taking it fails, unless the caller allows that: then nothing keeps two processes apart. A lock file that
/// exists and that this user may not open counts as held.
///
/// ```swift
/// let lock = try FileLock(at: "state/lock")
/// ```
public final class FileLock: Sendable {
  /// Who may hold the lock of one file at once.
  package enum Scope: Sendable {
    /// One process, in which any number of locks share it.
    case process
    /// One lock alone, also among the threads of a process.
    case exclusive
  }

  /// A lock that locks of one process share, and how many they are.
  private struct Holding {
    let file: FileDescriptor
    var count: Int
  }

  private static let holdings = Mutex<[FileStatus.Identity: Holding]>([:])
  /// How often a lock is taken again because its file was replaced meanwhile.
  private static let attemptLimit = 16

  private let location: FileLocation
  private let identity: FileStatus.Identity
  private let isShared: Bool
  private let file: FileDescriptor

  /// Takes the lock of a file, which is created where there is none, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory; a link is not followed.
  ///   - patience: How long to wait for the holder.
  ///   - allowsMissingLocks: Whether a file system that has no locks is good enough.
  /// - Throws: ``SealError`` with `fileLocked` when another process or another part of this one holds it,
  ///   `lockUnavailable` when the file system has no locks, `directoryAbsent`, `notRegularFile`, `permissionDenied`,
  ///   `readOnlyFileSystem` and others.
  public convenience init(
    at path: String, patience: Duration = .zero, allowsMissingLocks: Bool = false
  ) throws(SealError) {
    try self.init(
      at: path, scope: .exclusive, patience: patience, allowsMissingLocks: allowsMissingLocks)
  }

  /// Takes the lock for one holder, or for all of this process.
  package init(
    at path: String, scope: Scope, patience: Duration = .zero, allowsMissingLocks: Bool = false
  ) throws(SealError) {
    let location = try FileLocation(path)
    let directory = try location.openDirectory()
    self.location = location
    isShared = scope == .process
    let deadline = ContinuousClock.now + patience
    // The lock is asked for again and again rather than waited for: a wait of the system's own has no
    // end when its holder is stopped. Other locks of this process go on meanwhile.
    while true {
      do throws(SealError) {
        (file, identity) = try Self.take(
          scope, at: location, in: directory, allowsMissingLocks: allowsMissingLocks)
        return
      } catch {
        // A file that this user may not open does not change by waiting.
        guard error.code == .fileLocked, error.systemError == nil, ContinuousClock.now < deadline
        else { throw error }
        FileDescriptor.pause()
      }
    }
  }

  /// Takes the lock of a file for reading what it guards.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory; a link is not followed.
  ///   - scope: The holder of the lock: the whole process, or one lock alone.
  ///   - patience: How long to wait for the holder.
  ///   - allowsMissingLocks: Whether a file system that has no locks is good enough.
  /// - Returns: The lock; nil where there is no lock file, and this user cannot make one in the directory and so
  ///   changes nothing there.
  /// - Throws: ``SealError``, as the initialiser does.
  package static func forReading(
    at path: String, scope: Scope = .exclusive, patience: Duration = .zero,
    allowsMissingLocks: Bool = false
  ) throws(SealError) -> FileLock? {
    do throws(SealError) {
      return try FileLock(
        at: path, scope: scope, patience: patience, allowsMissingLocks: allowsMissingLocks)
    } catch  where error.code == .permissionDenied || error.code == .readOnlyFileSystem {
      guard try !DurableFile.isWritableDirectory(FileLocation(path).directoryPath) else {
        throw error
      }
      return nil
    }
  }

  deinit {
    guard isShared else { return file.unlock() }
    // Under the mutex: whoever asks next finds the lock either shared or free.
    Self.holdings.withLock { holdings in
      guard let holding = holdings[identity] else { return }
      if holding.count > 1 {
        holdings[identity]?.count -= 1
      } else {
        file.unlock()
        holdings[identity] = nil
      }
    }
  }

  /// Whether the path still stands for the file that is locked.
  ///
  /// When it does not, somebody has removed the file or replaced its directory, and another process may
  /// hold a lock of the same path.
  ///
  /// - Returns: Whether the lock still means what it meant when it was taken.
  /// - Throws: ``SealError`` when the system does not say.
  public func isInPlace() throws(SealError) -> Bool {
    let status = try location.calling { () throws(SystemFailure) in
      try FileStatus.notFollowing(location.path)
    }
    return status?.identity == identity
  }

  private static func take(
    _ scope: Scope, at location: FileLocation, in directory: Directory, allowsMissingLocks: Bool
  ) throws(SealError) -> (FileDescriptor, FileStatus.Identity) {
    switch scope {
    case .exclusive:
      return try lockedFile(at: location, in: directory, allowsMissingLocks)
    case .process:
      let result = holdings.withLock { holdings in
        Result<(FileDescriptor, FileStatus.Identity), SealError> { () throws(SealError) in
          if let status = try location.status(in: directory),
            let holding = holdings[status.identity]
          {
            holdings[status.identity]?.count += 1
            return (holding.file, status.identity)
          }
          let (file, identity) = try lockedFile(at: location, in: directory, allowsMissingLocks)
          holdings[identity] = Holding(file: file, count: 1)
          return (file, identity)
        }
      }
      return try result.get()
    }
  }

  /// Opens and locks a file, and makes sure that the name is still the file's.
  ///
  /// Tests change the file in `whenOpened`, between the opening and the lock.
  static func lockedFile(
    at location: FileLocation, in directory: Directory, _ allowsMissingLocks: Bool,
    whenOpened: () -> Void = {}
  ) throws(SealError) -> (FileDescriptor, FileStatus.Identity) {
    for _ in 0..<attemptLimit {
      let named = try location.status(in: directory)
      if let named { try location.requireRegular(named) }
      let file: FileDescriptor
      do throws(SystemFailure) {
        file = try open(location.name, in: directory)
      } catch {
        guard named != nil, error.isRefused || error.isReadOnly else {
          throw SealError(error, path: location.path)
        }
        // Another user may open the file, and so can hold the lock.
        throw SealError(
          .fileLocked, path: location.path, systemError: error.number, systemCall: error.call,
          detail: "this user may not open it, so it counts as held")
      }
      let status = try location.calling { () throws(SystemFailure) in try file.status() }
      try location.requireRegular(status)
      whenOpened()
      do throws(SystemFailure) {
        try file.lockWithoutWaiting()
      } catch {
        if error.isLocked { throw SealError(.fileLocked, path: location.path) }
        guard error.hasNoLocks else { throw SealError(error, path: location.path) }
        guard allowsMissingLocks else {
          throw SealError(
            .lockUnavailable, path: location.path, systemError: error.number,
            systemCall: error.call)
        }
      }
      // Its last holder may have removed it between the opening and the lock.
      guard let named = try location.status(in: directory), named.isSameFile(as: status) else {
        continue
      }
      // Others who can read it could hold the lock for ever.
      if status.permissions != 0o600, status.isOwnedByEffectiveUser {
        try location.calling { () throws(SystemFailure) in
          do throws(SystemFailure) {
            try file.setPermissions(0o600)
          } catch  where error.isReadOnly {}
        }
      }
      return (file, status.identity)
    }
    throw SealError(.fileLocked, path: location.path)
  }

  /// Opens the file; one that the mask of the process that made it has closed is opened for its owner, and one that
  /// cannot be written is opened for reading, which is enough for a lock.
  private static func open(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor {
    do throws(SystemFailure) {
      return try directory.openForLocking(name)
    } catch  where error.isRefused || error.isReadOnly {
      // When none of the other ways works, the first failure is the one to tell.
      if error.isRefused, (try? directory.makeWritable(name)) != nil,
        let file = try? directory.openForLocking(name)
      {
        return file
      }
      guard let file = try? directory.openForReading(name) else { throw error }
      return file
    }
  }
}
