/// The bits of a string's own storage: equal bits mean equal bytes, unequal bits mean nothing.
///
/// Comparing two of them costs two word compares, where comparing strings would normalise Unicode.
/// A string of up to 15 bytes holds its bytes in these bits; a literal holds its address. The bits
/// stay meaningful only while the string that they were taken from is kept alive.
struct StringIdentity: Equatable {
  private let first: UInt64
  private let second: UInt64

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

  /// Whether the two strings have the same storage bits, on platforms where that can be told.
  static func == (left: StringIdentity, right: StringIdentity) -> Bool {
    #if _pointerBitWidth(_64)
      left.first == right.first && left.second == right.second
    #else
      false
    #endif
  }
}
