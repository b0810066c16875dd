/// The bytes of an opened archive, or of a part of it, read in place.
///
/// Offsets are those in the whole archive, even in a view of a part.
///
/// The view does not keep the bytes alive: ``ArchiveStorage`` does, to which every decoder refers. Every access
/// checks its bounds, although ranges have been checked before: if a defect breaks that, the program stops and reads
/// no foreign memory.
@safe
@usableFromInline
package struct ByteView: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeRawPointer
  /// The offset of the bytes in the archive.
  @usableFromInline let origin: Int
  @usableFromInline let count: Int

  /// A view of an array that the caller keeps in a constant for as long as anything uses the view.
  ///
  /// The array is never changed, so it does not move.
  @unsafe
  init(constant bytes: [UInt8], origin: Int = 0) {
    self.origin = origin
    count = bytes.count
    unsafe pointer = bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress ?? ByteView.somewhere
    }
  }

  @unsafe
  @inlinable
  init(_ pointer: UnsafeRawPointer, origin: Int, count: Int) {
    unsafe self.pointer = pointer
    self.origin = origin
    self.count = count
  }

  /// A view of a part of the bytes, at the same offsets.
  @inlinable
  @inline(__always)
  func part(from start: Int, to end: Int) -> ByteView {
    let place = start &- origin
    let length = end &- start
    precondition(place >= 0 && length >= 0 && place <= count &- length)
    return unsafe ByteView(pointer.advanced(by: place), origin: start, count: length)
  }

  /// The address of an empty view.
  private static var somewhere: UnsafeRawPointer {
    // Never read, since the count is zero.
    unsafe UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  var range: Range<Int> { origin..<origin + count }

  /// The little-endian integer at an offset.
  @inlinable
  func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Word {
    let place = offset &- origin
    precondition(place >= 0 && place <= count &- MemoryLayout<Word>.size)
    return Word(littleEndian: unsafe pointer.loadUnaligned(fromByteOffset: place, as: Word.self))
  }

  /// The last of `length` stored ends, counted from the first payload; nil when an end is below the one before it.
  ///
  /// There is at least one end, and the width of an end is a power of two in bytes.
  @inlinable
  @inline(__always)
  func endOfPayloads(endsAt ends: Int, count length: Int, width: UInt32) -> Int? {
    let place = ends &- origin
    guard width == 0, length <= 8, place >= 0, place <= count &- 8 else {
      return endOfMorePayloads(endsAt: ends, count: length, width: width)
    }
    // One word holds all ends, the last in its upper byte, and another holds the ends before them.
    let unused = UInt64(64 &- 8 &* length)
    let words = UInt64(
      littleEndian: unsafe pointer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    let last = words &<< unused
    let first = last &<< 8
    // If an end is below the one before it, the difference borrows from the byte above, and the borrowed bit differs
    // from the sum without carries.
    let borrowed = (last ^ first ^ (last &- first)) & 0x0101_0101_0101_0100
    return borrowed == 0 && last >= first ? Int(truncatingIfNeeded: last &>> 56) : nil
  }

  @inline(never)
  @usableFromInline
  func endOfMorePayloads(endsAt ends: Int, count length: Int, width: UInt32) -> Int? {
    switch width {
    case 0: lastEnd(UInt8.self, at: ends, count: length)
    case 1: lastEnd(UInt16.self, at: ends, count: length)
    default: lastEnd(UInt32.self, at: ends, count: length)
    }
  }

  /// The last of a number of ends; nil when an end is below the one before it.
  @inline(__always)
  private func lastEnd<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: Word.Type, at ends: Int, count length: Int
  ) -> Int? {
    let size = MemoryLayout<Word>.size
    let source = unsafe UnsafeRawBufferPointer(buffer(ends..<ends &+ length &* size))
    var (last, areInOrder) = (Word.zero, true)
    for index in 0..<length {
      let end = Word(
        littleEndian: unsafe source.loadUnaligned(fromByteOffset: index &* size, as: Word.self))
      areInOrder = areInOrder && end >= last
      last = end
    }
    return areInOrder ? Int(truncatingIfNeeded: last) : nil
  }

  /// The end of a payload of a record, counted from the start of the first payload.
  @inlinable
  @inline(__always)
  func end(_ index: Int, endsAt ends: Int, width: UInt32) -> Int {
    switch width {
    case 0: Int(load(UInt8.self, at: ends &+ index))
    case 1: Int(load(UInt16.self, at: ends &+ index &* 2))
    default: Int(load(UInt32.self, at: ends &+ index &* 4))
    }
  }

  /// The number of an object, in the one, two or four bytes of a range.
  @inline(__always)
  package func reference(_ range: Range<Int>) -> UInt32 {
    let width = UInt32(truncatingIfNeeded: range.count &>> 1)
    return UInt32(truncatingIfNeeded: end(0, endsAt: range.lowerBound, width: width))
  }

  package func copy(_ range: Range<Int>) -> [UInt8] {
    unsafe Array(buffer(range))
  }

  /// The offset of the first byte that differs from bytes which start at an offset; nil when all are the same.
  func firstDifference(from bytes: Span<UInt8>, at offset: Int) -> Int? {
    // Nearly always all are the same, and words are compared faster than bytes.
    let own = unsafe UnsafeRawBufferPointer(buffer(offset..<offset &+ bytes.count))
    if unsafe bytes.withUnsafeBytes({ unsafe own.isEqual(to: $0) }) { return nil }
    for index in bytes.indices where load(UInt8.self, at: offset &+ index) != bytes[index] {
      return offset &+ index
    }
    return nil
  }

  /// The string of a range, or nil when the range is not well-formed UTF-8.
  @inline(__always)
  package func string(_ range: Range<Int>) -> String? {
    unsafe validatedString(buffer(range))
  }

  /// Whether one range comes before another, byte by byte as unsigned numbers.
  func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    unsafe buffer(left).lexicographicallyPrecedes(buffer(right))
  }

  /// The maximum number of elements that are appended one by one: an array with uninitialised elements looks up its
  /// class in the runtime, which costs more.
  @usableFromInline static var fewElements: Int { 32 }

  /// Copies packed little-endian scalars out of a range.
  @inlinable
  func scalars<Scalar: BitwiseCopyable>(_ type: Scalar.Type, _ range: Range<Int>) -> [Scalar] {
    let total = range.count / MemoryLayout<Scalar>.stride
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    if total <= ByteView.fewElements {
      var scalars: [Scalar] = []
      scalars.reserveCapacity(total)
      for index in 0..<total {
        scalars.append(
          unsafe source.loadUnaligned(
            fromByteOffset: index &* MemoryLayout<Scalar>.stride, as: Scalar.self))
      }
      return scalars
    }
    return unsafe [Scalar](unsafeUninitializedCapacity: total) { target, initialized in
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
      initialized = total
    }
  }

  /// A number of bits from an offset on, the lowest of each byte first.
  func bits(at offset: Int, count length: Int) -> [Bool] {
    let bytes = unsafe buffer(offset..<offset + (length + 7) / 8)
    return unsafe [Bool](unsafeUninitializedCapacity: length) { target, initialized in
      for index in 0..<length {
        let bit = unsafe bytes[index &>> 3] &>> UInt8(truncatingIfNeeded: index & 7) & 1
        unsafe target.initializeElement(at: index, to: bit != 0)
      }
      initialized = length
    }
  }

  /// Words of one type as integers of another type; nil unless all fit.
  func integers<Word: FixedWidthInteger & BitwiseCopyable, Integer: FixedWidthInteger>(
    _ type: Word.Type, _ range: Range<Int>
  ) -> [Integer]? {
    let total = range.count / MemoryLayout<Word>.size
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    var integers: [Integer] = []
    integers.append(addingCapacity: total) { output in
      for index in 0..<total {
        let word = unsafe source.loadUnaligned(
          fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self)
        guard let integer = Integer(exactly: Word(littleEndian: word)) else { return }
        output.append(integer)
      }
    }
    return integers.count == total ? integers : nil
  }

  /// The bytes of a range; valid as long as the storage lives.
  @unsafe
  @inlinable
  func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let place = range.lowerBound &- origin
    let length = range.upperBound &- range.lowerBound
    precondition(place >= 0 && place <= count &- length)
    return unsafe UnsafeBufferPointer(
      start: pointer.advanced(by: place).assumingMemoryBound(to: UInt8.self), count: length)
  }
}

// Numbers that are borrowed instead of copied, and rows of them.

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

  /// Rows (Spec/archive.md, 5.5): the arrays of numbers that fill a range, each of the same number of bytes.
  func rows<Number: BitwiseCopyable>(
    _ type: Number.Type, in range: Range<Int>, byteCount: Int
  ) -> [[Number]] {
    let size = MemoryLayout<Number>.stride
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    let count = range.count / byteCount
    var rows: [[Number]] = []
    // The arrays may be much larger in memory than in the archive.
    rows.reserveCapacity(min(count, 1 << 16))
    func number(_ index: Int, from row: Int) -> Number {
      unsafe source.loadUnaligned(fromByteOffset: row &+ index &* size, as: Number.self)
    }
    var row = 0
    for _ in 0..<count {
      // An array literal is made without a check of its capacity.
      switch byteCount / size {
      case 2: rows.append([number(0, from: row), number(1, from: row)])
      case 3: rows.append([number(0, from: row), number(1, from: row), number(2, from: row)])
      default:
        let first = range.lowerBound &+ row
        rows.append(scalars(Number.self, first..<first &+ byteCount))
      }
      row &+= byteCount
    }
    return rows
  }
}
