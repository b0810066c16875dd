import KeepsakeFiles
import KeepsakeSeal
import Synchronization

// Removal of files that were set aside (Spec/state.md, section 1).
extension SealedStateStore {
  /// The maximum number of archives that were set aside and stay beside the state.
  static let setAsideLimit = 8

  /// Removes the oldest archives that were set aside while there are too many, and the keys that open none of the
  /// remaining ones.
  ///
  /// It runs after a save, so there is a state that is newer than all of them. A file that cannot be removed stays until
  /// a later save, since this save has succeeded.
  func pruneSetAside() {
    guard knowledge.withLock({ $0.mayExceedLimit }) else { return }
    do throws(FileError) {
      let archives = try SetAsideName.all(in: directory.path).filter { $0.isArchive }
      guard archives.count > Self.setAsideLimit else {
        return knowledge.withLock { $0.mayExceedLimit = false }
      }
      for archive in archives.dropLast(Self.setAsideLimit) {
        try DurableFile.removeEntry(at: directory.path + "/" + archive.text)
      }
      // A key opens only archives that were set aside with it or before it, so the oldest remaining archive decides.
      let first = archives.suffix(Self.setAsideLimit).first?.number ?? 0
      for key in try SetAsideName.all(in: directory.path) where key.isKey && key.number < first {
        try DurableFile.eraseIfRegular(at: directory.path + "/" + key.text)
      }
      knowledge.withLock { $0.mayExceedLimit = false }
    } catch {}
  }
}

extension DurableFile {
  /// Erases a regular file; any other entry at the path is left alone.
  ///
  /// The result is the number of other names of the file; each of them now leads to zeros.
  @discardableResult
  static func eraseIfRegular(at path: String) throws(FileError) -> Int {
    guard case .regular = try kind(of: path) else { return 0 }
    return try erase(at: path)
  }
}

/// The progress of a reset: the files that it has set aside, and its failures.
///
/// A key stays when an archive that it opens could not be set aside; another reset completes it.
struct PartialReset {
  private let path: String
  private var asidePaths: [String] = []
  private var failures: [KeepsakeError] = []

  init(_ path: String) {
    self.path = path
  }

  /// Sets the archive and then the key of a directory aside, whatever is at their paths.
  mutating func setAside(_ directory: StateDirectory, andKey: Bool) {
    do throws(FileError) {
      for path in andKey ? [directory.archivePath, directory.keyPath] : [directory.archivePath] {
        if let asidePath = try DurableFile.setAside(path, "set-aside") {
          asidePaths.append(asidePath)
        }
      }
    } catch {
      // The file has its new name, and only a power cut could undo that.
      if error.code == .durabilityUnknown, let asidePath = error.path {
        asidePaths.append(asidePath)
      }
      failures.append(KeepsakeError(changing: error))
    }
  }

  /// Sets the key of all archives aside, if nothing has failed and no other directory may need it.
  mutating func setKeyAside(_ keyStore: any KeyStore, of directory: StateDirectory) {
    let earlier = Self.keysSetAside(in: directory)
    perform { () throws(KeepsakeError) in try keyStore.setKeyAside(forResetOf: directory) }
    asidePaths += Self.keysSetAside(in: directory).filter { !earlier.contains($0) }
  }

  private static func keysSetAside(in directory: StateDirectory) -> [String] {
    ((try? SetAsideName.all(in: directory.path)) ?? []).filter(\.isKey)
      .map { directory.path + "/" + $0.text }
  }

  /// Runs a further part of the reset, if nothing has failed before.
  mutating func perform(_ work: () throws(KeepsakeError) -> Void) {
    guard failures.isEmpty else { return }
    do throws(KeepsakeError) {
      try work()
    } catch {
      failures.append(error)
    }
  }

  /// Throws an error that says what was done and what failed, if anything failed.
  func requireCompleteness() throws(KeepsakeError) {
    guard let first = failures.first else { return }
    guard !asidePaths.isEmpty else { throw first }
    throw KeepsakeError(
      first.code,
      "The reset of \(path) is not complete. These files stay set aside: "
        + "\(asidePaths.joined(separator: ", ")). But this failed: \(first.cause) Reset again to continue.",
      at: first.path ?? path, underlyingError: first.underlyingError)
  }
}
