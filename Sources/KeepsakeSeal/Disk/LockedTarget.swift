/// The file that has a name, locked as long as this exists, so that no other writer of this package gives
/// the name to another file (Spec/replacement.md, section 6).
///
/// It is held for a few system calls only, and never while data goes to the disk.
final class LockedTarget {
  /// How long a writer waits for another one, which may have been stopped.
  static let patience: Duration = .seconds(10)

  /// What the file is, as of under the lock.
  let status: FileStatus
  /// The open file that has the lock; nil where there are no locks, or the file cannot be read.
  private let file: FileDescriptor?

  /// Locks whatever regular file has the name; nil when there is nothing.
  ///
  /// Where the file system has no locks, or this user may replace the file but not open it, there is
  /// none, and the exchange of names alone tells what happened.
  init?(
    _ location: FileLocation, in directory: Directory, patience: Duration = LockedTarget.patience
  ) throws(SealError) {
    let deadline = ContinuousClock.now + patience
    while true {
      guard let named = try location.status(in: directory) else { return nil }
      try location.requireRegular(named)
      do throws(SystemFailure) {
        guard let file = try Self.lock(location.name, in: directory) else {
          (status, self.file) = (named, nil)
          return
        }
        let status = try file.status()
        // The name may have gone to another file before the lock was taken.
        if let named = try directory.status(of: location.name), named.isSameFile(as: status) {
          (self.status, self.file) = (status, file)
          return
        }
        file.unlock()
      } catch {
        guard error.isLocked || error.isAbsent else { throw SealError(error, path: location.path) }
      }
      guard ContinuousClock.now < deadline else {
        throw SealError(.fileLocked, path: location.path)
      }
      FileDescriptor.pause()
    }
  }

  var isLocked: Bool { file != nil }

  deinit { file?.unlock() }

  private static func lock(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor? {
    do throws(SystemFailure) {
      return try locked(try directory.openForReading(name))
    } catch  where error.needsWriting {
      // NFS locks only what is open for writing.
      return try? locked(try directory.openForWriting(name))
    } catch  where error.preventsLocking {
      return nil
    }
  }

  private static func locked(_ file: FileDescriptor) throws(SystemFailure) -> FileDescriptor {
    try file.lockWithoutWaiting()
    return file
  }
}
