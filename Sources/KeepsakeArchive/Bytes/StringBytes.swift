// Names and strings are compared by their UTF-8 bytes and never normalised (Spec/archive.md, section 1): Swift's own
// `==` would treat two spellings of "é" as the same key.

extension String {
  package func hasSameBytes(as other: String) -> Bool {
    let (identity, others) = (StringIdentity(self), StringIdentity(other))
    if identity == others { return true }
    if identity.isContent, others.isContent { return false }
    return unsafe withBytes { bytes in
      unsafe other.withBytes { unsafe bytes.isEqual(to: $0) }
    }
  }

  /// Passes the UTF-8 bytes to a closure, usually in place.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // A contiguous copy would always count a reference, even where none is needed.
    if let result = unsafe utf8.withContiguousStorageIfAvailable({
      unsafe body(UnsafeRawBufferPointer($0))
    }) {
      return result
    }
    var copy = self
    return copy.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }

  /// Passes the UTF-8 bytes to a closure as a span, usually in place.
  package func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe withBytes { body(unsafe Span(_unsafeBytes: $0)) }
  }

  package var lastByte: UInt8? { unsafe withBytes { unsafe $0.last } }

  /// The first eight UTF-8 bytes as a number, the first in its highest bits, with zeros after a shorter string.
  ///
  /// If the numbers of two strings differ, the string with the smaller one comes first.
  package var firstBytes: UInt64 {
    unsafe withBytes { raw in
      if raw.count >= 8 { return unsafe raw.loadUnaligned(as: UInt64.self).bigEndian }
      var word: UInt64 = 0
      for index in 0..<8 { word = word << 8 | UInt64(unsafe index < raw.count ? raw[index] : 0) }
      return word
    }
  }

  package func bytesPrecede(_ other: String) -> Bool {
    // Few strings begin with the same eight bytes.
    let (head, otherHead) = (firstBytes, other.firstBytes)
    return head == otherHead ? utf8.lexicographicallyPrecedes(other.utf8) : head < otherHead
  }

  package func hashBytes(into hasher: inout Hasher) {
    unsafe withBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(UInt8(0xFF))
  }
}

extension ByteView {
  /// Compares the bytes of a range with those of a string: negative, 0 or positive, as the range comes before, is
  /// equal or comes after.
  func order(_ range: Range<Int>, _ text: String) -> Int {
    unsafe text.withBytes { other in
      let own = unsafe buffer(range)
      for index in 0..<min(own.count, other.count) {
        if unsafe own[index] != other[index] { return unsafe own[index] < other[index] ? -1 : 1 }
      }
      return own.count - other.count
    }
  }
}

extension RawTable<UInt8> {
  mutating func append(utf8 string: String) {
    for byte in string.utf8 { append(byte) }
  }
}

extension RawSlice<UInt8> {
  @inline(__always)
  func isUTF8(of string: String) -> Bool {
    unsafe string.withBytes { bytes in
      unsafe UnsafeRawBufferPointer(start: pointer, count: count).isEqual(to: bytes)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both are the same bytes, compared by two words at a time; the last word overlaps the one before it.
  @inline(__always)
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    if count != other.count { return false }
    guard count >= 8 else { return unsafe elementsEqual(other) }
    let last = count &- 8
    var index = 0
    while index &+ 8 < last {
      let first = unsafe word(at: index) ^ other.word(at: index)
      let second = unsafe word(at: index &+ 8) ^ other.word(at: index &+ 8)
      if first | second != 0 { return false }
      index &+= 16
    }
    if index < last, unsafe word(at: index) != other.word(at: index) { return false }
    return unsafe word(at: last) == other.word(at: last)
  }

  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

extension [UInt8] {
  /// The string of a byte range; nil when the range leaves the array or is not well-formed UTF-8.
  package func string(in range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return unsafe withUnsafeBufferPointer { buffer in
      let slice = unsafe UnsafeBufferPointer(rebasing: buffer[range])
      return unsafe validatedString(slice)
    }
  }
}

/// The string of bytes; nil when they are not well-formed UTF-8.
///
/// The standard library would check the bytes one by one; it is told that they are checked.
@inline(__always)
func validatedString(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
  let isASCII = unsafe isASCII(bytes)
  guard unsafe isASCII || isWellFormedUTF8(bytes) else { return nil }
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    let span = unsafe Span(_unsafeElements: bytes)
    return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
  }
  return unsafe String(decoding: bytes, as: UTF8.self)
}

@inline(__always)
func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let base = bytes.baseAddress else { return true }
  let raw = unsafe UnsafeRawPointer(base)
  let count = bytes.count
  var seen: UInt64 = 0
  if count >= 8 {
    var index = 0
    while index &+ 16 <= count {
      seen |= unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      seen |= unsafe raw.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
      index &+= 16
    }
    if index &+ 8 <= count {
      seen |= unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
    // The last word overlaps the one before it.
    seen |= unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
  } else if count >= 4 {
    let head = unsafe raw.loadUnaligned(as: UInt32.self)
    let last = unsafe raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    seen = UInt64(head | last)
  } else {
    for index in 0..<count { seen |= UInt64(unsafe bytes[index]) }
  }
  return seen & 0x8080_8080_8080_8080 == 0
}

/// A hash of the content of a name that is not short; names may share it, so the bytes are compared after a match.
func contentWord(of name: String) -> UInt64 {
  unsafe name.withBytes { raw in
    guard raw.count >= 8 else { return UInt64(raw.count) }
    let head = unsafe raw.loadUnaligned(as: UInt64.self)
    let last = unsafe raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
    var mixed = (head &+ UInt64(raw.count)) &* 0xC2B2_AE3D_27D4_EB4F
    if raw.count > 16 {
      // Many long names have the same start and end.
      mixed ^= unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      mixed = (mixed ^ mixed >> 32) &* 0xC2B2_AE3D_27D4_EB4F
      mixed ^= unsafe raw.loadUnaligned(fromByteOffset: raw.count - 16, as: UInt64.self)
      mixed = (mixed ^ mixed >> 32) &* 0xC2B2_AE3D_27D4_EB4F
    }
    let product = (mixed ^ last) &* 0x9E37_79B9_7F4A_7C15
    // The lower bits of a product do not depend on the last letters, in which names differ most.
    return product ^ product >> 29
  }
}
