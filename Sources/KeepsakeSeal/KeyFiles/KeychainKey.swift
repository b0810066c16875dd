// For Apple platforms, not tested there yet, as README.md says.
#if canImport(Security)
  /// Stores a key in the keychain; it stays on this device and can be read once the device has been unlocked.
  package enum KeychainKey {
    /// Makes a new key and stores it as a new item.
    ///
    /// The service is the purpose of the key, such as a bundle identifier; the account is the name of the key within
    /// it.
    package static func create(service: String, account: String) throws(SealError) -> SealKey {
      let key = try SealKey.generate()
      try key.secret.withSpan { bytes throws(SealError) in
        try Keychain.add(bytes, service: service, account: account)
      }
      return key
    }

    /// Reads the key of an item that ``create(service:account:)`` made; it never makes a new key.
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
    package static func rename(
      service: String, account: String, to newAccount: String
    ) throws(SealError) {
      try Keychain.rename(service: service, account: account, to: newAccount)
    }
  }
#endif
