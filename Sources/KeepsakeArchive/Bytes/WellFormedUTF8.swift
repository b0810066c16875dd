// Whether bytes are well-formed UTF-8 (Spec/archive.md, section 1), several characters at a time.

/// Whether bytes are well-formed UTF-8, as the Unicode Standard defines it: no character in a longer form than it
/// needs, no surrogates, none beyond U+10FFFF, none cut off.
@inline(never)
func isWellFormedUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let base = bytes.baseAddress else { return true }
  let raw = unsafe UnsafeRawPointer(base)
  let count = bytes.count
  var index = 0
  while index <= count &- 8 {
    let word = UInt64(
      littleEndian: unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    if word & 0x8080_8080_8080_8080 == 0 {
      index &+= 8
    } else if LeadingCharacters.areFourOfTwoBytes(word) {
      index &+= 8
    } else if LeadingCharacters.areTwoOfThreeBytes(word) {
      index &+= 6
    } else {
      let length = LeadingCharacters.byteCountOfFirst(word)
      if length == 0 { return false }
      index &+= length
    }
  }
  // What is left, with zero bytes after it, by which no character is completed.
  var word: UInt64 = 0
  var place: UInt64 = 0
  for rest in index..<max(index, count) {
    word |= UInt64(unsafe bytes[rest]) &<< place
    place &+= 8
  }
  while index < count {
    let length = LeadingCharacters.byteCountOfFirst(word)
    if length == 0 { return false }
    index &+= length
    word &>>= UInt64(8 &* length)
  }
  return true
}

/// Looks at the characters that eight bytes begin with, the first byte in the lowest bits.
private enum LeadingCharacters {
  /// Whether the bytes are four characters of two bytes each.
  @inline(__always)
  static func areFourOfTwoBytes(_ word: UInt64) -> Bool {
    // A leading byte of C0 or C1 would be one of a character that takes one byte: of the others a bit from 1 to 4
    // is set, so that the sum reaches bit 8.
    word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
      && ((word & 0x001E_001E_001E_001E) &+ 0x00FE_00FE_00FE_00FE) & 0x0100_0100_0100_0100
        == 0x0100_0100_0100_0100
  }

  /// Whether the bytes begin with two characters of three bytes each.
  @inline(__always)
  static func areTwoOfThreeBytes(_ word: UInt64) -> Bool {
    word & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0
      && isShortest(ofThreeBytes: word) && isShortest(ofThreeBytes: word &>> 24)
  }

  /// Whether a character of three bytes needs them, and is no surrogate: by its upper five bits.
  @inline(__always)
  private static func isShortest(ofThreeBytes word: UInt64) -> Bool {
    let upper = (word &<< 1 & 0x1E) | (word &>> 13 & 1)
    return upper != 0 && upper != 0x1B
  }

  /// The bytes of the first character; 0 if it is not well-formed.
  @inline(__always)
  static func byteCountOfFirst(_ word: UInt64) -> Int {
    if word & 0x80 == 0 { return 1 }
    if word & 0xC0E0 == 0x80C0 { return word & 0x1E == 0 ? 0 : 2 }
    if word & 0xC0_C0F0 == 0x80_80E0 { return isShortest(ofThreeBytes: word) ? 3 : 0 }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      // The upper five bits: planes 1 to 16.
      let plane = (word &<< 2 & 0x1C) | (word &>> 12 & 3)
      return 1...16 ~= plane ? 4 : 0
    }
    return 0
  }
}
