// Values that are borrowed instead of copied. A span depends on the decoder, which keeps the bytes.

extension ObjectDecoder {
  /// Passes the numbers of a stored array to a closure, without copying them.
  ///
  /// The array has to be stored in exactly this type, without nils. Read it with
  /// ``decode(_:forKey:)`` where numbers have to be converted.
  ///
  /// - Parameters:
  ///   - type: The type that the numbers were encoded as.
  ///   - key: The key.
  ///   - body: Gets the numbers: where they lie if they are aligned, as numbers of 256 bytes and more are,
  ///     else a copy of them.
  /// - Returns: What `body` returns.
  /// - Throws: ``ArchiveError`` when the key is absent or no array of such numbers is stored; what `body`
  ///   throws.
  /// - Complexity: O(1), however long an array of 256 bytes or more is.
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

  /// The bytes of a run of bytes, a string or a URL, without a copy and without a look at
  /// what they are.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes, for as long as the decoder is there; of a string its UTF-8, unchecked.
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

  /// Where the bytes lie of a value that contains no other one.
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

  /// Finds a value, and lets a closure tell which bytes of it are meant.
  ///
  /// - Returns: The bytes, and what they lie in: the archive's own values are not in the object.
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
  /// Where the numbers of an array lie.
  fileprivate func scalarRange<Scalar: ArchiveScalar>(
    of type: Scalar.Type
  ) throws(ArchiveError) -> Range<Int> {
    // A type that has no witness of its own ends here instead of seeing foreign bits.
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
  /// Scalars in place.
  ///
  /// The range has to begin at a multiple of what the type is aligned to: the bytes of an archive, or of a
  /// part of it, begin at a multiple of eight in it and in memory.
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
