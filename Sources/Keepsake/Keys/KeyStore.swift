public import KeepsakeSeal

/// A place for the key of a saved state.
///
/// A store never makes a new key when an old one is needed: without its key an archive is lost, and a new key beside
/// it would hide that.
public protocol KeyStore: Sendable {
  /// Reads the key.
  ///
  /// - Throws: ``KeepsakeError`` when there is no usable key, with the code ``KeepsakeError/Code/keyAbsent``,
  ///   ``KeepsakeError/Code/keyLocked``, ``KeepsakeError/Code/keyWrong``, ``KeepsakeError/Code/keyDamaged`` or
  ///   ``KeepsakeError/Code/keyUnavailable``; the message says what to do.
  func existingKey() throws(KeepsakeError) -> SealKey

  /// Reads the key, or makes one if it is absent; called only when nothing sealed by an older key exists.
  ///
  /// - Returns: The key, which is stored durably by then.
  /// - Throws: ``KeepsakeError`` when the key cannot be used, or cannot be made.
  func existingOrNewKey() throws(KeepsakeError) -> SealKey

  /// Whether the key belongs to a state directory alone and is stored in it, so that a reset of the directory sets
  /// the key aside.
  ///
  /// Any other key may be used by further states. A reset leaves it alone, unless it is damaged and so of no use; if
  /// nothing else needs the key, the app sets it aside itself. The default is `false`.
  ///
  /// - Parameter directory: The directory that is reset.
  /// - Returns: Whether only the directory needs the key.
  func belongs(to directory: StateDirectory) -> Bool

  /// Sets the key aside, if there is one, so that the next save makes a new one.
  ///
  /// Called only for an explicit reset by the user or the app. Files that the key has sealed can be opened again only
  /// after the key is put back.
  ///
  /// - Throws: ``KeepsakeError`` when the store cannot be written.
  func setKeyAside() throws(KeepsakeError)
}

extension KeepsakeError {
  /// Reads or makes a key, and converts the error to one with the code for the state of the key.
  static func readingKey<Key>(
    _ work: () throws(SealError) -> Key
  ) throws(KeepsakeError) -> Key {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(readingKey: error)
    }
  }
}

extension KeyStore {
  /// Returns `false`: further states may use the key.
  public func belongs(to directory: StateDirectory) -> Bool { false }

  /// Sets the key aside for a reset of a directory, unless another directory may need it.
  func setKeyAside(forResetOf directory: StateDirectory) throws(KeepsakeError) {
    var isDamaged: Bool {
      do throws(KeepsakeError) {
        _ = try existingKey()
        return false
      } catch {
        return error.code == .keyDamaged
      }
    }
    if belongs(to: directory) || isDamaged { try setKeyAside() }
  }
}
