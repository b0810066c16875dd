import KeepsakeSeal

/// The key of one session: the app's key combined with a random key of the session's own.
///
/// Erasing the session's own key makes its state unreadable for good, even if the app's key stays.
struct SessionKeyStore: KeyStore {
  let appKey: any KeyStore
  let own: KeyFileStore
  let folder: StateDirectory

  func existingKey() throws(KeepsakeError) -> SealKey {
    try Self.combining(try appKey.existingKey(), try own.existingKey())
  }

  /// Makes the missing keys; the app's key only if no session has been sealed with it yet.
  func existingOrNewKey() throws(KeepsakeError) -> SealKey {
    // The lock keeps two processes that save for the first time from making two keys.
    let lock = try StateSessions.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    var isSealed = false
    for files in try SessionFiles.all(in: folder) {
      // A session that cannot be inspected may have an archive, but does not stop the others.
      if (try? files.hasArchive) ?? true { isSealed = true }
    }
    let key = isSealed ? try appKey.existingKey() : try appKey.existingOrNewKey()
    return try Self.combining(key, try own.existingOrNewKey())
  }

  func belongs(to directory: StateDirectory) -> Bool { own.belongs(to: directory) }

  func setKeyAside() throws(KeepsakeError) {
    try own.setKeyAside()
  }

  private static func combining(_ key: SealKey, _ own: SealKey) throws(KeepsakeError) -> SealKey {
    do throws(SealError) {
      return try key.combined(with: own)
    } catch {
      throw KeepsakeError(.keyUnavailable, error)
    }
  }
}
