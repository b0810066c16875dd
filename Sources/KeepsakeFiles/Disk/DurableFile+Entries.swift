// Operations on directory entries of any kind, for callers that must make a path free.
extension DurableFile {
  /// Moves an entry to an unused path: a file, a pipe, a link (not its target), or a directory with its content.
  ///
  /// The new path is in an existing directory of the same file system.
  package static func moveEntry(from path: String, to newPath: String) throws(FileError) {
    let (source, target) = (try FileLocation(path), try FileLocation(newPath))
    let from = try source.openDirectory()
    guard let status = try source.status(in: from) else {
      throw FileError(.fileAbsent, path: path)
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
        // A directory cannot have two names. If another process takes the new name after this check, `renameat`
        // replaces at most an empty directory.
        if try to.status(of: target.name) != nil { throw SystemFailure.nameExists }
        try from.rename(source.name, to: to, as: target.name)
      }
    }
    // The entry has moved: from here on an error names the new path.
    try target.synchronize(to)
    try target.synchronize(from)
  }

  /// Removes an entry, if there is one, without opening it: a file, a pipe, a socket, a link (not its target), or an
  /// empty directory.
  package static func removeEntry(at path: String) throws(FileError) {
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

  /// Removes the temporary files that dead writers left in the directory of a file.
  ///
  /// Each writer does this before it writes. Call it for a file that will not be written for a long time. A temporary
  /// file that cannot be checked or removed is kept.
  package static func removeStaleTemporaries(besides path: String) {
    guard let location = try? FileLocation(path), let directory = try? location.openDirectory()
    else { return }
    StaleTemporaries.collect(in: directory, for: location)
  }

  /// The names in a directory, sorted, without `.` and `..`; none when the directory does not exist.
  ///
  /// In a name that is not UTF-8, U+FFFD replaces the invalid bytes, so the returned name cannot open that file. Throws
  /// `limitExceeded` for more names than the limit, and also when the system fails in the middle of the list: a
  /// directory that cannot be read never looks empty.
  package static func names(in path: String, limit: Int = 65_536) throws(FileError) -> [String] {
    try FileLocation.requireName(path)
    let names: [String]
    do throws(SystemFailure) {
      let directory = try Directory(path: path)
      names = try directory.names(limit: limit + 1, among: .max) { $0 != "." && $0 != ".." }
    } catch {
      let error = FileError(error, path: path)
      if error.code == .fileAbsent { return [] }
      throw error
    }
    guard names.count <= limit else {
      throw FileError(.limitExceeded, path: path, detail: "it has more than \(limit) names")
    }
    return names.sorted()
  }
}
