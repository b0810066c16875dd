// Whether bytes are well-formed UTF-8 (Spec/archive.md, section 1), eight bytes at a time and without a branch
// for each character: where texts mix characters of several lengths, which is everywhere but in English, a
// processor would guess wrong at most words.

/// Whether bytes are well-formed UTF-8, as the Unicode Standard defines it: no character in a longer form than it
/// needs, no surrogates, none beyond U+10FFFF, none cut off.
@inline(never)
func isWellFormedUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let base = bytes.baseAddress else { return true }
  let raw = unsafe UnsafeRawPointer(base)
  let count = bytes.count
  var looks = CharacterLooks()
  var index = 0
  while index <= count &- 32 {
    let one = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let two = unsafe raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
    let three = unsafe raw.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
    let four = unsafe raw.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
    index &+= 32
    if (one | two | three | four) & CharacterLooks.highBits == 0, looks.areComplete { continue }
    looks.take(UInt64(littleEndian: one))
    looks.take(UInt64(littleEndian: two))
    looks.take(UInt64(littleEndian: three))
    looks.take(UInt64(littleEndian: four))
  }
  while index <= count &- 8 {
    looks.take(
      UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
    index &+= 8
  }
  // What is left, with zero bytes after it, by which no character is completed; and a word of them alone where
  // nothing is left.
  var word: UInt64 = 0
  if count >= 8 {
    let last = UInt64(
      littleEndian: unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    word = (last &>> UInt64(8 &* (index &+ 7 &- count))) &>> 8
  } else {
    for rest in (0..<count).reversed() { word = word << 8 | UInt64(unsafe bytes[rest]) }
  }
  looks.take(word)
  return looks.areWellFormed
}

/// What was seen of a text so far, the findings of each byte in its highest bit.
private struct CharacterLooks {
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Bytes that break a rule.
  private var faults: UInt64 = 0
  // What the last bytes of the word before say of the first ones of the next.
  /// Which have to continue a character.
  private var continued: UInt64 = 0
  /// Which come after an E0 and so are A0 at least; after an ED and so below A0: else the character would have a
  /// shorter form, or be a surrogate.
  private var afterE0: UInt64 = 0
  private var afterED: UInt64 = 0
  /// Which come after an F0 and so are 90 at least; after an F4 and so below 90: else the character would have a
  /// shorter form, or be beyond U+10FFFF.
  private var afterF0: UInt64 = 0
  private var afterF4: UInt64 = 0

  /// Whether all characters are, and all bytes are allowed.
  var areWellFormed: Bool { faults & CharacterLooks.highBits == 0 }

  /// Whether no character goes on in the next word.
  var areComplete: Bool { continued == 0 }

  /// Looks at the next eight bytes, the first in the lowest bits.
  @inline(__always)
  mutating func take(_ word: UInt64) {
    // The bits of each byte below the highest, in its place: what comes there from other bytes is masked off.
    let (second, third, fourth) = (word &<< 1, word &<< 2, word &<< 3)
    let high = word & CharacterLooks.highBits
    let leading = high & second
    let ofThree = leading & third
    let ofFour = ofThree & fourth
    let expected = continued | leading &<< 8 | ofThree &<< 16 | ofFour &<< 24
    continued = leading &>> 56 | ofThree &>> 48 | ofFour &>> 40
    // Bytes 80 to BF are there, and only there, where a character goes on.
    faults |= expected ^ high ^ leading
    // C0 and C1 begin what takes one byte.
    faults |= leading & ~third & ~nonzero(word & (0x1E * CharacterLooks.ones))
    let low = word & (0x0F * CharacterLooks.ones)
    let three = ofThree & ~fourth
    let e0 = three & ~nonzero(low)
    let ed = three & ~nonzero(low ^ (0x0D * CharacterLooks.ones))
    faults |= (afterE0 | e0 &<< 8) & ~third | (afterED | ed &<< 8) & third
    afterE0 = e0 &>> 56
    afterED = ed &>> 56
    // Most texts have no character of four bytes.
    if ofFour | afterF0 | afterF4 == 0 { return }
    let upper = third | fourth
    let f0 = ofFour & ~nonzero(low)
    let f4 = ofFour & ~nonzero(low ^ (0x04 * CharacterLooks.ones))
    faults |= (afterF0 | f0 &<< 8) & ~upper | (afterF4 | f4 &<< 8) & upper
    afterF0 = f0 &>> 56
    afterF4 = f4 &>> 56
    // F5 to FF begin nothing.
    faults |= ofFour & (low &+ (0x7B * CharacterLooks.ones))
  }

  /// The highest bits of the bytes that are not zero, and below 80.
  @inline(__always)
  private func nonzero(_ bytes: UInt64) -> UInt64 { bytes &+ (0x7F * CharacterLooks.ones) }
}
