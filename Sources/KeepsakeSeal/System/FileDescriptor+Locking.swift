#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileDescriptor {
  /// Lets a millisecond pass, between two tries to take a lock.
  static func pause() {
    usleep(1_000)
  }

  /// Gives the lock back.
  ///
  /// Closing the file would do as well, were there not processes that were just started and have a
  /// copy of every descriptor until they run their own program.
  func unlock() {
    _ = flock(rawValue, LOCK_UN)
  }
}

extension Directory {
  /// Opens `name` to lock it, and creates it for its owner alone where there is nothing.
  func openForLocking(_ name: String) throws(SystemFailure) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    return FileDescriptor(
      try retrying("openat") { unsafe openat(descriptor.rawValue, name, flags, 0o600) })
  }

  /// Opens `name` to write over it.
  func openForWriting(_ name: String) throws(SystemFailure) -> FileDescriptor {
    let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    return FileDescriptor(
      try retrying("openat") { unsafe openat(descriptor.rawValue, name, flags) })
  }
}
