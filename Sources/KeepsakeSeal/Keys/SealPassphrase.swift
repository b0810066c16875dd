/// A passphrase that seals and opens files, through Argon2id.
///
/// The bytes live in guarded memory of their own, which is wiped when the last reference goes.
///
/// A passphrase that people type is text: take it by ``init(_:)`` or ``init(text:)``, which bring it into Unicode
/// normalization form C, so that an accent that one system types as one character and another one as two makes no
/// difference (Spec/seal.md, section 4.2). Bytes that are no text, such as random ones, are taken by
/// ``init(copying:)-(Span<UInt8>)`` exactly as they are. Nothing is trimmed.
public final class SealPassphrase: Sendable {
  /// How many bytes a passphrase may have (Spec/seal.md, section 4.2).
  public static let byteCountRange = SealFormat.passphraseLengths

  let secret: SecretBytes
  /// The text as it was given, where form C of it is another one; nil for bytes.
  ///
  /// A file that was sealed under it before text was brought into form C opens with it. No slot is written for it.
  let asGiven: SealPassphrase?

  init(secret: SecretBytes, asGiven: SealPassphrase? = nil) {
    self.secret = secret
    self.asGiven = asGiven
  }

  /// Copies a passphrase exactly as it is.
  ///
  /// Wipe your copy afterwards. For text that people type use ``init(text:)``.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or
  ///   `cryptographyUnavailable`.
  public convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    try SealPassphrase.requireLength(bytes.count)
    self.init(secret: try SecretBytes(copying: bytes))
  }

  /// Copies a passphrase from an array exactly as it is.
  ///
  /// Wipe your copy afterwards. For text that people type use ``init(text:)``.
  ///
  /// - Parameter bytes: Between 1 and 4096 bytes, by convention UTF-8.
  /// - Throws: ``SealError``, as the form that takes a span does.
  public convenience init(copying bytes: [UInt8]) throws(SealError) {
    try self.init(copying: bytes.span)
  }

  /// Takes a passphrase as text, whose UTF-8 goes straight into guarded memory.
  ///
  /// New files are sealed under its form C. A file is opened with form C, and with the text as it was given where that
  /// is another one and the cost is within ``SealPolicy``.
  ///
  /// The `String` itself cannot be wiped, nor what the system has copied of it, such as a text field: they stay in
  /// memory until it is used for something else. Where that matters, collect the bytes in memory of your own, wipe
  /// it, and use ``init(text:)``.
  ///
  /// - Parameter text: Between 1 and 4096 bytes of UTF-8 in form C.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or `cryptographyUnavailable`.
  public convenience init(_ text: String) throws(SealError) {
    let count = text.utf8.count
    try SealPassphrase.requireTextLength(count)
    try self.init(
      text: try SecretBytes(count: count) { output in
        for byte in text.utf8 { output.append(byte) }
      })
  }

  /// Takes a passphrase as the UTF-8 of a text, as ``init(_:)`` does.
  ///
  /// Wipe your copy afterwards. Bytes that are no UTF-8 are taken exactly as they are.
  ///
  /// - Parameter text: Between 1 and 4096 bytes of UTF-8 in form C.
  /// - Throws: ``SealError`` with `invalidPassphrase`, `insufficientMemory` or `cryptographyUnavailable`.
  public convenience init(text: Span<UInt8>) throws(SealError) {
    try SealPassphrase.requireTextLength(text.count)
    try self.init(text: try SecretBytes(copying: text))
  }

  private convenience init(text: SecretBytes) throws(SealError) {
    let composed = try ComposedText.composed(text)
    let secret = composed ?? text
    try SealPassphrase.requireLength(secret.count)
    let isOther = composed != nil && SealPassphrase.byteCountRange.contains(text.count)
    self.init(secret: secret, asGiven: isOther ? SealPassphrase(secret: text) : nil)
  }

  private static func requireLength(_ count: Int) throws(SealError) {
    guard byteCountRange.contains(count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(count) bytes")
    }
  }

  /// Refuses what cannot be short enough in form C, which has at least a third of the bytes.
  private static func requireTextLength(_ count: Int) throws(SealError) {
    try requireLength(count == 0 ? 0 : (count + 2) / 3)
  }

  /// Whether both passphrases have the same bytes, those of text in form C.
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
