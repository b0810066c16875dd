extension DurableFile {
  /// Writes zeros over a file, then removes it: for a file that holds a secret.
  ///
  /// On a disk that writes in place the old bytes are gone then. Flash memory, journals, snapshots and
  /// backups may keep them; see SECURITY.md. A file that its owner cannot write is made writable first.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Returns: How many other names (hard links) the file has; under each of them it is all zeros now.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `permissionDenied`, `fileLocked` when
  ///   another writer is about to replace the file, and others. After a failure the file may be
  ///   overwritten and still there.
  @discardableResult
  public static func erase(at path: String) throws(SealError) -> Int {
    let location = try FileLocation(path)
    let directory = try location.openRegularDirectory()
    // What replaces the file in the middle of it would be removed without having been overwritten.
    guard let locked = try LockedTarget(location, in: directory) else {
      throw SealError(.fileAbsent, path: path)
    }
    let otherNames = try location.calling { () throws(SystemFailure) in
      let file = try openForErasing(location.name, in: directory)
      try file.overwriteWithZeros()
      try file.synchronize()
      try directory.remove(location.name)
      return Int(clamping: try file.status().links)
    }
    withExtendedLifetime(locked) {}
    try location.synchronize(directory)
    return otherNames
  }

  private static func openForErasing(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor {
    do throws(SystemFailure) {
      return try directory.openForWriting(name)
    } catch  where error.isRefused {
      try directory.makeWritable(name)
      return try directory.openForWriting(name)
    }
  }

  /// The names in a directory, sorted; without `.` and `..`.
  ///
  /// - Parameters:
  ///   - path: The path of a directory.
  ///   - limit: How many names there may be, so that a vast directory does not hold up the caller.
  /// - Returns: The names, all of them; none when there is no such directory.
  /// - Throws: ``SealError`` with `notDirectory`, `permissionDenied`, `limitExceeded` and others, also when
  ///   the system fails in the middle of the list: a directory that cannot be read is never an empty one.
  public static func names(in path: String, limit: Int = 65_536) throws(SealError) -> [String] {
    let names: [String]
    do throws(SystemFailure) {
      let directory = try Directory(path: path)
      names = try directory.names(limit: limit + 1, among: .max) { $0 != "." && $0 != ".." }
    } catch {
      let error = SealError(error, path: path)
      if error.code == .fileAbsent { return [] }
      throw error
    }
    guard names.count <= limit else {
      throw SealError(.limitExceeded, path: path, detail: "it has more than \(limit) names")
    }
    return names.sorted()
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
