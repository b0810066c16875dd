/// A file that is being written under a temporary name, or under none, and gets its own name when it is
/// whole and durable (Spec/replacement.md, section 1).
///
/// Unless that happens, it leaves nothing behind.
final class PendingFile {
  let location: FileLocation
  let directory: Directory
  let file: FileDescriptor
  /// The name that the file has for now; nil while it has none.
  var temporaryName: String?

  /// Checks the target, removes stale temporaries and creates a file of its own, with the
  /// permissions `mode` whatever the process's mask is.
  ///
  /// What is to be read by nobody else when the process dies is written without a name, where the system
  /// has such files: then nothing is left.
  init(at path: String, mode: UInt32 = 0o600, isNameless: Bool = false) throws(SealError) {
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

  /// Creates a file without a name and locks it; nil where there are no such files.
  static func createNameless(
    in directory: Directory, for location: FileLocation
  ) throws(SealError) -> FileDescriptor? {
    try location.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        let file = try directory.createNamelessFile()
        // Nobody else can have it; a file system without locks is good enough.
        try? file.lockWithoutWaiting()
        return file
      } catch  where error.isUnsupported || error.isDirectory {
        // A kernel or file system that does not know them takes the call for one to write the directory.
        return nil
      }
    }
  }

  /// Creates a temporary file and locks it, so that no collector takes it for a stale one.
  static func create(
    in directory: Directory, for location: FileLocation
  ) throws(SealError) -> (FileDescriptor, String) {
    var lastFailure = SystemFailure.takenByOthers
    for _ in 0..<16 {
      let name = try TemporaryName.make()
      do throws(SystemFailure) {
        let file = try directory.createFile(name)
        // A collector can come between the creation and the lock: then the file is gone or
        // about to go, and another one is created.
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
    throw SealError(lastFailure, path: location.path)
  }

  /// Whether the file is locked by this writer, and still has its name.
  private static func isHeld(_ file: FileDescriptor) throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      try file.lockWithoutWaiting()
    } catch {
      // A file system without locks is good enough: there no collector gets a lock either.
      if error.isLocked { return false }
    }
    return try file.status().links > 0
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(SealError) {
    try file.write(bytes, at: offset, path: location.path)
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(SealError) {
    try write(bytes.span, at: offset)
  }

  func write(_ secret: SecretBytes) throws(SealError) {
    try location.calling { () throws(SystemFailure) in try file.write(secret, at: 0) }
  }
}
