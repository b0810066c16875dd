internal import SodiumLibrary

/// The library, which must be initialised before any other call.
enum Sodium {
  /// Calls `sodium_init` once per process; a negative result means that the library cannot be used.
  private static let isReady = sodium_init() >= 0

  static func requireReady() throws(SealError) {
    guard isReady else { throw SealError(.cryptographyUnavailable) }
  }
}

/// `randombytes`: the operating system's generator, for values that are not secret.
package enum RandomBytes {
  package static func make(count: Int) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(count) { target in
      if let start = target.baseAddress { unsafe randombytes_buf(start, count) }
    }
  }
}

/// `sodium_memcmp`: compares in time that depends on the count only.
enum ConstantTime {
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe sodium_memcmp(left, right, left.count) == 0
  }
}

/// `crypto_pwhash` with Argon2id, version 1.3, one lane (RFC 9106).
enum Argon2id {
  static let saltLength = 16
  /// The minimum memory that libsodium accepts, in bytes.
  static let minimumMemory = 8 << 10

  /// Derives 32 bytes from a passphrase.
  ///
  /// libsodium maps and unmaps the memory itself, so it can neither be wiped here nor excluded from core
  /// dumps. Therefore no ordinary memory of the process is dumped meanwhile. The caller has checked the cost
  /// against its limits: the requested memory is allocated.
  static func derive(
    _ passphrase: SecretBytes, salt: [UInt8], passes: Int, memoryByteCount: Int
  ) throws(SealError) -> SecretBytes {
    // libsodium refuses these too, but without saying why.
    guard salt.count == saltLength, passes >= 1, memoryByteCount >= minimumMemory,
      SealFormat.passphraseLengths.contains(passphrase.count)
    else { throw SealError(.cryptographyUnavailable) }
    return try unsafe SecretBytes(count: 32) { target throws(SealError) in
      let isDone = unsafe passphrase.withUnsafeBytes { passphrase in
        guard let output = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let input = unsafe passphrase.baseAddress?.assumingMemoryBound(to: CChar.self)
        else { return false }
        return CoreDumps.withoutMemory {
          unsafe crypto_pwhash(
            output, UInt64(target.count), input, UInt64(passphrase.count), salt,
            UInt64(passes), memoryByteCount, crypto_pwhash_ALG_ARGON2ID13) == 0
        }
      }
      // With valid parameters, only a lack of memory can make it fail.
      guard isDone else {
        throw SealError(
          .insufficientMemory, detail: "Argon2id asks for \(memoryByteCount >> 20) MiB")
      }
    }
  }
}
