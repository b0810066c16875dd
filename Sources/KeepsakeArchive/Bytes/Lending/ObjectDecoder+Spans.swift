// Values can be borrowed instead of copied. A span depends on the decoder, which keeps the bytes.

extension ObjectDecoder {
  /// Passes the numbers of a stored array to a closure, without copying them.
  ///
  /// The array has to be stored in exactly this type, without nils. Use ``decode(_:forKey:)`` where numbers have to
  /// be converted.
  ///
  /// - Parameters:
  ///   - type: The type of the stored numbers.
  ///   - key: The key.
  ///   - body: Gets the numbers: in place if they are aligned, as numbers of 256 bytes and more are, or else as a
  ///     copy.
  /// - Returns: The result of `body`.
  /// - Throws: ``ArchiveError`` when the key is absent or another value is stored; an error of `body`.
  /// - Complexity: O(1) for an array of 256 bytes or more, however long it is.
  public func withSpan<Scalar: ArchiveScalar, Result>(
    of type: Scalar.Type = Scalar.self, forKey key: ArchiveKey,
    _ body: (Span<Scalar>) throws -> Result
  ) throws -> Result {
    let (view, range) = try located(key) { value throws(ArchiveError) in
      try value.scalarRange(of: type)
    }
    if range.lowerBound.isMultiple(of: min(MemoryLayout<Scalar>.alignment, 8)) {
      return try body(unsafe view.span(of: type, range))
    }
    return try body(view.scalars(type, range).span)
  }

  /// The bytes of a run of bytes, a string or a URL, without a copy or a check of them.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes, which are valid as long as the decoder; for a string, its unchecked UTF-8.
  /// - Throws: ``ArchiveError`` when the key is absent or another kind of value is stored.
  /// - Complexity: O(1), however many bytes there are.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  public func bytes(forKey key: ArchiveKey) throws(ArchiveError) -> Span<UInt8> {
    let (view, range) = try text(key)
    let span = unsafe view.span(of: UInt8.self, range)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The range of the bytes of a value that contains no other values.
  @inlinable
  @inline(__always)
  func text(_ key: ArchiveKey) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    if let slot = slot(of: key) {
      let row = slot.row
      if row.traits & (SlotRow.text | SlotRow.nullable) == SlotRow.text {
        return (view, payload(row))
      }
    }
    return try slowText(key)
  }

  @inline(never)
  @usableFromInline
  func slowText(
    _ key: ArchiveKey
  ) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    try located(key) { value throws(ArchiveError) in
      guard value.tag.isText, !value.isNil else {
        throw value.mismatch("a run of bytes or a string")
      }
      return value.range
    }
  }

  /// Finds a value, and returns the range that a closure selects in it.
  ///
  /// - Returns: The range, and the view that contains it; the archive's own values are not in the object's view.
  @inline(never)
  private func located(
    _ key: ArchiveKey,
    _ body: (borrowing ValueDecoder) throws(ArchiveError) -> Range<Int>
  ) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    do {
      if let slot = presentSlot(of: key) { return (view, try body(value(of: slot))) }
      let value = try reservedValue(forKey: key)
      return (value.view, try body(value))
    } catch {
      throw located(error, key)
    }
  }
}

extension ValueDecoder {
  /// The range of the numbers of an array.
  fileprivate func scalarRange<Scalar: ArchiveScalar>(
    of type: Scalar.Type
  ) throws(ArchiveError) -> Range<Int> {
    // A type without a witness of its own traps here, instead of reading foreign bits.
    _ = type.scalarWitness
    let elements = try elements()
    if elements.count == 0 { return elements.start..<elements.start }
    guard elements.tag == Scalar.archiveTag, elements.nilBits == 0 else {
      throw ArchiveError(
        .typeMismatch,
        "an array of \(elements.tag) is stored where one of \(Scalar.archiveTag) was asked for",
        offset: offset)
    }
    return elements.slotRange
  }
}

extension ByteView {
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
