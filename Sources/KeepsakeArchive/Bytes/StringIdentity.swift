/// The bits of a string's own storage: equal bits mean equal bytes, unequal bits mean nothing.
///
/// Comparing two of them costs two word compares, where comparing strings would normalise Unicode.
/// A string of up to 15 bytes holds its bytes in these bits; a literal holds its address. The bits
/// stay meaningful only while the string that they were taken from is kept alive.
@usableFromInline
struct StringIdentity: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// Strings up to this length hold their bytes in their own storage.
  static let contentByteCount = 15

  @inlinable
  init(_ string: String) {
    #if _pointerBitWidth(_64)
      let bits = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
      first = bits.0
      second = bits.1
    #else
      // Strings are laid out otherwise here: the caller falls back to comparing bytes.
      first = UInt64(truncatingIfNeeded: string.utf8.count)
      second = .max
    #endif
  }

  /// Bits that no string has, for rows that are never to be found.
  init() {
    first = .max
    second = .max
  }

  /// Whether the two strings have the same storage bits, on platforms where that can be told.
  @inlinable
  static func == (left: StringIdentity, right: StringIdentity) -> Bool {
    #if _pointerBitWidth(_64)
      (left.first ^ right.first) | (left.second ^ right.second) == 0
    #else
      false
    #endif
  }

  /// Whether the bits are the bytes of the string themselves.
  @inlinable var isContent: Bool {
    #if _pointerBitWidth(_64)
      second & 0x2000_0000_0000_0000 != 0
    #else
      false
    #endif
  }

  /// True when the string has up to 15 bytes, all of them ASCII; false also where that cannot be told from the bits.
  @inlinable var isASCIIContent: Bool {
    isContent && (first | second & 0x00FF_FFFF_FFFF_FFFF) & 0x8080_8080_8080_8080 == 0
  }

  /// A number from which the place in a table of keys is taken; good enough for short tables.
  @inlinable var mixed: UInt64 {
    let product = (first &+ (second << 23 | second >> 41)) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
