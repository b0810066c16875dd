/// The bits of a string's own storage: equal bits mean equal bytes, but different bits mean nothing.
///
/// Comparing two of them takes two comparisons of words, where comparing the strings would normalise Unicode. A
/// string of up to 15 bytes holds its bytes in these bits; a literal holds its address. The bits are meaningful only
/// while their string is alive.
@usableFromInline
struct StringIdentity: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// The longest string that holds its bytes in its own storage.
  static let contentByteCount = 15

  @inlinable
  init(_ string: String) {
    #if _pointerBitWidth(_64)
      let bits = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
      first = bits.0
      second = bits.1
    #else
      // Strings have another layout here, so the caller compares bytes.
      first = UInt64(truncatingIfNeeded: string.utf8.count)
      second = .max
    #endif
  }

  /// Bits that no string has, for rows that must never be found.
  init() {
    first = .max
    second = .max
  }

  /// Whether two strings have the same storage bits; always false where pointers do not have 64 bits.
  @inlinable
  static func == (left: StringIdentity, right: StringIdentity) -> Bool {
    #if _pointerBitWidth(_64)
      (left.first ^ right.first) | (left.second ^ right.second) == 0
    #else
      false
    #endif
  }

  /// True when the bits are the bytes of the string.
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

  /// A hash for the place in a table of keys; good enough for short tables.
  @inlinable var mixed: UInt64 { mixedWords(first, second) }
}

/// Mixes two words into a hash; the upper half is for the place in a short table.
@inlinable
package func mixedWords(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let product = (first &+ (second << 23 | second >> 41)) &* 0x9E37_79B9_7F4A_7C15
  return product ^ product >> 29
}
