#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The parts of `fstat`'s result that this module uses.
package struct FileStatus: Sendable {
  package enum Kind: Sendable, Equatable {
    case regular, directory, symbolicLink, pipe, socket, device
  }

  package let kind: Kind
  package let size: UInt64
  package let permissions: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let links: UInt64
  package let device: UInt64
  package let inode: UInt64
  /// The time of the last change of the content, as the file system records it.
  package let modified: Time
  /// The time at which anything about the file was last changed, including its names and permissions.
  package let changed: Time

  /// A time of a file: seconds, and nanoseconds within the second.
  package struct Time: Hashable, Sendable {
    package let seconds: Int64
    package let nanoseconds: Int64

    init(_ time: timespec) {
      (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
    }
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
    size = UInt64(clamping: status.st_size)
    permissions = UInt32(status.st_mode & 0o7777)
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    links = UInt64(status.st_nlink)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      (modified, changed) = (Time(status.st_mtimespec), Time(status.st_ctimespec))
    #else
      (modified, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    #endif
  }

  /// Identifies a file on this machine, as long as it exists.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package var identity: Identity { Identity(device: device, inode: inode) }

  /// Whether both are the same file, whatever its name.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether this is the same file as in `earlier`, with the same size and modification time.
  package func isUnchanged(since earlier: FileStatus) -> Bool {
    isSameFile(as: earlier) && size == earlier.size && modified == earlier.modified
  }

  /// True when the effective user of this process owns the file.
  package var isOwnedByEffectiveUser: Bool { owner == UInt32(geteuid()) }
}

extension FileStatus {
  /// The status of the entry at a path, after all links are followed; nil when the path has no entry.
  static func followingLinks(_ path: String) throws(SystemFailure) -> FileStatus? {
    try status(path, flags: 0)
  }

  /// The status of the entry at a path, or of a link at its end; nil when the path has no entry.
  static func withoutFollowingLinks(_ path: String) throws(SystemFailure) -> FileStatus? {
    try status(path, flags: AT_SYMLINK_NOFOLLOW)
  }

  /// Whether this user may make and remove files in the directory at a path.
  static func mayWriteDirectory(_ path: String) throws(SystemFailure) -> Bool {
    do {
      try retrying("faccessat") { unsafe faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) }
      return true
    } catch  where error.isRefused || error.isReadOnly {
      return false
    }
  }

  private static func status(_ path: String, flags: Int32) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    do {
      try retrying("fstatat") { unsafe fstatat(AT_FDCWD, path, &status, flags) }
    } catch  where error.number == ENOENT {
      return nil
    }
    return FileStatus(status)
  }
}
