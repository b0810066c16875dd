@_exported public import KeepsakeFiles

extension SealError {
  /// Makes an error of this module from the failure of a file.
  package init(_ error: FileError) {
    self.init(
      error.code, path: error.path, systemError: error.systemError,
      systemCall: error.systemCall, detail: error.detail)
  }

  /// The error for a failed system call at `path`.
  init(_ failure: SystemFailure, path: String?) {
    self.init(FileError(failure, path: path))
  }
}

/// Works with files; what fails is an error of this module.
package func callingFiles<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(SealError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw SealError(error)
  }
}

/// Runs system calls; a caller that knows the file adds its path to the error.
func callingSystem<Result>(
  _ body: () throws(SystemFailure) -> Result
) throws(SealError) -> Result {
  do throws(SystemFailure) {
    return try body()
  } catch {
    throw SealError(error, path: nil)
  }
}
