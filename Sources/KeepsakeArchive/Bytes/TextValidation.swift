// These functions check that bytes are text, without making a string.

extension ByteView {
  @inline(__always)
  func isASCII(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText
  }

  /// Whether a range is well-formed UTF-8; most texts are ASCII.
  @inline(__always)
  package func isUTF8(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText || isWellFormedUTF8(buffer(range))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// True when no byte has its highest bit set; long texts are checked 64 bytes at a time.
  @inline(__always)
  fileprivate var isASCIIText: Bool {
    unsafe count < 64 ? isASCII(self) : isLongASCII
  }

  @inline(never)
  private var isLongASCII: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var offset = 0
    while offset &+ 64 <= count {
      let one = unsafe raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let two = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD16<UInt8>.self)
      let three = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD16<UInt8>.self)
      let four = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 48, as: SIMD16<UInt8>.self)
      let all = unsafe unsafeBitCast((one | two) | (three | four), to: SIMD2<UInt64>.self)
      if (all[0] | all[1]) & 0x8080_8080_8080_8080 != 0 { return false }
      offset &+= 64
    }
    return unsafe isASCII(UnsafeBufferPointer(rebasing: self[offset...]))
  }
}

// The check for well-formed UTF-8 (Spec/archive.md, section 1) takes sixteen bytes at a time, without a branch for
// each character: in texts that mix characters of several lengths, as in most languages but English, a processor
// would mispredict most branches.

/// Whether bytes are well-formed UTF-8, as the Unicode Standard defines it: no character in a longer form than
/// needed, no surrogates, none above U+10FFFF, none cut off.
@inline(never)
func isWellFormedUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  let count = bytes.count
  guard let base = bytes.baseAddress, count > 0 else { return true }
  let raw = unsafe UnsafeRawPointer(base)
  // Zero bytes are added before the text, where they begin no character, and after it, where they complete none.
  if count < 16 { return unsafe TextBlock.faults(inFirst: shortText(raw, count)).areNone }
  let first = unsafe raw.loadUnaligned(as: UInt128.self)
  var faults = TextBlock.faults(inFirst: UInt128(littleEndian: first))
  var index = 16
  while index <= count &- 32 {
    let one = unsafe TextBlock(raw, index)
    let two = unsafe TextBlock(raw, index &+ 16)
    let three = unsafe TextBlock(raw, index &- 3)
    if !one.isASCII(with: two, three) {
      unsafe faults.add(
        one.faults(after: TextBlock(raw, index &- 1), TextBlock(raw, index &- 2), three))
      unsafe faults.add(
        two.faults(
          after: TextBlock(raw, index &+ 15), TextBlock(raw, index &+ 14),
          TextBlock(raw, index &+ 13)))
    }
    index &+= 32
  }
  if index <= count &- 16 {
    unsafe faults.add(
      TextBlock(raw, index).faults(
        after: TextBlock(raw, index &- 1), TextBlock(raw, index &- 2),
        TextBlock(raw, index &- 3)))
  }
  // Less than a block is left: this checks the last fifteen bytes, some of them again, and a zero byte.
  let last = unsafe raw.loadUnaligned(fromByteOffset: count &- 16, as: UInt128.self)
  unsafe faults.add(
    TextBlock(UInt128(littleEndian: last) &>> 8).faults(
      after: TextBlock(raw, count &- 16), TextBlock(raw, before: count &- 16, by: 1),
      TextBlock(raw, before: count &- 16, by: 2)))
  return faults.areNone
}

/// Fewer than sixteen bytes as a number, the first in its lowest bits.
@inline(__always)
private func shortText(_ raw: UnsafeRawPointer, _ count: Int) -> UInt128 {
  if count >= 8 {
    let head = unsafe raw.loadUnaligned(as: UInt64.self)
    let last = unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    let rest = (UInt64(littleEndian: last) &>> UInt64(8 &* (15 &- count))) &>> 8
    return UInt128(rest) &<< 64 | UInt128(UInt64(littleEndian: head))
  }
  var text: UInt64 = 0
  for index in (0..<count).reversed() {
    text = text << 8 | UInt64(unsafe raw.load(fromByteOffset: index, as: UInt8.self))
  }
  return UInt128(text)
}

/// Sixteen bytes of a text.
private struct TextBlock {
  private let bytes: SIMD16<UInt8>

  @inline(__always)
  init(_ raw: UnsafeRawPointer, _ offset: Int) {
    unsafe bytes = raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// The sixteen bytes that begin a distance before an offset, with zero bytes before the text.
  @inline(__always)
  init(_ raw: UnsafeRawPointer, before offset: Int, by distance: Int) {
    if offset >= distance {
      unsafe self.init(raw, offset &- distance)
    } else {
      let first = unsafe UInt128(littleEndian: raw.loadUnaligned(as: UInt128.self))
      self.init(first &<< UInt128(8 &* (distance &- offset)))
    }
  }

  /// The bytes of a number, the lowest byte first.
  @inline(__always)
  init(_ text: UInt128) {
    bytes = unsafe unsafeBitCast(text.littleEndian, to: SIMD16<UInt8>.self)
  }

  /// Whether no byte of these blocks has its highest bit set.
  @inline(__always)
  func isASCII(with two: TextBlock, _ three: TextBlock) -> Bool {
    let all = bytes | two.bytes | three.bytes
    let words = unsafe unsafeBitCast(all, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
  }

  /// Finds the faults of the first block of a text.
  @inline(__always)
  static func faults(inFirst text: UInt128) -> Faults {
    TextBlock(text).faults(
      after: TextBlock(text &<< 8), TextBlock(text &<< 16), TextBlock(text &<< 24))
  }

  /// Finds the bytes that break a rule, given the bytes one, two and three places before each.
  @inline(__always)
  func faults(after one: TextBlock, _ two: TextBlock, _ three: TextBlock) -> Faults {
    let (one, two, three) = (one.bytes, two.bytes, three.bytes)
    // A character continues with bytes 80 to BF, which occur nowhere else.
    let continuing = SIMD16<Int8>(truncatingIfNeeded: bytes) .< SIMD16<Int8>(repeating: -64)
    let expected = one .>= all(0xC0) .| two .>= all(0xE0) .| three .>= all(0xF0)
    // C0 and C1 would begin a character that needs one byte; F5 to FF begin none.
    let impossible = bytes & all(0xFE) .== all(0xC0) .| bytes .>= all(0xF5)
    // After an E0 comes at least A0, and after an ED less than A0; otherwise the character would have a shorter form,
    // or be a surrogate. After an F0 comes at least 90, and after an F4 less than 90; otherwise it would have a
    // shorter form, or be above U+10FFFF.
    let (belowA0, below90) = (bytes .< all(0xA0), bytes .< all(0x90))
    let ofThree = one .== all(0xE0) .& belowA0 .| one .== all(0xED) .& .!belowA0
    let ofFour = one .== all(0xF0) .& below90 .| one .== all(0xF4) .& .!below90
    return Faults(bytes: continuing .^ expected .| impossible .| ofThree .| ofFour)
  }

  /// A vector with a byte in all places; with a number instead, the library would compare byte by byte.
  @inline(__always)
  private func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

  struct Faults {
    private var bytes: SIMDMask<SIMD16<Int8>>

    @inline(__always)
    init(bytes: SIMDMask<SIMD16<Int8>>) {
      self.bytes = bytes
    }

    @inline(__always)
    mutating func add(_ others: Faults) {
      bytes .|= others.bytes
    }

    @inline(__always)
    var areNone: Bool {
      let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
      return words[0] | words[1] == 0
    }
  }
}
