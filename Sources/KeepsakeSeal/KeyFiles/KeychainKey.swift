// Written for Apple platforms and untested there so far, as README.md says.
#if canImport(Security)
  /// Keeps a key in the keychain, for this device alone and once it was unlocked.
  package enum KeychainKey {
    /// Makes a new key and keeps it as a new item.
    ///
    /// - Parameters:
    ///   - service: What the key is for, such as a bundle identifier.
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
    ///   - service: What the key is for.
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

    /// Gives an item another name, which nothing may have.
    ///
    /// - Parameters:
    ///   - service: What the key is for.
    ///   - account: The name of the key within the service.
    ///   - newAccount: The name that it is to have.
    /// - Throws: ``SealError`` with `keyFileAbsent`, `alreadyExists`, `keychainLocked` or
    ///   `keychainFailed`.
    package static func rename(
      service: String, account: String, to newAccount: String
    ) throws(SealError) {
      try Keychain.rename(service: service, account: account, to: newAccount)
    }
  }
#endif
