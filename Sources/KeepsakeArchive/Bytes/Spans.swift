// Bytes and numbers of an archive that are borrowed instead of copied.

extension ByteView {
  /// Passes scalars to a closure: in place where they are aligned, else a copy of them.
  func withSpan<Scalar: BitwiseCopyable, Result>(
    of type: Scalar.Type, _ range: Range<Int>, _ body: (Span<Scalar>) throws -> Result
  ) rethrows -> Result {
    if range.lowerBound.isMultiple(of: min(MemoryLayout<Scalar>.alignment, 8)) {
      return try body(unsafe span(of: type, range))
    }
    return try body(scalars(type, range).span)
  }

  /// Bytes in place, for as long as the object that keeps them is borrowed.
  @inlinable
  @inline(__always)
  @_lifetime(borrow owner)
  func bytes<Owner: ~Copyable>(_ range: Range<Int>, of owner: borrowing Owner) -> Span<UInt8> {
    let span = unsafe span(of: UInt8.self, range)
    return unsafe _overrideLifetime(span, borrowing: owner)
  }

  /// The scalars of a range, in place.
  ///
  /// The range has to begin at a multiple of the type's alignment. The bytes of an archive, or of a part of it, begin
  /// at a multiple of eight both in the archive and in memory.
  @unsafe
  @inlinable
  @_lifetime(immortal)
  func span<Scalar: BitwiseCopyable>(
    of type: Scalar.Type, _ range: Range<Int>
  ) -> Span<Scalar> {
    let bytes = unsafe buffer(range)
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return Span() }
    let span = unsafe Span(
      _unsafeStart: UnsafeRawPointer(base).assumingMemoryBound(to: Scalar.self),
      count: bytes.count / MemoryLayout<Scalar>.stride)
    return unsafe _overrideLifetime(span, copying: ())
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
