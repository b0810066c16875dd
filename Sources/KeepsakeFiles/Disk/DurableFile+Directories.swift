extension DurableFile {
  /// Creates a directory, and each missing directory above it.
  ///
  /// A directory that already exists is left unchanged.
  ///
  /// - Parameters:
  ///   - path: The path of the directory; links on the way to it are followed.
  ///   - mode: The permissions of each directory that is created.
  /// - Throws: ``FileError`` with `notDirectory`, `permissionDenied`, `readOnlyFileSystem`,
  ///   `noSpace`, `durabilityUnknown` and others. Directories that were created before the
  ///   failure stay.
  public static func createDirectory(
    at path: some FilePathConvertible, mode: UInt32 = 0o700
  ) throws(FileError) {
    var missing: [FileLocation] = []
    var current = try FileLocation.withoutTrailingSlashes(path.filePath)
    while try !FileLocation.isDirectory(current) {
      let location = try FileLocation(current)
      missing.append(location)
      current = try FileLocation.withoutTrailingSlashes(location.directoryPath)
    }
    for location in missing.reversed() { try create(location, mode: mode) }
  }

  /// Makes sure that only this user can replace files in a directory; links on the way to it are followed.
  ///
  /// An absent directory passes: it holds no files to replace. Throws `directoryNotOwned` when it belongs to another
  /// user, and `directoryOpenPermissions` when its group or all users can write to it.
  package static func requireOwnDirectory(at path: String) throws(FileError) {
    guard try FileLocation.isDirectory(path) else { return }
    let status: FileStatus?
    do throws(SystemFailure) {
      status = try FileStatus.followingLinks(path)
    } catch {
      throw FileError(error, path: path)
    }
    guard let status else { return }
    guard status.isOwnedByEffectiveUser else {
      throw FileError(.directoryNotOwned, path: path, detail: "user \(status.owner)")
    }
    guard status.permissions & 0o022 == 0 else {
      throw FileError(
        .directoryOpenPermissions, path: path,
        detail: "mode 0" + String(status.permissions, radix: 8))
    }
  }

  /// True when the permissions, attributes and file system of a directory let this user create and remove files in it.
  ///
  /// For an absent directory: true when this user may create it. Links on the way to it are followed.
  package static func isWritableDirectory(_ path: String) throws(FileError) -> Bool {
    var current = try FileLocation.withoutTrailingSlashes(path)
    while try !FileLocation.isDirectory(current) {
      current = try FileLocation.withoutTrailingSlashes(FileLocation(current).directoryPath)
    }
    do throws(SystemFailure) {
      return try FileStatus.mayWriteDirectory(current)
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// Removes an empty directory.
  package static func removeDirectory(at path: String) throws(FileError) {
    let location = try FileLocation(path)
    let parent = try location.openDirectory()
    try location.calling { () throws(SystemFailure) in try parent.removeDirectory(location.name) }
    try location.synchronize(parent)
  }

  private static func create(_ location: FileLocation, mode: UInt32) throws(FileError) {
    let parent = try location.openDirectory()
    do throws(SystemFailure) {
      try parent.createDirectory(location.name, mode: mode)
      do throws(SystemFailure) {
        try parent.openDirectory(location.name).descriptor.setPermissions(mode & 0o777)
      } catch {
        // A call that fails leaves no directory behind.
        try? parent.removeDirectory(location.name)
        throw error
      }
    } catch {
      // Another process may have created it since the check.
      guard error.alreadyExists, try FileLocation.isDirectory(location.path) else {
        // `fileAbsent` would mislead here: the directory is to be created.
        guard !error.isAbsent else {
          throw FileError(
            .systemCallFailed, path: location.path, systemError: error.number,
            systemCall: error.call, detail: "the directory cannot be created there")
        }
        throw FileError(error, path: location.path)
      }
    }
    // Each level is synchronized: a directory whose name is lost loses its content.
    try location.synchronize(parent)
  }
}
