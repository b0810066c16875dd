import KeepsakeSeal

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
      failures.append(KeepsakeError(.storeUnavailable, error))
    }
  }

  /// Has the key set aside that all archives need, when none of them is left, unless other directories may
  /// need it.
  mutating func setKeyAside(_ keyStore: any KeyStore, of directory: StateDirectory) {
    guard failures.isEmpty else { return }
    do throws(KeepsakeError) {
      try keyStore.setKeyAside(forResetOf: directory)
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
        + "\(asidePaths.joined(separator: ", ")). What failed: \(first.message) Reset again to go on.",
      at: first.path ?? path, underlyingError: first.underlyingError)
  }
}
