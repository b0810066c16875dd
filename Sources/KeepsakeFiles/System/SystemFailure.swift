#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A system call that failed, and its `errno`.
package struct SystemFailure: Error {
  package let call: String
  package let number: Int32

  /// The failure when a part of a path is not a directory.
  static let notDirectory = SystemFailure(call: "stat", number: ENOTDIR)

  /// The failure when the name of a new file already exists.
  static let nameExists = SystemFailure(call: "openat", number: EEXIST)

  var alreadyExists: Bool { number == EEXIST }
  var isAbsent: Bool { number == ENOENT }
  var isDirectory: Bool { number == EISDIR }
  /// True when this user is not permitted to do this.
  var isRefused: Bool { number == EACCES || number == EPERM }
  /// True when the file system is mounted read-only.
  var isReadOnly: Bool { number == EROFS }
  var isLocked: Bool { number == EWOULDBLOCK }

  /// True when the system or the file system does not have the operation.
  var isUnsupported: Bool { [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(number) }
  /// True when the file system has no locks.
  var hasNoLocks: Bool { isUnsupported || number == ENOLCK }
  /// True when a file cannot be locked, because this user cannot open it or its file system has no locks; it is
  /// then replaced without a lock.
  var preventsLocking: Bool { isRefused || hasNoLocks }
  /// True when a lock was refused because the file is open for reading only.
  var needsWriting: Bool { number == EBADF }
}

/// Runs a system call that returns a negative number on failure; repeats it when a signal interrupts it.
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

/// Runs system calls; a caller that knows the file adds its path to the error.
func callingSystem<Result>(
  _ body: () throws(SystemFailure) -> Result
) throws(FileError) -> Result {
  do throws(SystemFailure) {
    return try body()
  } catch {
    throw FileError(error, path: nil)
  }
}

extension FileError {
  /// The error for a failed system call at `path`.
  package init(_ failure: SystemFailure, path: String?) {
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

  /// The system's message for an error number.
  package static func systemMessage(_ number: Int32) -> String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: message)
  }
}
