#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open file, closed with its last reference.
///
/// Reads and writes are at given offsets, so that several threads can share it.
package final class FileDescriptor: Sendable {
  package let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Opens a path for reading; a link at its end is not followed, and a pipe does not block.
  package convenience init(openingForReading path: String) throws(SystemFailure) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    self.init(try retrying("open") { unsafe open(path, flags) })
  }

  /// Opens a path for reading; a link is followed, and a pipe waits for its writer.
  convenience init(following path: String) throws(SystemFailure) {
    let flags = O_RDONLY | O_NOCTTY | O_CLOEXEC
    self.init(try retrying("open") { unsafe open(path, flags) })
  }

  // `checkClosing` has already reported errors of closing where they matter.
  deinit { close(rawValue) }

  package func status() throws(SystemFailure) -> FileStatus {
    var status = stat()
    let rawValue = rawValue
    try retrying("fstat") { unsafe fstat(rawValue, &status) }
    return FileStatus(status)
  }

  /// Sets the permissions whatever the process's mask is.
  func setPermissions(_ mode: UInt32) throws(SystemFailure) {
    try retrying("fchmod") { fchmod(rawValue, mode_t(mode)) }
  }

  /// Gives the file to another user and group; throws when this user may not.
  func setOwner(_ owner: UInt32, group: UInt32) throws(SystemFailure) {
    try retrying("fchown") { fchown(rawValue, uid_t(owner), gid_t(group)) }
  }

  /// Locks the whole file; throws when another open file holds the lock.
  package func lockWithoutWaiting() throws(SystemFailure) {
    try retrying("flock") { flock(rawValue, LOCK_EX | LOCK_NB) }
  }

  /// Brings the file's bytes to stable storage.
  ///
  /// The call is repeated only after a signal. After a failure the kernel may have dropped the bytes, and
  /// would report success.
  package func synchronize() throws(SystemFailure) {
    #if canImport(Darwin)
      // On Darwin, `fsync` leaves the bytes in the drive's cache.
      do {
        try retrying("fcntl") { fcntl(rawValue, F_FULLFSYNC) }
        return
      } catch  where [ENOTSUP, EINVAL, ENOTTY].contains(error.number) {}
    #endif
    try retrying("fsync") { fsync(rawValue) }
  }

  /// Closes a second descriptor of the file; the file stays open and locked.
  ///
  /// Some file systems report a lost write only when a file is closed. They report it in this call.
  func checkClosing() throws(SystemFailure) {
    let copy = try retrying("fcntl") { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) }
    // The call is not repeated after a signal: the descriptor is closed by then, and its number may be another file's.
    guard close(copy) == 0 || errno == EINTR else {
      throw SystemFailure(call: "close", number: errno)
    }
  }
}

extension FileDescriptor {
  /// Releases the lock.
  ///
  /// Closing the file is not enough: a process that was just started has a copy of every descriptor until it
  /// runs its own program.
  package func unlock() {
    _ = flock(rawValue, LOCK_UN)
  }
}
