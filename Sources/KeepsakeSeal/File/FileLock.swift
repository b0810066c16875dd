internal import Synchronization

/// The lock of a file, which no two processes hold at once.
///
/// The system releases it when the process ends, however it ends, so that a lock never outlives its
/// holder and none has to be cleaned up. It binds only those who ask for it. On a file system without
/// locks it is always had.
///
/// ```swift
/// let lock = try FileLock(at: "state/lock")
/// ```
public final class FileLock: Sendable {
  /// Who may hold the lock of one file at once.
  public enum Scope: Sendable {
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

  private let sharedIdentity: FileStatus.Identity?
  private let file: FileDescriptor

  /// Takes the lock of a file, which is created where there is none, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory; a link is not followed.
  ///   - scope: Who may hold the lock at once.
  ///   - patience: How long to wait for whoever holds it.
  /// - Throws: ``SealError`` with `fileLocked` when somebody else holds it, `directoryAbsent`,
  ///   `notRegularFile`, `permissionDenied`, `readOnlyFileSystem` and others.
  public init(
    at path: String, scope: Scope = .process, patience: Duration = .zero
  ) throws(SealError) {
    let location = try FileLocation(path)
    let directory = try location.openDirectory()
    let deadline = ContinuousClock.now + patience
    // The lock is asked for again and again rather than waited for: a wait of the system's own has no
    // end when its holder is stopped. Other locks of this process go on meanwhile.
    while true {
      do throws(SealError) {
        (file, sharedIdentity) = try Self.take(scope, at: location, in: directory)
        return
      } catch {
        guard error.code == .fileLocked, ContinuousClock.now < deadline else { throw error }
        FileDescriptor.pause()
      }
    }
  }

  deinit {
    guard let sharedIdentity else { return file.unlock() }
    // Under the mutex: whoever asks next finds the lock either shared or free.
    Self.holdings.withLock { holdings in
      guard let holding = holdings[sharedIdentity] else { return }
      if holding.count > 1 {
        holdings[sharedIdentity]?.count -= 1
      } else {
        file.unlock()
        holdings[sharedIdentity] = nil
      }
    }
  }

  private static func take(
    _ scope: Scope, at location: FileLocation, in directory: Directory
  ) throws(SealError) -> (FileDescriptor, FileStatus.Identity?) {
    switch scope {
    case .exclusive:
      return (try lockedFile(at: location, in: directory).file, nil)
    case .process:
      let result = holdings.withLock { holdings in
        Result<(FileDescriptor, FileStatus.Identity), SealError> { () throws(SealError) in
          try join(&holdings, at: location, in: directory)
        }
      }
      return try result.get()
    }
  }

  private static func join(
    _ holdings: inout [FileStatus.Identity: Holding], at location: FileLocation,
    in directory: Directory
  ) throws(SealError) -> (FileDescriptor, FileStatus.Identity) {
    if let status = try location.status(in: directory), let holding = holdings[status.identity] {
      holdings[status.identity]?.count += 1
      return (holding.file, status.identity)
    }
    let (file, identity) = try lockedFile(at: location, in: directory)
    holdings[identity] = Holding(file: file, count: 1)
    return (file, identity)
  }

  /// Opens and locks a file, and makes sure that the name is still the file's.
  private static func lockedFile(
    at location: FileLocation, in directory: Directory
  ) throws(SealError) -> (file: FileDescriptor, identity: FileStatus.Identity) {
    for _ in 0..<attemptLimit {
      if let status = try location.status(in: directory) { try location.requireRegular(status) }
      let file = try location.calling { () throws(SystemFailure) in
        try directory.openForLocking(location.name)
      }
      let status = try location.calling { () throws(SystemFailure) in try file.status() }
      try location.requireRegular(status)
      do throws(SystemFailure) {
        try file.lockWithoutWaiting()
      } catch {
        // A file system without locks is good enough, as for temporary files.
        if error.isLocked { throw SealError(.fileLocked, path: location.path) }
      }
      // Its last holder may have removed it between the opening and the lock.
      if let named = try location.status(in: directory), named.isSameFile(as: status) {
        return (file, status.identity)
      }
    }
    throw SealError(.fileLocked, path: location.path)
  }
}
