// For whoever has to get something out of the way, whatever it is.
extension DurableFile {
  /// Moves whatever has a name to a name that nothing has: a file, a link itself, a pipe, a directory
  /// with all that is in it.
  ///
  /// - Parameters:
  ///   - path: A path at which there is something; a link at its end is not followed.
  ///   - newPath: A path in an existing directory of the same file system.
  /// - Throws: ``SealError`` with `fileAbsent`, `alreadyExists`, `permissionDenied`, `noSpace`,
  ///   `durabilityUnknown` and others.
  public static func moveEntry(from path: String, to newPath: String) throws(SealError) {
    let (source, target) = (try FileLocation(path), try FileLocation(newPath))
    let from = try source.openDirectory()
    let to = try target.openDirectory()
    guard let status = try source.status(in: from) else {
      throw SealError(.fileAbsent, path: path)
    }
    try target.calling { () throws(SystemFailure) in
      if status.kind == .directory {
        // A directory has one name only. What could be replaced by it is an empty directory at most.
        if try to.status(of: target.name) != nil { throw SystemFailure.takenByOthers }
        try from.rename(source.name, to: to, as: target.name)
      } else {
        try from.move(source.name, to: to, as: target.name)
      }
    }
    try target.synchronize(to)
    try source.synchronize(from)
  }

  /// Removes whatever has a name, without looking into it: a file, a link itself, a pipe, a socket, a
  /// directory with nothing in it.
  ///
  /// - Parameter path: A path; a link at its end is not followed. Where there is nothing, nothing is done.
  /// - Throws: ``SealError`` with `permissionDenied`, `systemCallFailed` when it is a directory that has
  ///   something in it, and others.
  public static func removeEntry(at path: String) throws(SealError) {
    let location = try FileLocation(path)
    let directory: Directory
    do {
      directory = try location.openDirectory()
    } catch  where error.code == .directoryAbsent {
      return
    }
    guard let status = try location.status(in: directory) else { return }
    try location.calling { () throws(SystemFailure) in
      if status.kind == .directory {
        try directory.removeDirectory(location.name)
      } else {
        try directory.remove(location.name)
      }
    }
    try location.synchronize(directory)
  }

  /// Removes the temporary files that writers of this module left in a directory when they died.
  ///
  /// Each writer does so in the directory of its file; this is for a directory in which nobody writes
  /// for long. What cannot be decided or removed stays.
  ///
  /// - Parameter path: The path of a directory.
  public static func removeStaleTemporaries(in path: String) {
    guard let directory = try? Directory(path: path) else { return }
    StaleTemporaries.collect(in: directory)
  }
}
