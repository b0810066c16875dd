/// A passphrase that seals and opens files, through Argon2id.
///
/// The bytes are kept in guarded memory, which is wiped when the last reference is released.
///
/// For text that people type, use ``init(_:)`` or ``init(text:)``. They convert it to Unicode normalization
/// form C, so that it makes no difference whether a system types an accented letter as one character or two
/// (Spec/seal.md, section 4.2). For bytes that are not text, such as random ones, use
/// ``init(copying:)-(Span<UInt8>)``, which takes them unchanged. Nothing is trimmed.
public final class SealPassphrase: Sendable {
  /// The allowed lengths of a passphrase, in bytes (Spec/seal.md, section 4.2).
  package static let byteCountRange = SealFormat.passphraseLengths

  let secret: SecretBytes
  /// The text as it was given, if its form C differs; nil for bytes.
  ///
  /// It opens files that were sealed before text was converted to form C. No slot is written for it.
  let unnormalized: SealPassphrase?
  /// A cache of the keys that were derived from it; nil when derived keys are not kept.
  let derivedKeys: DerivedKeys?

  init(secret: SecretBytes, unnormalized: SealPassphrase? = nil, derivedKeys: DerivedKeys? = nil) {
    self.secret = secret
    self.unnormalized = unnormalized
    self.derivedKeys = derivedKeys
  }

  /// Copies a passphrase unchanged.
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

  /// Takes a passphrase as text; its UTF-8 goes straight into guarded memory.
  ///
  /// New files are sealed under its form C. To open a file, form C is tried, and also the text as it was
  /// given if it differs and the cost is within ``SealPolicy``.
  ///
  /// The `String` itself cannot be wiped, nor can copies that the system has made, such as in a text field:
  /// they stay in memory until it is reused. If that matters, collect the bytes in memory of your own, wipe
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
  /// Wipe your copy afterwards. Bytes that are not UTF-8 are taken unchanged.
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
    self.init(secret: secret, unnormalized: isOther ? SealPassphrase(secret: text) : nil)
  }

  private static func requireLength(_ count: Int) throws(SealError) {
    guard byteCountRange.contains(count) else {
      throw SealError(.invalidPassphrase, detail: "it has \(count) bytes")
    }
  }

  /// Refuses text that is too long even in form C, which has at least a third of the bytes.
  private static func requireTextLength(_ count: Int) throws(SealError) {
    if count > 3 * byteCountRange.upperBound { try requireLength(count) }
  }

  /// Whether both passphrases have the same bytes, in a time that depends on the lengths only; text is compared in form
  /// C.
  package func isEqual(to other: SealPassphrase) -> Bool { secret.isEqual(to: other.secret) }

  /// The key that Argon2id derives; the caller has checked the cost against its limits.
  func key(salt: [UInt8], cost: PassphraseCost) throws(SealError) -> SecretBytes {
    if let key = derivedKeys?.key(salt: salt, cost: cost) { return key }
    let key = try Argon2id.derive(
      secret, salt: salt, passes: cost.passes, memoryByteCount: cost.memoryByteCount)
    derivedKeys?.keep(key, salt: salt, cost: cost)
    return key
  }
}

/// The cost of each guess at a passphrase: the parameters of Argon2id (Spec/seal.md, section 4.2).
///
/// The cost is stored in the file, so that any program can open it. It is one of two fixed profiles, not a
/// measured value, so that no machine writes files that another one refuses.
public struct PassphraseCost: Hashable, Sendable {
  /// The number of passes over the memory.
  public let passes: Int

  /// The amount of memory, in bytes.
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

  /// Whether another cost should replace this one, because this one has fewer passes or less memory.
  package func isLower(than other: PassphraseCost) -> Bool {
    passes < other.passes || memoryByteCount < other.memoryByteCount
  }

  /// Memory times passes, to which the time is proportional; never traps.
  var work: UInt64 {
    let (product, overflows) = UInt64(clamping: passes)
      .multipliedReportingOverflow(by: UInt64(clamping: memoryByteCount))
    return overflows ? .max : product
  }
}
