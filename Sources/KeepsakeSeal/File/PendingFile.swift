/// A file that is being written under a temporary name, and gets its own name when it is whole and
/// durable (Spec/seal.md, section 8.1).
///
/// Unless that happens, it leaves nothing behind.
final class PendingFile {
  let location: FileLocation
  let directory: Directory
  let file: FileDescriptor
  private let temporaryName: String
  private var isPending = true

  /// Checks the target, removes stale temporaries and creates one of its own, with the
  /// permissions `mode` whatever the process's mask is.
  init(at path: String, mode: UInt32 = 0o600) throws(SealError) {
    let location = try FileLocation(path)
    let directory = try location.openDirectory()
    // Step 2: renaming over a link, pipe or device would destroy it.
    if let status = try location.status(in: directory) { try location.requireRegular(status) }
    StaleTemporaries.collect(in: directory)
    self.location = location
    self.directory = directory
    (file, temporaryName) = try PendingFile.create(in: directory, for: location)
    try location.calling { [file] () throws(SystemFailure) in
      try file.setPermissions(mode & 0o777)
    }
  }

  deinit {
    if isPending { try? directory.remove(temporaryName) }
  }

  /// Creates a temporary file and locks it, so that no collector takes it for a stale one.
  private static func create(
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

  func write(_ secret: SecretBytes) throws(SealError) {
    try location.calling { () throws(SystemFailure) in try file.write(secret, at: 0) }
  }

  /// Makes the content durable, then puts the file in place of whatever regular file is there.
  func replaceTarget() throws(SealError) {
    try finish { () throws(SystemFailure) in
      try directory.replace(location.name, with: temporaryName)
    }
  }

  /// Makes the content durable, then gives the file its name, which nothing else may have.
  func createTarget() throws(SealError) {
    try finish { () throws(SystemFailure) in
      try directory.move(temporaryName, to: directory, as: location.name)
    }
  }

  /// Steps 6 to 8.
  ///
  /// The file stays open until after its renaming, and so stays locked.
  private func finish(naming: () throws(SystemFailure) -> Void) throws(SealError) {
    try location.calling { () throws(SystemFailure) in
      try file.synchronize()
      try file.checkClosing()
      try naming()
    }
    isPending = false
    try location.synchronize(directory)
  }
}

extension FileLocation {
  /// Makes a finished change of names durable.
  ///
  /// When that fails the change stays, and so the failure has a code of its own.
  func synchronize(_ directory: Directory) throws(SealError) {
    do throws(SystemFailure) {
      try directory.synchronize()
    } catch {
      throw SealError(
        .durabilityUnknown, path: path, systemError: error.number, systemCall: error.call)
    }
  }
}
