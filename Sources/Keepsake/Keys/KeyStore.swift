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

  /// Sets the key aside, if there is one, so that the next save makes a new one.
  ///
  /// Only an explicit reset by the user or the app leads here.
  ///
  /// - Throws: ``KeepsakeError`` when the store cannot be written.
  func setKeyAside() throws(KeepsakeError)
}
