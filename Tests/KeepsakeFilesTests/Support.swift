import KeepsakeFiles

/// The code of the error that `body` throws, or nil when it throws none.
func code<Result>(_ body: () throws -> Result) -> FileError.Code? {
  error(body)?.code
}

/// The error that `body` throws, or nil when it throws none.
func error<Result>(_ body: () throws -> Result) -> FileError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? FileError
  }
}
