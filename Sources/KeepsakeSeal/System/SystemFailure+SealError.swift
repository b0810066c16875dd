#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
