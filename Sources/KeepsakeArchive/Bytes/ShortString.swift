/// Strings of up to 15 ASCII bytes, made of the two words that hold them.
///
/// A string that short has no memory of its own. The library takes 12 ns to put its words together,
/// which is more than all else that reading such a value takes. How they are put together is not
/// promised, so it is only done here where the library is found to do it in the same way.
enum ShortString {
  /// The longest string that two words hold, and tell apart from others, in bytes.
  static let capacity = 15

  /// Whether the library's own strings of every length are made of the same words.
  private static let isSameAsLibrary: Bool = {
    #if _pointerBitWidth(_64)
      ["0123456789abcde", "\u{0}zY\t~!\u{7F} ]^_{|}@"].allSatisfy { sample in
        (0...capacity).allSatisfy { count in
          let bytes = Array(sample.utf8.prefix(count))
          let expected = StringIdentity(String(decoding: bytes, as: UTF8.self))
          let made = unsafe bytes.withUnsafeBufferPointer { unsafe words($0) }
          return made.map { $0 == (expected.first, expected.second) } ?? false
        }
      }
    #else
      false
    #endif
  }()

  /// The string of up to ``capacity`` bytes; nil when one of them is not ASCII, or where such strings
  /// are made in another way.
  @inline(__always)
  static func make(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    #if _pointerBitWidth(_64)
      guard isSameAsLibrary, let words = unsafe words(bytes) else { return nil }
      return unsafe unsafeBitCast(words, to: String.self)
    #else
      return nil
    #endif
  }

  /// The bytes from the least significant one on; in the upper byte the number of them and what the
  /// string is.
  @inline(__always)
  private static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    let count = bytes.count
    let raw = UnsafeRawBufferPointer(bytes)
    var first: UInt64 = 0
    var second: UInt64 = 0
    // The last word overlaps the one before it.
    if count >= 8 {
      first = unsafe raw.loadUnaligned(as: UInt64.self)
      let last = unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      second = last >> UInt64(128 &- 8 &* count)
    } else if count >= 4 {
      let last = unsafe raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      first =
        UInt64(unsafe raw.loadUnaligned(as: UInt32.self))
        | UInt64(last) &<< UInt64(8 &* (count &- 4))
    } else {
      for index in 0..<count { first |= UInt64(unsafe raw[index]) &<< UInt64(8 &* index) }
    }
    if (first | second) & 0x8080_8080_8080_8080 != 0 { return nil }
    return (first, second | UInt64(truncatingIfNeeded: 0xE0 | count) &<< 56)
  }
}
