internal import Synchronization

/// The lock of a file.
///
/// It has one holder at a time, in this process or another.
///
/// The system releases it when the process ends in any way, so a lock never outlives its holder and never
/// needs cleaning up. It binds only programs that take it. On a file system without locks, taking it fails
/// unless the caller allows missing locks: then nothing keeps two processes apart. A lock file that exists
/// and that this user cannot open counts as held.
///
/// ```swift
/// let lock = try FileLock(at: "state/lock")
/// ```
public final class FileLock: Sendable {
  /// The holder that the lock of one file may have at a time.
  package enum Scope: Sendable {
    /// One process, in which any number of locks share it.
    case process
    /// One lock alone, also among the threads of a process.
    case exclusive
  }

  /// One system lock that several locks of this process share, and their number.
  private struct SharedLock {
    let file: FileDescriptor
    var count: Int
  }

  private static let sharedLocks = Mutex<[FileStatus.Identity: SharedLock]>([:])
  /// The maximum number of attempts to take a lock whose file is replaced meanwhile.
  private static let attemptLimit = 16

  private let location: FileLocation
  private let identity: FileStatus.Identity
  private let isShared: Bool
  private let file: FileDescriptor
  private let process = CurrentProcess.identifier

  /// Takes the lock of a file.
  ///
  /// A missing file is created, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory; a link is not followed.
  ///   - patience: How long to wait for the holder.
  ///   - allowsMissingLocks: True when a file system without locks is good enough.
  /// - Throws: ``FileError`` with `fileLocked` when another process or another part of this one holds the
  ///   lock, `lockUnavailable` when the file system has no locks, `directoryAbsent`, `notRegularFile`,
  ///   `permissionDenied`, `readOnlyFileSystem` and others.
  public convenience init(
    at path: some FilePathConvertible, patience: Duration = .zero, allowsMissingLocks: Bool = false
  ) throws(FileError) {
    try self.init(
      at: path.filePath, scope: .exclusive, patience: patience,
      allowsMissingLocks: allowsMissingLocks)
  }

  /// Takes the lock for one holder, or for the whole process.
  package init(
    at path: String, scope: Scope, patience: Duration = .zero, allowsMissingLocks: Bool = false
  ) throws(FileError) {
    let location = try FileLocation(path)
    let directory = try location.openDirectory()
    self.location = location
    isShared = scope == .process
    let deadline = ContinuousClock.now + patience
    // The lock is polled: a wait inside the system never ends when the holder is stopped. Between two
    // attempts, other locks of this process can be taken and released.
    while true {
      do throws(FileError) {
        (file, identity) = try Self.take(
          scope, at: location, in: directory, allowsMissingLocks: allowsMissingLocks)
        return
      } catch {
        // Waiting does not help when this user cannot open the file.
        guard error.code == .fileLocked, error.systemError == nil, ContinuousClock.now < deadline
        else { throw error }
        FileDescriptor.pause(.milliseconds(1))
      }
    }
  }

  /// Takes the lock of a file in order to read the data that it guards, as the initialiser does.
  ///
  /// The result is nil when there is no lock file and this user cannot create one in the directory, and therefore
  /// cannot change anything there.
  package static func forReading(
    at path: String, scope: Scope = .exclusive, patience: Duration = .zero,
    allowsMissingLocks: Bool = false
  ) throws(FileError) -> FileLock? {
    do throws(FileError) {
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
    // A process that was forked has the lock of its parent, which continues to hold it.
    guard CurrentProcess.identifier == process else { return }
    guard isShared else { return file.unlock() }
    // Under the mutex, so that the next caller finds the lock either shared or free.
    Self.sharedLocks.withLock { sharedLocks in
      guard let shared = sharedLocks[identity] else { return }
      if shared.count > 1 {
        sharedLocks[identity]?.count -= 1
      } else {
        file.unlock()
        sharedLocks[identity] = nil
      }
    }
  }

  /// Whether the path still names the file that is locked.
  ///
  /// If not, the file was removed or its directory replaced, and another process may hold a lock of the same
  /// path.
  ///
  /// - Returns: True while the lock still keeps other holders out.
  /// - Throws: ``FileError`` when the system cannot tell.
  public func isInPlace() throws(FileError) -> Bool {
    let status = try location.calling { () throws(SystemFailure) in
      try FileStatus.withoutFollowingLinks(location.path)
    }
    return status?.identity == identity
  }

  private static func take(
    _ scope: Scope, at location: FileLocation, in directory: Directory, allowsMissingLocks: Bool
  ) throws(FileError) -> (FileDescriptor, FileStatus.Identity) {
    switch scope {
    case .exclusive:
      return try lockedFile(at: location, in: directory, allowsMissingLocks)
    case .process:
      let result = sharedLocks.withLock { sharedLocks in
        Result<(FileDescriptor, FileStatus.Identity), FileError> { () throws(FileError) in
          if let status = try location.status(in: directory),
            let shared = sharedLocks[status.identity]
          {
            sharedLocks[status.identity]?.count += 1
            return (shared.file, status.identity)
          }
          let (file, identity) = try lockedFile(at: location, in: directory, allowsMissingLocks)
          sharedLocks[identity] = SharedLock(file: file, count: 1)
          return (file, identity)
        }
      }
      return try result.get()
    }
  }

  /// Opens and locks a file, and checks that the name still belongs to it.
  ///
  /// Tests change the file in `whenOpened`, between the opening and the lock.
  static func lockedFile(
    at location: FileLocation, in directory: Directory, _ allowsMissingLocks: Bool,
    whenOpened: () -> Void = {}
  ) throws(FileError) -> (FileDescriptor, FileStatus.Identity) {
    for _ in 0..<attemptLimit {
      let named = try location.status(in: directory)
      if let named { try location.requireRegular(named) }
      let file: FileDescriptor
      do throws(SystemFailure) {
        file = try open(location.name, in: directory)
      } catch {
        guard named != nil, error.isRefused || error.isReadOnly else {
          throw FileError(error, path: location.path)
        }
        // Another user may be able to open the file, and hold the lock.
        throw FileError(
          .fileLocked, path: location.path, systemError: error.number, systemCall: error.call,
          detail: "this user may not open it, so it counts as held")
      }
      let status = try location.calling { () throws(SystemFailure) in try file.status() }
      try location.requireRegular(status)
      whenOpened()
      do throws(SystemFailure) {
        try file.lockWithoutWaiting()
      } catch {
        if error.isLocked { throw FileError(.fileLocked, path: location.path) }
        guard error.hasNoLocks else { throw FileError(error, path: location.path) }
        guard allowsMissingLocks else {
          throw FileError(
            .lockUnavailable, path: location.path, systemError: error.number,
            systemCall: error.call)
        }
      }
      // The last holder may have removed the file between the opening and the lock.
      guard let named = try location.status(in: directory), named.isSameFile(as: status) else {
        continue
      }
      // Other users who can read the file could hold the lock for ever.
      if status.permissions != 0o600, status.isOwnedByEffectiveUser {
        try location.calling { () throws(SystemFailure) in
          do throws(SystemFailure) {
            try file.setPermissions(0o600)
          } catch  where error.isReadOnly {}
        }
      }
      return (file, status.identity)
    }
    throw FileError(.fileLocked, path: location.path)
  }

  /// Opens the file.
  ///
  /// If the mask of the process that made it denied its owner access, the permissions are set first. A file
  /// that cannot be written is opened for reading, which is enough for a lock.
  private static func open(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor {
    do throws(SystemFailure) {
      return try directory.openForLocking(name)
    } catch  where error.isRefused || error.isReadOnly {
      // When the other ways fail too, the first failure is reported.
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
