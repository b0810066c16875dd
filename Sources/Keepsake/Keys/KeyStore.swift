public import KeepsakeSeal

/// Where the key of a saved state is kept.
///
/// A store never makes a new key where an old one is needed: without its key an archive is lost, and
/// a new key beside it would hide that.
public protocol KeyStore: Sendable {
  /// Reads the key.
  ///
  /// - Returns: The key.
  /// - Throws: ``KeepsakeError`` when there is no usable key, with the code
  ///   ``KeepsakeError/Code/keyAbsent``, ``KeepsakeError/Code/keyLocked``,
  ///   ``KeepsakeError/Code/keyWrong``, ``KeepsakeError/Code/keyDamaged`` or
  ///   ``KeepsakeError/Code/keyUnavailable``; the sentence says what to do.
  func existingKey() throws(KeepsakeError) -> SealKey

  /// Reads the key, or makes one where there is none; called only when there is nothing yet that an
  /// older key has sealed.
  ///
  /// - Returns: The key, which is kept durably before this returns.
  /// - Throws: ``KeepsakeError`` when there is a key that cannot be used, or none can be made.
  func existingOrNewKey() throws(KeepsakeError) -> SealKey

  /// Whether the key is a state directory's own, kept in it, so that a reset of the directory sets it aside.
  ///
  /// Any other key may be that of further states. A reset leaves it alone, unless it is damaged and so
  /// nobody's; the app sets it aside itself where nothing else needs it. This is the default.
  ///
  /// - Parameter directory: The directory that is reset.
  /// - Returns: Whether nothing outside the directory needs the key.
  func belongs(to directory: StateDirectory) -> Bool

  /// Sets the key aside, if there is one, so that the next save makes a new one.
  ///
  /// Only an explicit reset by the user or the app leads here. What the key has sealed can be opened again
  /// only once it was put back.
  ///
  /// - Throws: ``KeepsakeError`` when the store cannot be written.
  func setKeyAside() throws(KeepsakeError)
}

extension KeepsakeError {
  /// Reads or makes a key; a failure is sorted by what it means for the key.
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
  /// Says that the key may be that of further states.
  public func belongs(to directory: StateDirectory) -> Bool { false }

  /// Sets the key aside for a reset of a directory, where no other directory can need it.
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
