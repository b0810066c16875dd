#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A system call that failed, and its `errno`.
struct SystemFailure: Error {
  let call: String
  let number: Int32

  /// What the system says of a path that leads through something else than a directory.
  static let notDirectory = SystemFailure(call: "stat", number: ENOTDIR)

  /// What is said when others were faster each time that a file was created.
  static let takenByOthers = SystemFailure(call: "openat", number: EEXIST)

  var alreadyExists: Bool { number == EEXIST }
  var isAbsent: Bool { number == ENOENT }
  var isDirectory: Bool { number == EISDIR }
  /// Whether this user may not do it.
  var isRefused: Bool { number == EACCES || number == EPERM }
  /// Whether nothing can be written on the file system.
  var isReadOnly: Bool { number == EROFS }
  var isLocked: Bool { number == EWOULDBLOCK }

  /// Whether the system, or the file system, says that it has no such operation.
  var isUnsupported: Bool { [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(number) }
  /// Whether the file system says that it has no locks.
  var hasNoLocks: Bool { isUnsupported || number == ENOLCK }
  /// Whether a file is replaced without a lock: this user may not open it, or its file system has no locks.
  var preventsLocking: Bool { isRefused || hasNoLocks }
  /// Whether a lock was refused because the file is open for reading only.
  var needsWriting: Bool { number == EBADF }
}

/// Runs a call that returns a negative number on failure, again whenever a signal interrupts it.
@discardableResult
func retrying<Result: SignedInteger>(
  _ call: String, _ body: () -> Result
) throws(SystemFailure) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemFailure(call: call, number: number) }
  }
}

/// Runs system calls; whoever knows which file they are about adds its path to the error.
func callingSystem<Result>(
  _ body: () throws(SystemFailure) -> Result
) throws(SealError) -> Result {
  do throws(SystemFailure) {
    return try body()
  } catch {
    throw SealError(error, path: nil)
  }
}

extension SealError {
  /// The error that a failed system call at `path` amounts to.
  init(_ failure: SystemFailure, path: String?) {
    let code: Code =
      switch failure.number {
      case ENOENT: .fileAbsent
      case EEXIST: .alreadyExists
      case ENOTDIR: .notDirectory
      case EISDIR, ELOOP, ENXIO: .notRegularFile
      case EACCES, EPERM: .permissionDenied
      case EROFS: .readOnlyFileSystem
      case ENOSPC, EDQUOT: .noSpace
      case ENOMEM: .insufficientMemory
      default: .systemCallFailed
      }
    self.init(
      code, path: path, systemError: failure.number, systemCall: failure.call)
  }

  /// The system's own words for an error number.
  static func systemMessage(_ number: Int32) -> String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: message)
  }
}
