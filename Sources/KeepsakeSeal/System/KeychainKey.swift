// Written for Apple platforms and untested there so far, as README.md says.
#if canImport(Security)
  internal import CoreFoundation
  internal import Security

  /// Keeps a key in the keychain, for this device alone and once it was unlocked.
  public enum KeychainKey {
    /// Makes a new key and keeps it as a new item.
    ///
    /// - Parameters:
    ///   - service: What the key is for, such as a bundle identifier.
    ///   - account: The name of the key within the service.
    /// - Returns: The new key.
    /// - Throws: ``SealError`` with `alreadyExists`, `keychainLocked` or `keychainFailed`.
    public static func create(service: String, account: String) throws(SealError) -> SealKey {
      let key = try SealKey.generate()
      let item = query(service, account)
      let data: CFData? = unsafe key.secret.withUnsafeBytes { bytes in
        unsafe CFDataCreate(
          nil, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
      guard let data else { throw SealError(.insufficientMemory) }
      set(kSecValueData, to: data, in: item)
      set(kSecAttrAccessible, to: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, in: item)
      try requireSuccess(unsafe SecItemAdd(item, nil), "SecItemAdd")
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
    public static func read(service: String, account: String) throws(SealError) -> SealKey {
      let item = query(service, account)
      set(kSecReturnData, to: kCFBooleanTrue, in: item)
      set(kSecMatchLimit, to: kSecMatchLimitOne, in: item)
      var result: CFTypeRef?
      try requireSuccess(unsafe SecItemCopyMatching(item, &result), "SecItemCopyMatching")
      guard let result, CFGetTypeID(result) == CFDataGetTypeID() else {
        throw SealError(.keyFileDamaged, detail: "the keychain's item is no data")
      }
      let data = unsafe unsafeDowncast(result, to: CFData.self)
      let count = CFDataGetLength(data)
      guard count == SealKey.byteCount, let start = unsafe CFDataGetBytePtr(data) else {
        throw SealError(.keyFileDamaged, detail: "the keychain's item has \(count) bytes")
      }
      return SealKey(
        secret: try unsafe SecretBytes(count: count) { target in
          unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
        })
    }

    /// Gives an item another name, which nothing may have.
    ///
    /// - Parameters:
    ///   - service: What the key is for.
    ///   - account: The name of the key within the service.
    ///   - newAccount: The name that it is to have.
    /// - Throws: ``SealError`` with `keyFileAbsent`, `alreadyExists`, `keychainLocked` or
    ///   `keychainFailed`.
    public static func rename(
      service: String, account: String, to newAccount: String
    ) throws(SealError) {
      let changes = dictionary()
      set(kSecAttrAccount, to: text(newAccount), in: changes)
      try requireSuccess(SecItemUpdate(query(service, account), changes), "SecItemUpdate")
    }

    private static func query(_ service: String, _ account: String) -> CFMutableDictionary {
      let query = dictionary()
      set(kSecClass, to: kSecClassGenericPassword, in: query)
      set(kSecAttrService, to: text(service), in: query)
      set(kSecAttrAccount, to: text(account), in: query)
      return query
    }

    private static func dictionary() -> CFMutableDictionary {
      var (keys, values) = unsafe (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
      return unsafe CFDictionaryCreateMutable(nil, 0, &keys, &values)
    }

    private static func text(_ text: String) -> CFString {
      var text = text
      return text.withUTF8 { bytes in
        unsafe CFStringCreateWithBytes(
          nil, bytes.baseAddress, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
      }
    }

    private static func set(
      _ key: CFString, to value: AnyObject?, in dictionary: CFMutableDictionary
    ) {
      guard let value else { return }
      unsafe CFDictionarySetValue(
        dictionary, Unmanaged.passUnretained(key).toOpaque(),
        Unmanaged.passUnretained(value).toOpaque())
    }

    private static func requireSuccess(_ status: OSStatus, _ call: String) throws(SealError) {
      let code: SealError.Code =
        switch status {
        case errSecSuccess: return
        case errSecItemNotFound: .keyFileAbsent
        case errSecDuplicateItem: .alreadyExists
        case errSecInteractionNotAllowed, errSecAuthFailed, errSecUserCanceled: .keychainLocked
        default: .keychainFailed
        }
      throw SealError(code, detail: "\(call) of the keychain gave \(status)")
    }
  }
#endif
