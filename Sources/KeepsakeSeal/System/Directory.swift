#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open directory: every call names a file in it, so that the directory cannot be exchanged
/// for another one between two steps.
final class Directory: Sendable {
  let descriptor: FileDescriptor

  init(path: String) throws(SystemFailure) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    descriptor = FileDescriptor(try retrying("open") { unsafe open(path, flags) })
  }

  private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Opens the directory `name` in this one; a link is not followed.
  func openDirectory(_ name: String) throws(SystemFailure) -> Directory {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return Directory(
      FileDescriptor(
        try retrying("openat") { unsafe openat(descriptor.rawValue, name, flags) }))
  }

  /// Opens `name` for reading.
  ///
  /// Neither a link nor a pipe can lead the call astray or block it.
  func openForReading(_ name: String) throws(SystemFailure) -> FileDescriptor {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    return FileDescriptor(
      try retrying("openat") { unsafe openat(descriptor.rawValue, name, flags) })
  }

  /// Creates `name`, which must not exist, for its owner alone.
  func createFile(_ name: String) throws(SystemFailure) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    return FileDescriptor(
      try retrying("openat") { unsafe openat(descriptor.rawValue, name, flags, 0o600) })
  }

  /// What `name` is, links not followed; nil when there is no such name.
  func status(of name: String) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    do {
      try retrying("fstatat") {
        unsafe fstatat(descriptor.rawValue, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch  where error.number == ENOENT {
      return nil
    }
    return FileStatus(status)
  }

  /// Brings the names to stable storage.
  ///
  /// File systems that have no such thing are let through.
  func synchronize() throws(SystemFailure) {
    do {
      try descriptor.synchronize()
    } catch  where [ENOTSUP, EINVAL, ENOTTY].contains(error.number) {
      return
    }
  }
}
