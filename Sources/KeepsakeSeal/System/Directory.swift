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
    Directory(try openEntry(name, O_RDONLY | O_DIRECTORY))
  }

  /// Opens `name` for reading; a link is not followed, and a pipe does not block.
  func openForReading(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDONLY | O_NONBLOCK)
  }

  /// Opens `name` to write over it.
  func openForWriting(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_WRONLY | O_NONBLOCK)
  }

  /// Opens `name` to lock it, and creates it for its owner alone where there is nothing.
  func openForLocking(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDWR | O_CREAT | O_NONBLOCK)
  }

  /// Creates `name`, which must not exist, for its owner alone.
  func createFile(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDWR | O_CREAT | O_EXCL)
  }

  private func openEntry(_ name: String, _ flags: Int32) throws(SystemFailure) -> FileDescriptor {
    FileDescriptor(
      try retrying("openat") {
        unsafe openat(descriptor.rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
      })
  }

  /// Creates a file without a name, for its owner alone, that `link(_:as:)` can give one.
  ///
  /// Whatever becomes of the process, nothing of it is left until then. Throws an error that is
  /// `isUnsupported` where the system or the file system has no such files.
  func createNamelessFile() throws(SystemFailure) -> FileDescriptor {
    #if os(Linux)
      // O_TMPFILE of fcntl.h, which not every C library's module shows.
      let flags = O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000
      let file = FileDescriptor(
        try retrying("openat") { unsafe openat(descriptor.rawValue, ".", flags, 0o600) })
      // It gets its name through /proc, which may not be there.
      guard let status = try? FileStatus.following(file.processPath),
        status.isSameFile(as: try file.status())
      else { throw SystemFailure(call: "openat", number: ENOSYS) }
      return file
    #else
      throw SystemFailure(call: "openat", number: ENOSYS)
    #endif
  }

  /// Gives a file that ``createNamelessFile()`` made the name `name`, which nothing may have.
  func link(_ file: FileDescriptor, as name: String) throws(SystemFailure) {
    let path = file.processPath
    try retrying("linkat") {
      unsafe linkat(AT_FDCWD, path, descriptor.rawValue, name, AT_SYMLINK_FOLLOW)
    }
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

  /// Lets its owner read and write the file `name`, which is not a link.
  func makeWritable(_ name: String) throws(SystemFailure) {
    try retrying("fchmodat") {
      unsafe fchmodat(descriptor.rawValue, name, 0o600, AT_SYMLINK_NOFOLLOW)
    }
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

extension FileDescriptor {
  /// The path by which this process can name the open file on Linux.
  fileprivate var processPath: String { "/proc/self/fd/\(rawValue)" }
}
