import KeepsakeFiles
import KeepsakeSeal

/// The lock of a value's files, against other processes and other parts of this one.
struct ValueLock: Sendable {
  /// The path of the value, for errors.
  let path: String
  let lockPath: String
  /// How long to wait for the lock.
  let patience: Duration

  /// Takes the lock for writing; its directory is made with the first lock, for this user alone.
  func taken() throws(KeepsakeError) -> FileLock {
    do throws(FileError) {
      // An empty path, such as that of a URL of another scheme, would have a lock in the current directory.
      _ = try FileLocation(path)
      let directory = try FileLocation(lockPath).directoryPath
      do throws(FileError) {
        return try FileLock(at: lockPath, patience: patience)
      } catch  where error.code == .directoryAbsent {
        try DurableFile.createDirectory(at: directory)
        return try FileLock(at: lockPath, patience: patience)
      }
    } catch {
      throw notTaken(error)
    }
  }

  /// Takes the lock for reading; nil when this user cannot write and the lock file does not exist.
  func takenForReading() throws(KeepsakeError) -> FileLock? {
    do throws(FileError) {
      _ = try FileLocation(path)
      return try FileLock.forReading(at: lockPath, patience: patience)
    } catch {
      if error.code == .directoryAbsent { return nil }
      throw notTaken(error)
    }
  }

  private func notTaken(_ error: FileError) -> KeepsakeError {
    guard error.code == .fileLocked else { return KeepsakeError(.storeUnavailable, error) }
    guard error.systemError == nil else {
      return KeepsakeError(
        .stateInUse,
        "The value at \(path) may be in use, so it was neither read nor saved: this user may not open its lock at "
          + "\(lockPath). Let the owner of that file hand it over, or remove it when no process uses the value.",
        at: path, underlyingError: SealError(error))
    }
    return KeepsakeError(
      .stateInUse,
      "The value at \(path) was neither read nor saved, because another process or another part of this program has had "
        + "it locked for \(patience); let it finish and try again, or give the store more patience.",
      at: path,
      underlyingError: SealError(error))
  }
}
