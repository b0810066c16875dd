// How stored scalars become Swift values (Spec/archive.md, section 6).

extension ValueDecoder {
  /// The little-endian word in the slot.
  @inlinable
  func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type = Word.self) -> Word {
    view.load(Word.self, at: offset)
  }

  /// The bits in the slot of a value of fixed width.
  @usableFromInline var scalar: StoredScalar {
    // References are narrower in arrays.
    tag.isReference
      ? StoredScalar(tag, low: UInt64(view.reference(range)))
      : view.scalar(tag, at: offset, bit: bit)
  }

  /// An integer of any width that the value fits.
  @inlinable
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type = Integer.self, tag expected: ArchiveTag
  ) throws(ArchiveError) -> Integer {
    if tag == expected, !isNil { return word() }
    return try convertedInteger()
  }

  /// The same in any case; inlinable, since code that is not specialised for the type takes ten times as long.
  @inlinable
  @inline(never)
  func convertedInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws(ArchiveError) -> Integer {
    let scalar = scalar
    guard !isNil, scalar.isInteger else { throw mismatch("an integer") }
    guard let value = scalar.integer(as: type) else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(tag) does not fit the type \(Integer.self)", offset: offset)
    }
    return value
  }

  /// A floating-point number in full precision, or an integer that is one.
  @usableFromInline
  func double() throws(ArchiveError) -> Double {
    if !isNil, let number = scalar.double { return number }
    return try wholeNumber()
  }

  /// An integer as a floating-point number, which has to be the same number (Spec/archive.md, 6.2).
  @inline(never)
  func wholeNumber<Number: BinaryFloatingPoint>(
    _ type: Number.Type = Number.self
  ) throws(ArchiveError) -> Number {
    let scalar = scalar
    guard !isNil, scalar.isInteger else { throw mismatch("a floating-point number") }
    guard let number = scalar.wholeNumber(as: type) else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(tag) is not exactly a \(type)", offset: offset)
    }
    return number
  }

  /// A floating-point number rounded to the nearest Float; one that is finite must stay so, and an integer exact.
  @usableFromInline
  func float() throws(ArchiveError) -> Float {
    guard !isNil, tag.kind == .floatingPoint else { return try wholeNumber() }
    guard let number = scalar.float else {
      throw ArchiveError(
        .valueOutOfRange, "a stored Double is too large for a Float", offset: offset)
    }
    return number
  }

  /// A truth value.
  @usableFromInline
  func bool() throws(ArchiveError) -> Bool {
    try require(.bool, for: "a truth value")
    return scalar.low != 0
  }

  /// The number of a conditional reference; of an archive that is read forward, whether it is listed
  /// is known only at the end.
  func conditionalNumber() throws(ArchiveError) -> UInt32 {
    try require(.conditionalReference, for: "a conditional reference")
    let number = view.reference(range)
    try storage.with { storage throws(ArchiveError) in try storage.checkConditional(number) }
    return number
  }

  /// A reference to an object that exists, or to none; a conditional one to an object that was
  /// stored.
  func reference() throws(ArchiveError) -> ArchiveObjectID? {
    if tag == .conditionalReference, !isNil {
      let number = view.reference(range)
      if number == 0 { return nil }
      return try storage.with { storage throws(ArchiveError) in
        try storage.conditionalObject(number)
      }
    }
    try require(.reference, for: "a reference")
    let number = view.reference(range)
    return try storage.with { storage throws(ArchiveError) in
      try storage.object(number, at: offset)
    }
  }

  /// Numbers of one array: in one copy when they lie there as they do in memory, nil when not.
  @usableFromInline
  func packed<Scalar: BitwiseCopyable>(
    _ type: Scalar.Type, tag: ArchiveTag, _ elements: StoredElements
  ) -> [Scalar]? {
    guard elements.tag == tag, elements.nilBits == 0,
      tag.byteCount == MemoryLayout<Scalar>.stride
    else { return nil }
    return view.scalars(Scalar.self, elements.slotRange)
  }
}
