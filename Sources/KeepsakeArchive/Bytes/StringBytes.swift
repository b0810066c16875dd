// UTF-8 in and out. Names and strings are compared by their bytes and never normalised
// (Spec/archive.md, 2.3): Swift's own `==` would take two spellings of "é" for one key.

extension String {
  /// Whether both strings are the same UTF-8 bytes.
  func hasSameBytes(as other: String) -> Bool {
    if StringIdentity(self) == StringIdentity(other) { return true }
    return utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether this string's UTF-8 bytes come before the other's.
  func bytesPrecede(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Feeds the UTF-8 bytes to a hasher.
  func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}

extension [UInt8] {
  /// The string of a byte range, or nil when the range is not well-formed UTF-8.
  ///
  /// The range must lie inside the array; callers have checked it against the payload.
  func string(in range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return unsafe withUnsafeBufferPointer { buffer in
      let slice = unsafe UnsafeBufferPointer(rebasing: buffer[range])
      return unsafe validatedString(slice)
    }
  }
}

/// The string held in the upper bytes of an inline slot (Spec/archive.md, 5.2), or nil when it is
/// not well-formed UTF-8.
func inlineString(bits: UInt64, count: Int) -> String? {
  var bytes = (bits >> 8).littleEndian
  return unsafe withUnsafeBytes(of: &bytes) { raw in
    unsafe raw.withMemoryRebound(to: UInt8.self) { buffer in
      unsafe validatedString(UnsafeBufferPointer(rebasing: buffer[0..<count]))
    }
  }
}

/// ASCII is recognised a word at a time, since the library's validation costs far more per string.
private func validatedString(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
  var seen: UInt64 = 0
  var index = 0
  let raw = UnsafeRawBufferPointer(bytes)
  while index &+ 8 <= raw.count {
    seen |= unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    index &+= 8
  }
  while index < raw.count {
    seen |= UInt64(unsafe raw[index])
    index &+= 1
  }
  if seen & 0x8080_8080_8080_8080 == 0 {
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
  return unsafe String(validating: bytes, as: UTF8.self)
}
