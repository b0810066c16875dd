// How stored scalars become Swift values (Spec/archive.md, section 6).

extension ValueDecoder {
  /// An integer of any width that the value fits.
  func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws(ArchiveError) -> Integer {
    guard !isNil else { throw mismatch("an integer") }
    let value: Integer?
    switch (tag.kind, tag.width) {
    case (.signed, .one): value = Integer(exactly: Int8(truncatingIfNeeded: bits))
    case (.signed, .two): value = Integer(exactly: Int16(truncatingIfNeeded: bits))
    case (.signed, .four): value = Integer(exactly: Int32(truncatingIfNeeded: bits))
    case (.signed, .eight): value = Integer(exactly: Int64(bitPattern: bits))
    case (.unsigned, .one), (.unsigned, .two), (.unsigned, .four), (.unsigned, .eight):
      value = Integer(exactly: bits)
    default: throw mismatch("an integer")
    }
    guard let value else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(tag) does not fit the type \(Integer.self)", offset: offset)
    }
    return value
  }

  /// A floating-point number in full precision.
  func double() throws(ArchiveError) -> Double {
    guard !isNil else { throw mismatch("a floating-point number") }
    if tag == .double { return Double(bitPattern: bits) }
    if tag == .float { return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) }
    throw mismatch("a floating-point number")
  }

  /// A floating-point number rounded to the nearest Float; one that is finite must stay so.
  func float() throws(ArchiveError) -> Float {
    guard !isNil else { throw mismatch("a floating-point number") }
    if tag == .float { return Float(bitPattern: UInt32(truncatingIfNeeded: bits)) }
    let number = try double()
    let rounded = Float(number)
    guard rounded.isFinite || !number.isFinite else {
      throw ArchiveError(
        .valueOutOfRange, "a stored Double is too large for a Float", offset: offset)
    }
    return rounded
  }

  /// A truth value.
  func bool() throws(ArchiveError) -> Bool {
    try require(.bool, for: "a truth value")
    guard bits <= 1 else {
      throw ArchiveError(
        .nonCanonical, "a truth value is stored as \(bits) and not as 0 or 1", offset: offset)
    }
    return bits == 1
  }

  /// A reference to an object that exists, or to none.
  func reference() throws(ArchiveError) -> ArchiveObjectID? {
    try require(.reference, for: "a reference")
    if bits == 0 { return nil }
    guard bits <= UInt64(storage.frame.objectCount) else {
      throw ArchiveError(
        .damaged, "a reference to object #\(bits), which does not exist", offset: offset)
    }
    return ArchiveObjectID(UInt32(truncatingIfNeeded: bits))
  }

  /// Integers of one array: in one copy when they are stored in the width asked for.
  func integerElements<Integer: FixedWidthInteger & BitwiseCopyable & ArchiveValue>(
    _ type: Integer.Type = Integer.self
  ) throws(ArchiveError) -> [Integer] {
    let elements = try elements()
    if let packed = try packed(Integer.self, tag: Integer.archiveTag, elements) { return packed }
    var values: [Integer] = []
    for index in 0..<elements.count {
      do {
        values.append(try element(index, of: elements).integer())
      } catch {
        throw error.atElement(index)
      }
    }
    return values
  }

  /// Scalars that lie in the archive as they do in memory, or nil when they do not.
  func packed<Scalar: BitwiseCopyable>(
    _ type: Scalar.Type, tag: ArchiveTag, _ elements: StoredElements
  ) throws(ArchiveError) -> [Scalar]? {
    guard elements.tag == tag, !elements.isNullable,
      tag.width?.byteCount == MemoryLayout<Scalar>.stride
    else { return nil }
    let end = elements.slots + elements.count * MemoryLayout<Scalar>.stride
    return storage.bytes.scalars(Scalar.self, in: elements.slots..<end)
  }
}
