/// The bytes of an opened archive, or of a part of it, read in place.
///
/// Offsets are those of the whole archive, whatever part of it is there.
///
/// The view does not keep the bytes alive: ``ArchiveStorage`` does, which every decoder refers to.
/// Every access checks its bounds, although extents have been checked before: should a defect break
/// that, it ends in a stop and not in foreign memory.
@safe
@usableFromInline
struct ByteView: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeRawPointer
  /// Where in the archive the bytes begin.
  @usableFromInline let origin: Int
  /// How many bytes there are.
  @usableFromInline let count: Int

  /// A view of an array that is kept in a constant: it is never changed, so it does not move.
  init(constant bytes: [UInt8], origin: Int = 0) {
    self.origin = origin
    count = bytes.count
    unsafe pointer = bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress ?? ByteView.somewhere
    }
  }

  /// The address of no bytes at all.
  private static var somewhere: UnsafeRawPointer {
    // Never read, since the count is zero.
    unsafe UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  /// Which part of the archive is there.
  var range: Range<Int> { origin..<origin + count }

  /// The little-endian integer at an offset.
  @inlinable
  func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Word {
    let place = offset &- origin
    precondition(place >= 0 && place <= count &- MemoryLayout<Word>.size)
    return Word(littleEndian: unsafe pointer.loadUnaligned(fromByteOffset: place, as: Word.self))
  }

  /// Where the last payload of a record ends, counted from where the first begins; nil when one of
  /// them ends before it begins.
  ///
  /// - Parameters:
  ///   - slots: The variable slots of the record, of which each states an end.
  ///   - start: Where the record begins.
  ///   - length: The bytes of its slots, which are all there as this checks once.
  /// - Returns: The end of the last payload, 0 without any, or nil.
  @inlinable
  @inline(__always)
  func endOfPayloads(
    _ slots: RawSlice<VariableSlot>, ofRecordAt start: Int, length: Int
  ) -> Int? {
    let place = start &- origin
    precondition(place >= 0 && place <= count &- length)
    var last = 0
    var index = 0
    while index < slots.count {
      let slot = slots[index]
      index &+= 1
      precondition(Int(slot.offset) <= length &- 4)
      let begin = (last &+ Int(slot.alignmentMask)) & ~Int(slot.alignmentMask)
      last = Int(
        UInt32(
          littleEndian: unsafe pointer.loadUnaligned(
            fromByteOffset: place &+ Int(slot.offset), as: UInt32.self)))
      if last < begin { return nil }
    }
    return last
  }

  /// Where a payload lies, which begins where the one before it ends (Spec/archive.md, 5.2).
  ///
  /// - Parameters:
  ///   - tag: The tag of the value.
  ///   - end: Where the slot lies that states the end.
  ///   - previous: Where the slot of the payload before lies, 0 for none.
  ///   - tail: Where the payloads begin.
  /// - Returns: The range, empty when the end lies before the beginning.
  @inlinable
  @inline(__always)
  func payload(
    _ tag: ArchiveTag, endAt end: Int, previousEndAt previous: Int, tail: Int
  ) -> Range<Int> {
    var first = previous == 0 ? 0 : Int(load(UInt32.self, at: previous))
    if tag.isContainer { first = (first &+ 7) & ~7 }
    let last = Int(load(UInt32.self, at: end))
    return tail &+ first..<tail &+ max(first, last)
  }

  /// Whether every byte of a range is zero.
  func isZero(_ range: Range<Int>) -> Bool {
    // Mostly the few bytes of a padding.
    if range.count <= 8, range.lowerBound <= origin &+ count &- 8 {
      let word = load(UInt64.self, at: range.lowerBound)
      return word & ((1 << UInt64(range.count * 8)) &- 1) == 0
    }
    for offset in range where load(UInt8.self, at: offset) != 0 { return false }
    return true
  }

  /// Whether certain bytes lie at an offset.
  func holds(_ expected: [UInt8], at offset: Int) -> Bool {
    unsafe buffer(offset..<offset + expected.count).elementsEqual(expected)
  }

  /// A copy of a range.
  func copy(_ range: Range<Int>) -> [UInt8] {
    unsafe Array(buffer(range))
  }

  /// The string of a range, or nil when the range is not well-formed UTF-8.
  func string(_ range: Range<Int>) -> String? {
    unsafe validatedString(buffer(range))
  }

  /// Whether a range is well-formed UTF-8.
  func isUTF8(_ range: Range<Int>) -> Bool {
    let bytes = unsafe buffer(range)
    if unsafe isASCII(bytes) { return true }
    return unsafe String(validating: bytes, as: UTF8.self) != nil
  }

  /// Whether one range comes before another, byte by byte as unsigned numbers.
  func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    unsafe buffer(left).lexicographicallyPrecedes(buffer(right))
  }

  /// Copies packed little-endian scalars out of a range.
  func scalars<Scalar: BitwiseCopyable>(_ type: Scalar.Type, _ range: Range<Int>) -> [Scalar] {
    let total = range.count / MemoryLayout<Scalar>.stride
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    return unsafe [Scalar](unsafeUninitializedCapacity: total) { target, initialized in
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
      initialized = total
    }
  }

  /// The bytes of a range; valid as long as the storage lives.
  @unsafe
  @inlinable
  func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let place = range.lowerBound &- origin
    precondition(place >= 0 && place <= count &- range.count)
    return unsafe UnsafeBufferPointer(
      start: pointer.advanced(by: place).assumingMemoryBound(to: UInt8.self),
      count: range.count)
  }
}
