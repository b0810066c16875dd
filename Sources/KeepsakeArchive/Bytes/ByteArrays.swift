// Little-endian words in an array of bytes. Every load checks its bounds: offsets come from the archive, which is
// hostile until it is checked.

extension [UInt8] {
  /// The little-endian integer at an offset; nil when it would reach past the end.
  package func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int)
    -> Word?
  {
    guard offset >= 0, offset <= count &- MemoryLayout<Word>.size else { return nil }
    let word = unsafe withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }
    return Word(littleEndian: word)
  }
}

/// A part of an archive, with offsets in the whole archive.
///
/// Every access beyond the part gives nil, since offsets come from the archive.
struct ByteRegion: Sendable {
  let bytes: [UInt8]
  /// The offset of the bytes in the archive.
  let origin: Int

  init(_ bytes: [UInt8], origin: Int = 0) {
    self.bytes = bytes
    self.origin = origin
  }

  var end: Int { origin + bytes.count }

  /// A view of the bytes, for callers that keep the region for as long as anything uses the view.
  var view: ByteView { unsafe ByteView(constant: bytes, origin: origin) }

  func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Word? {
    bytes.load(Word.self, at: offset &- origin)
  }

  func holds(_ expected: [UInt8], at offset: Int) -> Bool {
    let place = offset &- origin
    guard place >= 0, place <= bytes.count &- expected.count else { return false }
    return unsafe bytes.withUnsafeBytes { own in
      unsafe expected.withUnsafeBytes { other in
        unsafe UnsafeRawBufferPointer(rebasing: own[place..<place &+ other.count]).isEqual(
          to: other)
      }
    }
  }

  func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[local(range)]) }

  /// The string of a range; nil when the range is not well-formed UTF-8 or leaves the part.
  func string(in range: Range<Int>) -> String? { bytes.string(in: local(range)) }

  private func local(_ range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound - origin
    return start..<start + range.count
  }
}

extension Span<UInt8> {
  /// Loads an integer of up to eight bytes, all within the span, the highest byte first; 0 for no bytes.
  @inlinable
  @inline(__always)
  package func bigEndianInteger(at offset: Int, byteCount length: Int) -> UInt64 {
    precondition(offset >= 0 && 0...8 ~= length && offset <= count &- length)
    if length > 0, offset <= count &- 8 {
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self)
      return word.bigEndian &>> UInt64(64 &- 8 &* length)
    }
    var value: UInt64 = 0
    for index in offset..<offset &+ length { value = value << 8 | UInt64(self[index]) }
    return value
  }
}
