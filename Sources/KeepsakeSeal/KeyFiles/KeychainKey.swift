// For Apple platforms, not tested there yet, as README.md says.
#if canImport(Security)
  /// Stores a key in the keychain; it stays on this device and can be read once the device has been unlocked.
  package enum KeychainKey {
    /// Makes a new key and stores it as a new item.
    ///
    /// - Parameters:
    ///   - service: The purpose of the key, such as a bundle identifier.
    ///   - account: The name of the key within the service.
    /// - Returns: The new key.
    /// - Throws: ``SealError`` with `alreadyExists`, `keychainLocked` or `keychainFailed`.
    package static func create(service: String, account: String) throws(SealError) -> SealKey {
      let key = try SealKey.generate()
      try key.secret.withSpan { bytes throws(SealError) in
        try Keychain.add(bytes, service: service, account: account)
      }
      return key
    }

    /// Reads the key of an item that ``create(service:account:)`` made.
    ///
    /// - Parameters:
    ///   - service: The purpose of the key.
    ///   - account: The name of the key within the service.
    /// - Returns: The key.
    /// - Throws: ``SealError`` with `keyFileAbsent`, `keyFileDamaged`, `keychainLocked` or
    ///   `keychainFailed`. No case makes a new key.
    package static func read(service: String, account: String) throws(SealError) -> SealKey {
      try Keychain.read(service: service, account: account) { bytes throws(SealError) in
        guard bytes.count == SealKey.byteCount else {
          throw SealError(
            .keyFileDamaged, detail: "the keychain's item has \(bytes.count) bytes")
        }
        return try SealKey(copying: bytes)
      }
    }

    /// Gives an item another account name, which must be unused.
    ///
    /// - Parameters:
    ///   - service: The purpose of the key.
    ///   - account: The name of the key within the service.
    ///   - newAccount: The new account name.
    /// - Throws: ``SealError`` with `keyFileAbsent`, `alreadyExists`, `keychainLocked` or
    ///   `keychainFailed`.
    package static func rename(
      service: String, account: String, to newAccount: String
    ) throws(SealError) {
      try Keychain.rename(service: service, account: account, to: newAccount)
    }
  }
#endif
