// Text that is copied as it is, found sixteen bytes at a time.

extension Span<UInt8> {
  package var isUTF8: Bool { unsafe withUnsafeBufferPointer { unsafe isWellFormedUTF8($0) } }

  package var isASCII: Bool {
    unsafe withUnsafeBufferPointer { unsafe KeepsakeArchive.isASCII($0) }
  }

  /// The index of the first quotation mark, backslash or control character of ASCII; `count` without one.
  package func endOfPlainText(from start: Int) -> Int { end(from: start, plain: 0xFF) }

  /// For JSON that is shown: as ``endOfPlainText(from:)``, but a DEL or a character beyond ASCII also ends the text.
  package func endOfPlainASCII(from start: Int) -> Int { end(from: start, plain: 0x7E) }

  /// Compares two parts of `length` bytes, by words where possible; false also for a part that is not within the bytes.
  package func hasSameBytes(_ length: Int, at first: Int, and second: Int) -> Bool {
    guard 0...count ~= length, 0...count - length ~= first, 0...count - length ~= second else {
      return false
    }
    return unsafe withUnsafeBytes { bytes in
      unsafe UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]).isEqual(
        to: UnsafeRawBufferPointer(rebasing: bytes[second..<second + length]))
    }
  }

  @inline(__always)
  private func end(from start: Int, plain highest: UInt8) -> Int {
    precondition(start >= 0)
    var index = start
    // With numbers instead of vectors, the library would compare byte by byte.
    let quote = SIMD16<UInt8>(repeating: 0x22)
    let backslash = SIMD16<UInt8>(repeating: 0x5C)
    let space = SIMD16<UInt8>(repeating: 0x20)
    let highestOfAll = SIMD16<UInt8>(repeating: highest)
    while index <= count &- 16 {
      let block = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      let ends =
        (block .== quote) .| (block .== backslash) .| (block .< space) .| (block .> highestOfAll)
      let words = unsafe unsafeBitCast(ends, to: SIMD2<UInt64>.self)
      if words[0] != 0 { return index &+ UInt64(littleEndian: words[0]).trailingZeroBitCount / 8 }
      if words[1] != 0 {
        return index &+ 8 &+ UInt64(littleEndian: words[1]).trailingZeroBitCount / 8
      }
      index &+= 16
    }
    while index < count {
      let byte = self[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 || byte > highest { return index }
      index &+= 1
    }
    return count
  }
}

extension [UInt8] {
  /// Appends bytes in one copy.
  package mutating func append(copying source: Span<UInt8>) {
    unsafe source.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 bytes of a text in one copy.
  package mutating func append(utf8 text: String) {
    text.withUTF8Span { append(copying: $0) }
  }
}
