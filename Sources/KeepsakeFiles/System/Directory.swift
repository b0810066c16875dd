#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open directory.
///
/// Calls are relative to its descriptor, so all steps use one directory even if its path is replaced.
package final class Directory: Sendable {
  package let descriptor: FileDescriptor

  package init(path: String) throws(SystemFailure) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    descriptor = FileDescriptor(try retrying("open") { unsafe open(path, flags) })
  }

  private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Opens the directory `name` in this one; a link is not followed.
  func openDirectory(_ name: String) throws(SystemFailure) -> Directory {
    Directory(try openEntry(name, O_RDONLY | O_DIRECTORY))
  }

  /// Opens `name` for reading; a link is not followed, and a pipe does not block.
  package func openForReading(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDONLY | O_NONBLOCK)
  }

  /// Opens `name` for overwriting.
  package func openForWriting(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_WRONLY | O_NONBLOCK)
  }

  /// Opens `name` to lock it.
  ///
  /// A missing file is created, for its owner alone.
  func openForLocking(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDWR | O_CREAT | O_NONBLOCK)
  }

  /// Creates `name`, which must not exist, for its owner alone.
  package func createFile(_ name: String) throws(SystemFailure) -> FileDescriptor {
    try openEntry(name, O_RDWR | O_CREAT | O_EXCL)
  }

  private func openEntry(_ name: String, _ flags: Int32) throws(SystemFailure) -> FileDescriptor {
    FileDescriptor(
      try retrying("openat") {
        unsafe openat(descriptor.rawValue, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
      })
  }

  /// Creates a nameless file, for its owner alone; `link(_:as:)` can give it a name.
  ///
  /// Until then the file disappears when the process ends. The error is `isUnsupported` when the system or the file
  /// system has no nameless files.
  package func createNamelessFile() throws(SystemFailure) -> FileDescriptor {
    #if os(Linux)
      // O_TMPFILE of fcntl.h, which some C libraries' modules do not export.
      let flags = O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000
      let file = FileDescriptor(
        try retrying("openat") { unsafe openat(descriptor.rawValue, ".", flags, 0o600) })
      // The file gets its name through /proc, which may be missing.
      guard let status = try? FileStatus.followingLinks(file.processPath),
        status.isSameFile(as: try file.status())
      else { throw SystemFailure(call: "openat", number: ENOSYS) }
      return file
    #else
      throw SystemFailure(call: "openat", number: ENOSYS)
    #endif
  }

  /// Gives a file that ``createNamelessFile()`` made the unused name `name`.
  func link(_ file: FileDescriptor, as name: String) throws(SystemFailure) {
    let path = file.processPath
    try retrying("linkat") {
      unsafe linkat(AT_FDCWD, path, descriptor.rawValue, name, AT_SYMLINK_FOLLOW)
    }
  }

  /// The status of `name`, links not followed; nil when there is no such name.
  package func status(of name: String) throws(SystemFailure) -> FileStatus? {
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

  /// Sets the permissions of the file `name`, which is not a link, to 0600.
  func makeWritable(_ name: String) throws(SystemFailure) {
    try retrying("fchmodat") {
      unsafe fchmodat(descriptor.rawValue, name, 0o600, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Makes the names in this directory durable.
  ///
  /// A file system without this operation counts as synchronized.
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
