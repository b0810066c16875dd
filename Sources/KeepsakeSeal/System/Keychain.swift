// This code is for Apple platforms and has not been tested there yet (README.md).
#if canImport(Security)
  internal import CoreFoundation
  internal import Security

  /// Keychain items that never leave this device, and can be read after its first unlock.
  enum Keychain {
    /// Stores some bytes as a new item.
    static func add(_ bytes: Span<UInt8>, service: String, account: String) throws(SealError) {
      let item = query(service, account)
      let data: CFData? = unsafe bytes.withUnsafeBytes { bytes in
        unsafe CFDataCreate(
          nil, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
      guard let data else { throw SealError(.insufficientMemory) }
      set(kSecValueData, to: data, in: item)
      set(kSecAttrAccessible, to: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, in: item)
      try requireSuccess(unsafe SecItemAdd(item, nil), "SecItemAdd")
    }

    /// Passes the bytes of an item to `body`.
    static func read<Result>(
      service: String, account: String, _ body: (Span<UInt8>) throws(SealError) -> Result
    ) throws(SealError) -> Result {
      let item = query(service, account)
      set(kSecReturnData, to: kCFBooleanTrue, in: item)
      set(kSecMatchLimit, to: kSecMatchLimitOne, in: item)
      var result: CFTypeRef?
      try requireSuccess(unsafe SecItemCopyMatching(item, &result), "SecItemCopyMatching")
      guard let result, CFGetTypeID(result) == CFDataGetTypeID() else {
        throw SealError(.keyFileDamaged, detail: "the keychain item does not hold data")
      }
      let data = unsafe unsafeDowncast(result, to: CFData.self)
      defer { withExtendedLifetime(data) {} }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
      return try unsafe body(Span(_unsafeBytes: bytes))
    }

    /// Gives an item another account name, which must be unused.
    static func rename(
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
