/// A passphrase that seals and opens files, through Argon2id.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes. They
/// are used exactly as given: nothing is trimmed and no Unicode form is chosen, so a program that
/// takes passphrases from people should bring them into one form (NFC) first.
public final class SealPassphrase: Sendable {
  /// How many bytes a passphrase may have (Spec/seal.md, section 4.2).
  public static let byteCountRange = SealFormat.passphraseLengths

  let secret: SecretBytes

  init(secret: SecretBytes) { self.secret = secret }

  /// Copies a passphrase.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    guard SealPassphrase.byteCountRange.contains(bytes.count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(bytes.count) bytes")
    }
    self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Copies a passphrase from an array.
  ///
  /// Wipe your copy afterwards.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public convenience init(copying bytes: [UInt8]) throws(SealError) {
    try self.init(copying: bytes.span)
  }

  /// Takes a passphrase as text, whose UTF-8 goes straight into guarded memory.
  ///
  /// The `String` itself cannot be wiped, nor what the system has copied of it, such as a text field: they stay in
  /// memory until it is used for something else. Where that matters, collect the bytes in memory of your own, wipe
  /// it, and use `init(copying:)`.
  ///
  /// - Parameter text: Between 1 and 4096 bytes of UTF-8, used exactly as given.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or `cryptographyUnavailable`.
  public convenience init(_ text: String) throws(SealError) {
    let count = text.utf8.count
    guard SealPassphrase.byteCountRange.contains(count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(count) bytes")
    }
    self.init(
      secret: try SecretBytes(count: count) { output in
        for byte in text.utf8 { output.append(byte) }
      })
  }

  /// Whether both passphrases have the same bytes.
  ///
  /// - Parameter other: The passphrase to compare with.
  /// - Returns: True when all bytes are equal; the time depends on the lengths only.
  public func isEqual(to other: SealPassphrase) -> Bool { secret.isEqual(to: other.secret) }

  /// What Argon2id makes of it; the caller has checked the cost against its limits.
  func key(salt: [UInt8], cost: PassphraseCost) throws(SealError) -> SecretBytes {
    try Argon2id.derive(
      secret, salt: salt, passes: cost.passes, memoryByteCount: cost.memoryByteCount)
  }
}

/// What each guess at a passphrase costs: the parameters of Argon2id (Spec/seal.md, section 4.2).
///
/// The cost is stored in the file, so that any program can open it; it is one of two fixed profiles
/// rather than a measured value, so that no machine writes what another one refuses.
public struct PassphraseCost: Hashable, Sendable {
  /// How many times the memory is passed over.
  public let passes: Int

  /// How much memory is used, in bytes.
  public let memoryByteCount: Int

  package init(passes: Int, memoryByteCount: Int) {
    self.passes = passes
    self.memoryByteCount = memoryByteCount
  }

  /// 3 passes over 256 MiB, about half a second: for computers and current phones.
  public static let standard = PassphraseCost(passes: 3, memoryByteCount: 256 << 20)

  /// 3 passes over 64 MiB, about a tenth of a second: for processes with little memory, such as app
  /// extensions.
  public static let constrained = PassphraseCost(passes: 3, memoryByteCount: 64 << 20)

  /// Whether a guess is cheaper in one of the two respects, so that the other cost should replace this one.
  ///
  /// - Parameter other: What would be written today.
  /// - Returns: Whether this one has fewer passes or less memory.
  public func isLower(than other: PassphraseCost) -> Bool {
    passes < other.passes || memoryByteCount < other.memoryByteCount
  }

  /// Memory times passes, which is what the time is proportional to; never traps.
  var work: UInt64 {
    let (product, overflows) = UInt64(clamping: passes)
      .multipliedReportingOverflow(by: UInt64(clamping: memoryByteCount))
    return overflows ? .max : product
  }
}
