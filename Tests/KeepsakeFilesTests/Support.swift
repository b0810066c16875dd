import KeepsakeFiles

/// The code of the error that `body` throws, or nil when it throws none.
func code<Result>(_ body: () throws -> Result) -> FileError.Code? {
  error(body)?.code
}

/// The error that `body` throws, or nil when it throws none.
func error<Result>(_ body: () throws -> Result) -> FileError? {
  thrown(body) as? FileError
}

/// Bytes in which every position up to the 251st looks different.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

/// The system call that fails in `body`, and its error number; nil when it throws none.
func failure<Result>(_ body: () throws -> Result) -> SystemFailure? {
  thrown(body) as? SystemFailure
}

private func thrown<Result>(_ body: () throws -> Result) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
