// For Apple platforms, and not tested there so far; see README.md.
#if canImport(Security)
  public import KeepsakeSeal

  /// A key in the keychain of this device only, readable after the first unlock since the device started.
  ///
  /// On macOS it is in the user's file-based keychain, which is locked and copied as the user's other keychains are.
  public struct KeychainKeyStore: KeyStore {
    /// The service that the key belongs to: the bundle identifier of the app.
    let service: String
    /// The name of the key within the service.
    let account: String

    /// Creates a key store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - service: The service that the key belongs to, such as a bundle identifier.
    ///   - account: The name of the key within the service.
    public init(service: String, account: String = "state") {
      self.service = service
      self.account = account
    }

    /// Reads the key.
    ///
    /// Throws ``KeepsakeError`` with `keyAbsent`, `keyLocked`, `keyDamaged` or `keyUnavailable`.
    public func existingKey() throws(KeepsakeError) -> SealKey {
      try KeepsakeError.readingKey { () throws(SealError) in
        try KeychainKey.read(service: service, account: account)
      }
    }

    /// Reads the key, or makes one if it is absent.
    ///
    /// Throws ``KeepsakeError`` as ``existingKey()`` does.
    public func existingOrNewKey() throws(KeepsakeError) -> SealKey {
      do throws(SealError) {
        return try KeychainKey.create(service: service, account: account)
      } catch {
        guard error.code == .alreadyExists else { throw KeepsakeError(readingKey: error) }
        return try existingKey()
      }
    }

    /// Renames the key, if there is one, to a free name.
    ///
    /// - Throws: ``KeepsakeError`` when the keychain cannot be changed.
    public func setKeyAside() throws(KeepsakeError) {
      var number = 1
      while true {
        do throws(SealError) {
          return try KeychainKey.rename(
            service: service, account: account, to: "\(account).set-aside-\(number)")
        } catch {
          if error.code == .keyFileAbsent { return }
          guard error.code == .alreadyExists else { throw KeepsakeError(readingKey: error) }
          number += 1
        }
      }
    }
  }
#endif
