extension DurableFile {
  /// Writes zeros over a file, then removes it: for a file that holds a secret.
  ///
  /// On a disk that writes in place the old bytes are gone then. Flash memory, journals, snapshots and
  /// backups may keep them; see SECURITY.md.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `permissionDenied` and others.
  ///   After a failure the file may be overwritten and still there.
  public static func erase(at path: String) throws(SealError) {
    let location = try FileLocation(path)
    let directory = try location.openRegularDirectory()
    try location.calling { () throws(SystemFailure) in
      let file = try directory.openForWriting(location.name)
      var remaining = try file.status().size
      let zeros = [UInt8](repeating: 0, count: 4_096)
      var offset: UInt64 = 0
      while remaining > 0 {
        let count = Int(min(remaining, UInt64(zeros.count)))
        try file.write(zeros.span.extracting(0..<count), at: offset)
        offset += UInt64(count)
        remaining -= UInt64(count)
      }
      try file.synchronize()
      try directory.remove(location.name)
    }
    try location.synchronize(directory)
  }

  /// The names in a directory, sorted; without `.` and `..`.
  ///
  /// - Parameters:
  ///   - path: The path of a directory.
  ///   - limit: How many names are looked at, so that a large directory does not hold up the caller.
  /// - Returns: The names, none when there is no such directory.
  /// - Throws: ``SealError`` with `notDirectory`, `permissionDenied` and others.
  public static func names(in path: String, limit: Int = 65_536) throws(SealError) -> [String] {
    do throws(SystemFailure) {
      let directory = try Directory(path: path)
      return try directory.names(limit: limit) { $0 != "." && $0 != ".." }.sorted()
    } catch {
      let error = SealError(error, path: path)
      if error.code == .fileAbsent { return [] }
      throw error
    }
  }

  /// Removes a directory with nothing in it.
  ///
  /// - Parameter path: The path of an empty directory.
  /// - Throws: ``SealError`` with `fileAbsent`, `systemCallFailed` when something is in it, and others.
  public static func removeDirectory(at path: String) throws(SealError) {
    let location = try FileLocation(path)
    let parent = try location.openDirectory()
    try location.calling { () throws(SystemFailure) in try parent.removeDirectory(location.name) }
    try location.synchronize(parent)
  }
}
