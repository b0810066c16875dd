/// The file at a path, locked for the lifetime of this object: no other writer of this package can replace it
/// (Spec/replacement.md, section 6).
///
/// The lock is held for a few system calls only, and never while data is written to the disk.
package final class LockedTarget {
  /// The maximum time that a writer waits for the lock; the writer that holds it may have been stopped.
  package static let patience: Duration = .seconds(10)

  /// The status of the file, read while it was locked.
  let status: FileStatus
  /// The open file that holds the lock; nil when there are no locks or the file cannot be read.
  private let file: FileDescriptor?

  /// Locks the regular file at the path; nil when the path has no entry.
  ///
  /// The object has no lock when the file system has no locks, or when this user may replace the file but not open it.
  /// Then only the exchange of names can reveal another writer.
  init?(
    _ location: FileLocation, in directory: Directory, patience: Duration = LockedTarget.patience
  ) throws(FileError) {
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
        // Another file may have been given this name before the lock was taken.
        if let named = try directory.status(of: location.name), named.isSameFile(as: status) {
          (self.status, self.file) = (status, file)
          return
        }
        file.unlock()
      } catch {
        guard error.isLocked || error.isAbsent else { throw FileError(error, path: location.path) }
      }
      guard ContinuousClock.now < deadline else {
        throw FileError(.fileLocked, path: location.path)
      }
      FileDescriptor.pause(.milliseconds(1))
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
      // NFS locks only files that are open for writing.
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
