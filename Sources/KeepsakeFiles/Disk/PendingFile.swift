/// A file that is being written, with a temporary name or without a name.
///
/// It gets its final name when it is complete and durable (Spec/replacement.md, section 1). If this object is
/// released earlier, the file is removed.
package final class PendingFile {
  package let location: FileLocation
  package let directory: Directory
  package let file: FileDescriptor
  /// The current name of the file; nil while it has none.
  var temporaryName: String?

  /// Checks the target, removes stale temporaries and creates a new file with the permissions `mode`,
  /// whatever the process's mask.
  ///
  /// A nameless file disappears when the process dies. Where there are no nameless files, the file gets a temporary
  /// name.
  package init(at path: String, mode: UInt32 = 0o600, isNameless: Bool = false) throws(FileError) {
    let location = try FileLocation(path)
    let directory = try location.openDirectory()
    // Step 2: renaming over a link, pipe or device would destroy it.
    if let status = try location.status(in: directory) { try location.requireRegular(status) }
    StaleTemporaries.collect(in: directory, for: location)
    self.location = location
    self.directory = directory
    if isNameless, let file = try PendingFile.createNameless(in: directory, for: location) {
      self.file = file
    } else {
      (file, temporaryName) = try PendingFile.create(in: directory, for: location)
    }
    try location.calling { [file] () throws(SystemFailure) in
      try file.setPermissions(mode & 0o777)
    }
  }

  deinit {
    if let temporaryName { try? directory.remove(temporaryName) }
  }

  /// Creates a file without a name and locks it; nil when the system or the file system has no such files.
  package static func createNameless(
    in directory: Directory, for location: FileLocation
  ) throws(FileError) -> FileDescriptor? {
    try location.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        let file = try directory.createNamelessFile()
        // No other process can open the file, so a file system without locks is good enough.
        try? file.lockWithoutWaiting()
        return file
      } catch  where error.isUnsupported || error.isDirectory {
        // A kernel or file system without nameless files treats the call as opening the directory for writing.
        return nil
      }
    }
  }

  /// Creates a temporary file and locks it, so that no collector removes it as stale.
  package static func create(
    in directory: Directory, for location: FileLocation
  ) throws(FileError) -> (FileDescriptor, String) {
    var lastFailure = SystemFailure.nameExists
    for _ in 0..<16 {
      let name = TemporaryName.make()
      do throws(SystemFailure) {
        let file = try directory.createFile(name)
        // A collector may lock the file before this writer does, and then removes it. The loop creates another
        // file.
        do throws(SystemFailure) {
          if try isHeld(file) { return (file, name) }
        } catch {
          try? directory.remove(name)
          throw error
        }
        try? directory.remove(name)
      } catch {
        lastFailure = error
        if !error.alreadyExists { break }
      }
    }
    throw FileError(lastFailure, path: location.path)
  }

  /// Locks the file; false when a collector holds the lock, or has already removed the file.
  private static func isHeld(_ file: FileDescriptor) throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      try file.lockWithoutWaiting()
    } catch {
      // A file system without locks is good enough: collectors get no locks there either.
      if error.isLocked { return false }
    }
    return try file.status().links > 0
  }

  package func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileError) {
    try file.write(bytes, at: offset, path: location.path)
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
    try write(bytes.span, at: offset)
  }
}
