#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What `fstat` says of a file, as far as this module asks.
struct FileStatus: Sendable {
  enum Kind: Sendable, Equatable {
    case regular, directory, symbolicLink, pipe, socket, device
  }

  let kind: Kind
  let size: UInt64
  let permissions: UInt32
  let owner: UInt32
  let links: UInt64
  let device: UInt64
  let inode: UInt64
  /// When the content was changed last, as the file system has it.
  let modified: Time
  /// When anything about the file was changed last, its names and permissions included.
  let changed: Time

  /// A time of a file: seconds, and nanoseconds of the second.
  struct Time: Hashable, Sendable {
    let seconds: Int64
    let nanoseconds: Int64

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
    links = UInt64(status.st_nlink)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      (modified, changed) = (Time(status.st_mtimespec), Time(status.st_ctimespec))
    #else
      (modified, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    #endif
  }

  /// What tells a file from every other one of the machine, as long as it exists.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  var identity: Identity { Identity(device: device, inode: inode) }

  /// Whether both are the same file, whatever its name.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether this is the file that `earlier` was said of, with the content that it had then, as far as
  /// its size and its time tell.
  func isUnchanged(since earlier: FileStatus) -> Bool {
    isSameFile(as: earlier) && size == earlier.size && modified == earlier.modified
  }

  /// Whether the file belongs to the user that this process acts as.
  var isOwnedByEffectiveUser: Bool { owner == UInt32(geteuid()) }
}

extension FileStatus {
  /// What is at a path at the end of all links; nil when nothing is.
  static func following(_ path: String) throws(SystemFailure) -> FileStatus? {
    try status(path, flags: 0)
  }

  /// What is at a path, a link at its end not followed; nil when nothing is.
  static func notFollowing(_ path: String) throws(SystemFailure) -> FileStatus? {
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
