extension DurableFile {
  /// Gives a file a second name, so that its content survives what is done under the first one.
  ///
  /// The content is not copied, so the two must be in one file system. Replacing either name
  /// later leaves the other as it is.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - newPath: A path in an existing directory; what is there is never replaced.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `alreadyExists` and others.
  public static func preserve(_ path: String, as newPath: String) throws(SealError) {
    let (source, target) = (try FileLocation(path), try FileLocation(newPath))
    let from = try source.openRegularDirectory()
    let to = try target.openDirectory()
    try target.calling { () throws(SystemFailure) in
      try from.link(source.name, in: to, as: target.name)
    }
    try target.synchronize(to)
  }

  /// Moves a file to a path where there is nothing yet.
  ///
  /// Where the file system cannot do this in one step, a power cut may leave the file under both names.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - newPath: A path in an existing directory of the same file system.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `alreadyExists` and others.
  public static func move(from path: String, to newPath: String) throws(SealError) {
    let (source, target) = (try FileLocation(path), try FileLocation(newPath))
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
      // In two steps, between which nobody may replace the file: removing its old name would lose what
      // was saved.
      let locked = try LockedTarget(source, in: from)
      try target.calling { () throws(SystemFailure) in
        try from.moveByLink(source.name, to: to, as: target.name)
      }
      withExtendedLifetime(locked) {}
    }
    // The point of no return is behind; what fails now names the place where the file is. The new name comes first: a
    // cut in between leaves two names rather than none.
    try target.synchronize(to)
    try target.synchronize(from)
  }

  /// Removes a file.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `permissionDenied` and others.
  public static func remove(at path: String) throws(SealError) {
    let location = try FileLocation(path)
    let directory = try location.openRegularDirectory()
    try location.calling { () throws(SystemFailure) in try directory.remove(location.name) }
    try location.synchronize(directory)
  }

  /// Writes zeros over a file, then removes it: for a file that holds a secret.
  ///
  /// On a disk that writes in place the old bytes are gone then. Flash memory, journals, snapshots and
  /// backups may keep them; see SECURITY.md. A file that its owner cannot write is made writable first.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Returns: How many other names (hard links) the file has; under each of them it is all zeros now.
  /// - Throws: ``SealError`` with `fileAbsent`, `notRegularFile`, `permissionDenied`, `fileLocked` when
  ///   another writer is about to replace the file, and others; `systemCallFailed` when the file may be overwritten
  ///   and is still there, and `durabilityUnknown` when its name is gone.
  @discardableResult
  public static func erase(at path: String) throws(SealError) -> Int {
    let location = try FileLocation(path)
    let directory = try location.openRegularDirectory()
    // What replaces the file in the middle of it would be removed without having been overwritten.
    guard let locked = try LockedTarget(location, in: directory) else {
      throw SealError(.fileAbsent, path: path)
    }
    let file = try location.calling { () throws(SystemFailure) in
      try openForErasing(location.name, in: directory)
    }
    let otherNames: Int
    do throws(SystemFailure) {
      // The point of no return is the first zero that is written.
      try file.overwriteWithZeros()
      try file.synchronize()
      // Once the name is gone, nothing that can fail may be left but to bring that to the disk.
      let links = try file.status().links
      try directory.remove(location.name)
      otherNames = Int(clamping: links) - 1
    } catch {
      throw SealError(
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
      // When the other way does not work either, the first failure is the one to tell.
      guard (try? directory.makeWritable(name)) != nil else { throw error }
      return try directory.openForWriting(name)
    }
  }
}

extension FileLocation {
  /// Opens the directory in which the name stands for a regular file.
  func openRegularDirectory() throws(SealError) -> Directory {
    let directory: Directory
    do {
      directory = try openDirectory()
    } catch  where error.code == .directoryAbsent {
      throw SealError(.fileAbsent, path: path)
    }
    guard let status = try status(in: directory) else {
      throw SealError(.fileAbsent, path: path)
    }
    try requireRegular(status)
    return directory
  }
}
