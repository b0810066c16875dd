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
  package static func moveEntry(from path: String, to newPath: String) throws(SealError) {
    let (source, target) = (try FileLocation(path), try FileLocation(newPath))
    let from = try source.openDirectory()
    guard let status = try source.status(in: from) else {
      throw SealError(.fileAbsent, path: path)
    }
    if status.kind == .regular { return try move(from: path, to: newPath) }
    let to = try target.openDirectory()
    try target.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        try from.moveExclusively(source.name, to: to, as: target.name)
      } catch  where error.isUnsupported {
        guard status.kind == .directory else {
          return try from.moveByLink(source.name, to: to, as: target.name)
        }
        // A directory has one name only. All that could be replaced by it is an empty directory.
        if try to.status(of: target.name) != nil { throw SystemFailure.takenByOthers }
        try from.rename(source.name, to: to, as: target.name)
      }
    }
    // The point of no return is behind; what fails now names the place where it is.
    try target.synchronize(to)
    try target.synchronize(from)
  }

  /// Removes whatever has a name, without looking into it: a file, a link itself, a pipe, a socket, a
  /// directory with nothing in it.
  ///
  /// - Parameter path: A path; a link at its end is not followed. Where there is nothing, nothing is done.
  /// - Throws: ``SealError`` with `permissionDenied`, `systemCallFailed` when it is a directory that has
  ///   something in it, and others.
  package static func removeEntry(at path: String) throws(SealError) {
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

  /// Removes what writers of a file, and others in its directory, left there when they died.
  ///
  /// Each writer does so before it writes; this is for a file that nobody writes for long. What cannot be
  /// decided or removed stays.
  ///
  /// - Parameter path: The path of the file.
  package static func removeStaleTemporaries(besides path: String) {
    guard let location = try? FileLocation(path), let directory = try? location.openDirectory()
    else { return }
    StaleTemporaries.collect(in: directory, for: location)
  }

  /// The names in a directory, sorted; without `.` and `..`.
  ///
  /// - Parameters:
  ///   - path: The path of a directory.
  ///   - limit: How many names there may be, so that a vast directory does not hold up the caller.
  /// - Returns: The names, all of them; none when there is no such directory. In a name that is no UTF-8, U+FFFD is put
  ///   in the place of invalid bytes, and no path leads to it.
  /// - Throws: ``SealError`` with `notDirectory`, `permissionDenied`, `limitExceeded` and others, also when
  ///   the system fails in the middle of the list: a directory that cannot be read is never an empty one.
  package static func names(in path: String, limit: Int = 65_536) throws(SealError) -> [String] {
    try FileLocation.requireName(path)
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
}
