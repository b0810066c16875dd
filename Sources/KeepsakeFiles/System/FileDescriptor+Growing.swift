#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// Calls for files that grow at their end.

extension FileDescriptor {
  /// Opens a path for reading and writing; a link at its end is not followed, and a pipe does not block.
  package convenience init(openingForUpdating path: String) throws(SystemFailure) {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    self.init(try retrying("open") { unsafe open(path, flags) })
  }

  /// Brings the file's bytes and its size to stable storage, and no other attributes.
  ///
  /// The call is repeated only after a signal, as ``synchronize()``.
  package func synchronizeData() throws(SystemFailure) {
    #if canImport(Darwin)
      try synchronize()
    #else
      try retrying("fdatasync") { fdatasync(rawValue) }
    #endif
  }

  /// Removes all bytes from `size` on.
  package func truncate(to size: UInt64) throws(SystemFailure) {
    guard let length = off_t(exactly: size) else {
      throw SystemFailure(call: "ftruncate", number: EFBIG)
    }
    try retrying("ftruncate") { ftruncate(rawValue, length) }
  }
}

package enum CurrentProcess {
  /// Its number; after a fork, the number of the child differs from that of its parent.
  package static var identifier: Int32 { getpid() }
}
