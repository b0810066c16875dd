import KeepsakeSeal
import Synchronization

// What becomes of the files that were set aside (Spec/state.md, section 1).
extension SealedStateStore {
  /// How many archives that were set aside stay beside the state.
  static let setAsideLimit = 8

  /// Removes the archives that were set aside first while there are too many, and the keys that open
  /// nothing of what is left.
  ///
  /// It is done after a save, so that there is a newer state than each of them. What cannot be removed
  /// stays until a later save: the save itself has succeeded.
  func pruneSetAside() {
    guard knowledge.withLock({ $0.mayHaveSurplus }) else { return }
    do throws(SealError) {
      let archives = try SetAsideName.all(in: directory.path).filter { $0.isArchive }
      guard archives.count > Self.setAsideLimit else {
        return knowledge.withLock { $0.mayHaveSurplus = false }
      }
      for archive in archives.dropLast(Self.setAsideLimit) {
        try DurableFile.removeEntry(at: directory.path + "/" + archive.text)
      }
      // A key opens what was set aside with it and before it; so the first archive that is left tells.
      let first = archives.suffix(Self.setAsideLimit).first?.number ?? 0
      for key in try SetAsideName.all(in: directory.path) where key.isKey && key.number < first {
        try DurableFile.eraseIfRegular(at: directory.path + "/" + key.text)
      }
      knowledge.withLock { $0.mayHaveSurplus = false }
    } catch {}
  }
}

extension DurableFile {
  /// Erases a file; what else may stand in its place is left alone.
  ///
  /// - Returns: How many other names the file has; under each of them are zeros now.
  @discardableResult
  static func eraseIfRegular(at path: String) throws(SealError) -> Int {
    guard case .regular = try kind(of: path) else { return 0 }
    return try erase(at: path)
  }
}

/// A reset that is under way: what it has set aside, and what it could not.
///
/// A key stays as long as an archive that it opens could not be set aside: another reset completes it.
struct PartialReset {
  private let path: String
  private var asidePaths: [String] = []
  private var failures: [KeepsakeError] = []

  /// - Parameter path: The directory that is reset.
  init(_ path: String) {
    self.path = path
  }

  /// Moves whatever is in the places of the archive and then of the key of a directory aside, if there is
  /// anything.
  mutating func setAside(_ directory: StateDirectory, andKey: Bool) {
    do throws(SealError) {
      for path in andKey ? [directory.archivePath, directory.keyPath] : [directory.archivePath] {
        if let asidePath = try DurableFile.setAside(path, "set-aside") {
          asidePaths.append(asidePath)
        }
      }
    } catch {
      // It has its new name, and only a power cut could take that back.
      if error.code == .durabilityUnknown, let asidePath = error.path {
        asidePaths.append(asidePath)
      }
      failures.append(KeepsakeError(changing: error))
    }
  }

  /// Has the key set aside that all archives need, when none of them is left, unless other directories may
  /// need it.
  mutating func setKeyAside(_ keyStore: any KeyStore, of directory: StateDirectory) {
    let earlier = Self.keysSetAside(in: directory)
    perform { () throws(KeepsakeError) in try keyStore.setKeyAside(forResetOf: directory) }
    asidePaths += Self.keysSetAside(in: directory).filter { !earlier.contains($0) }
  }

  private static func keysSetAside(in directory: StateDirectory) -> [String] {
    ((try? SetAsideName.all(in: directory.path)) ?? []).filter(\.isKey)
      .map { directory.path + "/" + $0.text }
  }

  /// Does a further part of the reset, when all before it is done.
  mutating func perform(_ work: () throws(KeepsakeError) -> Void) {
    guard failures.isEmpty else { return }
    do throws(KeepsakeError) {
      try work()
    } catch {
      failures.append(error)
    }
  }

  /// Says what was done and what was not, when anything failed.
  func requireCompleteness() throws(KeepsakeError) {
    guard let first = failures.first else { return }
    guard !asidePaths.isEmpty else { throw first }
    throw KeepsakeError(
      first.code,
      "The reset of \(path) is not complete. What was set aside stays so: "
        + "\(asidePaths.joined(separator: ", ")). What failed: \(first.cause) Reset again to go on.",
      at: first.path ?? path, underlyingError: first.underlyingError)
  }
}
