extension DurableFile {
  /// Gives a file a second name, which keeps its content when the first name is replaced.
  ///
  /// The content is not copied, so both names must be in one file system. Replacing either name later leaves
  /// the other unchanged.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - newPath: A path in an existing directory; an existing file there is never replaced.
  /// - Throws: ``FileError`` with `fileAbsent`, `notRegularFile`, `alreadyExists` and others.
  public static func preserve(
    _ path: some FilePathConvertible, as newPath: some FilePathConvertible
  ) throws(FileError) {
    let source = try FileLocation(path.filePath)
    let target = try FileLocation(newPath.filePath)
    let from = try source.openRegularDirectory()
    let to = try target.openDirectory()
    try target.calling { () throws(SystemFailure) in
      try from.link(source.name, in: to, as: target.name)
    }
    try target.synchronize(to)
  }

  /// Moves a file to an unused path.
  ///
  /// Where the file system cannot do this in one step, a power cut may leave the file under both names.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - newPath: A path in an existing directory of the same file system.
  /// - Throws: ``FileError`` with `fileAbsent`, `notRegularFile`, `alreadyExists` and others.
  public static func move(
    from path: some FilePathConvertible, to newPath: some FilePathConvertible
  ) throws(FileError) {
    let source = try FileLocation(path.filePath)
    let target = try FileLocation(newPath.filePath)
    let from = try source.openRegularDirectory()
    let to = try target.openDirectory()
    let isMoved = try target.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        try from.moveExclusively(source.name, to: to, as: target.name)
        return true
      } catch  where error.isUnsupported {
        return false
      }
    }
    if !isMoved {
      // The move takes two steps. The lock keeps other writers out between them: removing the old name of a
      // file that was just replaced would lose the new content.
      let locked = try LockedTarget(source, in: from)
      try target.calling { () throws(SystemFailure) in
        try from.moveByLink(source.name, to: to, as: target.name)
      }
      withExtendedLifetime(locked) {}
    }
    // The file has moved: from here on an error names the new path. The new name is synchronized first: a
    // power cut in between leaves two names, not none.
    try target.synchronize(to)
    try target.synchronize(from)
  }

  /// Removes a file.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Throws: ``FileError`` with `fileAbsent`, `notRegularFile`, `permissionDenied` and others.
  public static func remove(at path: some FilePathConvertible) throws(FileError) {
    let location = try FileLocation(path.filePath)
    let directory = try location.openRegularDirectory()
    try location.calling { () throws(SystemFailure) in try directory.remove(location.name) }
    try location.synchronize(directory)
  }

  /// Writes zeros over a file that holds a secret, then removes it.
  ///
  /// On a disk that writes in place, this destroys the old bytes. Flash memory, journals, snapshots and
  /// backups may keep them; see SECURITY.md. A file that its owner cannot write is made writable first.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Returns: The number of other names (hard links) of the file; each of them now names a file of zeros.
  /// - Throws: ``FileError`` with `fileAbsent`, `notRegularFile`, `permissionDenied`, `fileLocked` when
  ///   another writer is about to replace the file, and others; `systemCallFailed` when the content may be
  ///   overwritten but the name still exists, and `durabilityUnknown` when the name was removed.
  @discardableResult
  public static func erase(at path: some FilePathConvertible) throws(FileError) -> Int {
    let path = path.filePath
    let location = try FileLocation(path)
    let directory = try location.openRegularDirectory()
    // The lock keeps other writers from replacing the file now. Otherwise the new file would be removed without
    // being overwritten.
    guard let locked = try LockedTarget(location, in: directory) else {
      throw FileError(.fileAbsent, path: path)
    }
    let file = try location.calling { () throws(SystemFailure) in
      try openForErasing(location.name, in: directory)
    }
    let otherNames: Int
    do throws(SystemFailure) {
      // An overwritten byte cannot be restored, so an error says that the content may be overwritten.
      try file.overwriteWithZeros()
      try file.synchronize()
      // Once the name is gone, the only step left that can fail is the synchronization of the directory.
      let links = try file.status().links
      try directory.remove(location.name)
      otherNames = Int(clamping: links) - 1
    } catch {
      throw FileError(
        .systemCallFailed, path: path, systemError: error.number, systemCall: error.call,
        detail: "its content may be overwritten in part or as a whole, and its name is still there")
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
      // When the file cannot be made writable, the first failure is reported.
      guard (try? directory.makeWritable(name)) != nil else { throw error }
      return try directory.openForWriting(name)
    }
  }
}

extension FileLocation {
  /// Opens the directory of the file, and checks that the file is a regular one.
  func openRegularDirectory() throws(FileError) -> Directory {
    let directory: Directory
    do {
      directory = try openDirectory()
    } catch  where error.code == .directoryAbsent {
      throw FileError(.fileAbsent, path: path)
    }
    guard let status = try status(in: directory) else {
      throw FileError(.fileAbsent, path: path)
    }
    try requireRegular(status)
    return directory
  }
}
