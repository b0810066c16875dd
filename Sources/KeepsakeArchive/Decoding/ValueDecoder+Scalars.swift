// How stored scalars become Swift values (Spec/archive.md, section 6).

extension ValueDecoder {
  /// The little-endian word in the slot.
  @inlinable
  func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type = Word.self) -> Word {
    view.load(Word.self, at: offset)
  }

  /// An integer of any width that the value fits.
  @inlinable
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type = Integer.self, tag expected: ArchiveTag
  ) throws(ArchiveError) -> Integer {
    if tag == expected, !isNil { return word() }
    return try convertedInteger()
  }

  @inline(never)
  @usableFromInline
  func convertedInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws(ArchiveError) -> Integer {
    guard !isNil else { throw mismatch("an integer") }
    let value: Integer?
    switch (tag.kind, tag.width) {
    case (.signed, .one): value = Integer(exactly: word(Int8.self))
    case (.signed, .two): value = Integer(exactly: word(Int16.self))
    case (.signed, .four): value = Integer(exactly: word(Int32.self))
    case (.signed, .eight): value = Integer(exactly: word(Int64.self))
    case (.signed, .sixteen): value = Integer(exactly: word(Int128.self))
    case (.unsigned, .one): value = Integer(exactly: word(UInt8.self))
    case (.unsigned, .two): value = Integer(exactly: word(UInt16.self))
    case (.unsigned, .four): value = Integer(exactly: word(UInt32.self))
    case (.unsigned, .eight): value = Integer(exactly: word(UInt64.self))
    case (.unsigned, .sixteen): value = Integer(exactly: word(UInt128.self))
    default: throw mismatch("an integer")
    }
    guard let value else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(tag) does not fit the type \(Integer.self)", offset: offset)
    }
    return value
  }

  /// A floating-point number in full precision.
  @usableFromInline
  func double() throws(ArchiveError) -> Double {
    guard !isNil else { throw mismatch("a floating-point number") }
    switch tag {
    case .double: return Double(bitPattern: word())
    case .float: return Double(Float(bitPattern: word()))
    case .float16: return Double(Float(halfBits: word()))
    default: throw mismatch("a floating-point number")
    }
  }

  /// A floating-point number rounded to the nearest Float; one that is finite must stay so.
  @usableFromInline
  func float() throws(ArchiveError) -> Float {
    guard !isNil else { throw mismatch("a floating-point number") }
    if tag == .float { return Float(bitPattern: word()) }
    if tag == .float16 { return Float(halfBits: word()) }
    let number = try double()
    let rounded = Float(number)
    guard rounded.isFinite || !number.isFinite else {
      throw ArchiveError(
        .valueOutOfRange, "a stored Double is too large for a Float", offset: offset)
    }
    return rounded
  }

  /// A truth value.
  @usableFromInline
  func bool() throws(ArchiveError) -> Bool {
    try require(.bool, for: "a truth value")
    let bits = word(UInt8.self)
    guard bits <= 1 else {
      throw ArchiveError(
        .nonCanonical, "a truth value is stored as \(bits) and not as 0 or 1", offset: offset)
    }
    return bits == 1
  }

  /// The number of a conditional reference; of an archive that is read forward, whether it is listed
  /// is known only at the end.
  func conditionalNumber() throws(ArchiveError) -> UInt32 {
    try require(.conditionalReference, for: "a conditional reference")
    let number = word(UInt32.self)
    if number == 0 { return 0 }
    try storage.with { storage throws(ArchiveError) in
      if !storage.index.isStream { _ = try storage.conditionalObject(number) }
    }
    return number
  }

  /// A reference to an object that exists, or to none; a conditional one to an object that was
  /// stored.
  func reference() throws(ArchiveError) -> ArchiveObjectID? {
    if tag == .conditionalReference, !isNil {
      let number = word(UInt32.self)
      if number == 0 { return nil }
      return try storage.with { storage throws(ArchiveError) in
        try storage.conditionalObject(number)
      }
    }
    try require(.reference, for: "a reference")
    let bits = word(UInt32.self)
    if bits == 0 { return nil }
    guard Int(bits) <= storage.with({ $0.frame.objectCount }) else {
      throw ArchiveError(
        .damaged, "a reference to object #\(bits), which does not exist", offset: offset)
    }
    return ArchiveObjectID(bits)
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
