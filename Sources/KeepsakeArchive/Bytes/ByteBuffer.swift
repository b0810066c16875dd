/// A growing run of bytes that one owner writes and rewrites in place, and returns as an array without a copy.
///
/// It is used instead of an array where single words are stored at a high rate: it has no uniqueness check. Every
/// access is checked against `count`. The encoder computes all offsets itself, so a failed check is a defect of the
/// encoder and never caused by input.
@safe
@usableFromInline
struct ByteBuffer: ~Copyable {
  /// Owns the memory.
  ///
  /// Its elements are reached through `pointer` alone: the array has no other owner, and is replaced as a whole when
  /// it grows, so the address stays valid in between.
  private var storage: [UInt8]
  @usableFromInline var pointer: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var count = 0

  init(capacity: Int = 256) {
    if capacity == 0 {
      // Appending the first byte allocates memory.
      self.capacity = 0
      storage = []
      unsafe pointer = ByteBuffer.nowhere
    } else {
      self.capacity = max(capacity, 64)
      storage = ByteBuffer.uninitialized(self.capacity)
      unsafe pointer = ByteBuffer.address(of: &storage)
    }
  }

  /// The address of a buffer without memory.
  private static var nowhere: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
  }

  private static func uninitialized(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
  }

  private static func address(of storage: inout [UInt8]) -> UnsafeMutableRawPointer {
    // An array of at least one element has an address.
    unsafe storage.withUnsafeMutableBytes { unsafe $0.baseAddress.unsafelyUnwrapped }
  }

  /// Returns the bytes without a copy, and leaves the buffer empty.
  mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &storage)
    taken.removeLast(taken.count - count)
    unsafe pointer = ByteBuffer.nowhere
    capacity = 0
    count = 0
    return taken
  }

  /// A view of the bytes, for reading them until the buffer grows or is released.
  var view: ByteView {
    unsafe ByteView(UnsafeRawPointer(pointer), origin: 0, count: count)
  }

  @_lifetime(borrow self)
  func span(_ range: Range<Int>) -> Span<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let start = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
    let span = unsafe Span(
      _unsafeStart: start.advanced(by: range.lowerBound), count: range.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  @inlinable
  mutating func reserve(_ additional: Int) {
    if additional <= capacity &- count { return }
    grow(additional)
  }

  @inline(never)
  @usableFromInline
  mutating func grow(_ additional: Int) {
    let factor = capacity < 1 << 20 ? 4 : 2
    let needed = count + additional
    let larger = max(capacity * factor, needed + needed / 16, 64)
    var fresh = ByteBuffer.uninitialized(larger)
    let target = unsafe ByteBuffer.address(of: &fresh)
    unsafe target.copyMemory(from: pointer, byteCount: count)
    storage = fresh
    unsafe pointer = target
    capacity = larger
  }

  /// Appends bytes that the caller is about to store.
  @inlinable
  mutating func appendRoom(_ length: Int) {
    reserve(length)
    count &+= length
  }

  mutating func appendZeros(_ length: Int) {
    appendRoom(length)
    clear(count &- length..<count)
  }

  /// Appends a little-endian integer.
  @inlinable
  mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    reserve(MemoryLayout<Word>.size)
    unsafe pointer.storeBytes(of: word.littleEndian, toByteOffset: count, as: Word.self)
    count &+= MemoryLayout<Word>.size
  }

  @inlinable
  mutating func store<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<Word>.size)
    unsafe pointer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: Word.self)
  }

  /// Overwrites the bytes from an offset on with the bytes that `body` appends.
  mutating func overwrite(at offset: Int, _ body: (inout ByteBuffer) -> Void) {
    precondition(offset >= 0 && offset <= count)
    let end = count
    count = offset
    body(&self)
    precondition(count <= end)
    count = end
  }

  @inlinable
  func load<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Word {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<Word>.size)
    return Word(littleEndian: unsafe pointer.loadUnaligned(fromByteOffset: offset, as: Word.self))
  }

  @inlinable
  mutating func setBits(_ bits: UInt8, at offset: Int) {
    store(load(UInt8.self, at: offset) | bits, at: offset)
  }

  mutating func clear(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    unsafe pointer.advanced(by: range.lowerBound).initializeMemory(
      as: UInt8.self, repeating: 0, count: range.count)
  }

  /// Appends packed scalars in their layout in memory, which is little-endian on every supported platform.
  mutating func append<Scalar: BitwiseCopyable>(scalars: [Scalar]) {
    unsafe scalars.withUnsafeBytes { unsafe append($0) }
  }

  @inline(__always)
  mutating func append<Scalar: BitwiseCopyable>(scalars: [Scalar], after byte: UInt8) {
    let length = scalars.count &* MemoryLayout<Scalar>.stride
    // The reserve is 16 bytes larger than the bytes that are written.
    reserve(length &+ 1 &+ 16)
    let target = unsafe pointer.advanced(by: count)
    unsafe target.storeBytes(of: byte, as: UInt8.self)
    unsafe scalars.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      if length == 16 {
        let words = unsafe base.loadUnaligned(as: (UInt64, UInt64).self)
        unsafe target.storeBytes(of: words.0, toByteOffset: 1, as: UInt64.self)
        unsafe target.storeBytes(of: words.1, toByteOffset: 9, as: UInt64.self)
      } else {
        unsafe target.advanced(by: 1).copyMemory(from: base, byteCount: length)
      }
    }
    count &+= length &+ 1
  }

  /// True when `number` bytes, at equal distances from `offset` on, are all `byte`.
  func hasByte(_ byte: UInt8, atEach distance: Int, _ number: Int, from offset: Int) -> Bool {
    precondition(offset >= 0 && distance > 0 && number > 0)
    precondition(offset &+ (number &- 1) &* distance < count)
    var place = offset
    for _ in 0..<number {
      if unsafe pointer.load(fromByteOffset: place, as: UInt8.self) != byte { return false }
      place &+= distance
    }
    return true
  }

  /// Moves runs of bytes, which start at equal distances, together: they start at `target`, which is not after the
  /// first run.
  mutating func gather(
    _ number: Int, of length: Int, atEach distance: Int, from offset: Int, to target: Int
  ) {
    precondition(target >= 0 && target <= offset && length <= distance && number > 0)
    precondition(length >= 0 && offset &+ (number &- 1) &* distance &+ length <= count)
    var source = unsafe pointer.advanced(by: offset)
    var place = unsafe pointer.advanced(by: target)
    for _ in 0..<number {
      if length == 16 {
        let words = unsafe source.loadUnaligned(as: (UInt64, UInt64).self)
        unsafe place.storeBytes(of: words.0, as: UInt64.self)
        unsafe place.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
      } else {
        unsafe place.copyMemory(from: source, byteCount: length)
      }
      unsafe source = source.advanced(by: distance)
      unsafe place = place.advanced(by: length)
    }
  }

  /// Appends integers in a narrower width, which they have to fit.
  mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(
    _ integers: [Int64], as type: Word.Type
  ) {
    let size = MemoryLayout<Word>.size
    reserve(integers.count * size)
    let target = unsafe pointer.advanced(by: count)
    for index in integers.indices {
      unsafe target.storeBytes(
        of: Word(truncatingIfNeeded: integers[index]).littleEndian, toByteOffset: index &* size,
        as: Word.self)
    }
    count &+= integers.count * size
  }

  @inline(never)
  @usableFromInline
  mutating func append(utf8 string: String) {
    let isDone: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe append(UnsafeRawBufferPointer($0))
    }
    if isDone != nil { return }
    // The string is bridged from another language, so it has no contiguous storage.
    var copy = string
    copy.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ source: Span<UInt8>) {
    unsafe source.withUnsafeBytes { unsafe append($0) }
  }

  @inline(__always)
  private mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let base = source.baseAddress else { return }
    reserve(source.count)
    unsafe pointer.advanced(by: count).copyMemory(from: base, byteCount: source.count)
    count &+= source.count
  }

  mutating func append(from other: borrowing ByteBuffer, _ range: Range<Int>) {
    append(from: other.view, range)
  }

  /// Moves everything from one offset on to another offset, before or after it; bytes that become free in between are
  /// set to zero.
  mutating func move(from offset: Int, to target: Int) {
    precondition(offset >= 0 && target >= 0 && offset <= count)
    let length = count &- offset
    if target > offset { reserve(target &- offset) }
    unsafe pointer.advanced(by: target).copyMemory(
      from: pointer.advanced(by: offset), byteCount: length)
    count = target &+ length
    if target > offset { clear(offset..<target) }
  }

  /// Copies a range to another offset, which may overlap the range.
  mutating func shift(_ range: Range<Int>, to target: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    precondition(target >= 0 && target <= count &- range.count)
    unsafe pointer.advanced(by: target).copyMemory(
      from: pointer.advanced(by: range.lowerBound), byteCount: range.count)
  }

  /// Copies a run of bytes to an earlier offset, which it must not overlap.
  @inlinable
  @inline(__always)
  mutating func copy(_ length: Int, from offset: Int, to target: Int) {
    precondition(target >= 0 && target &+ length <= offset && offset &+ length <= count)
    let source = unsafe pointer.advanced(by: offset)
    let place = unsafe pointer.advanced(by: target)
    guard length >= 8 else {
      for index in 0..<length {
        let byte = unsafe source.load(fromByteOffset: index, as: UInt8.self)
        unsafe place.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      return
    }
    // The last word overlaps the one before it.
    var index = 0
    while index < length {
      let at = min(index, length &- 8)
      let word = unsafe source.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      unsafe place.storeBytes(of: word, toByteOffset: at, as: UInt64.self)
      index &+= 8
    }
  }

  /// Removes the last `count` words of a table, which are the ends of a record's payloads, and stores all but the
  /// last of them.
  ///
  /// The width is a power of two in bytes.
  @inlinable
  @inline(__always)
  mutating func storeEnds(
    _ count: Int, of words: inout RawTable<UInt32>, width: UInt32, at offset: Int
  ) {
    if count == 0 { return }
    let first = words.count &- count
    let length = count &- 1
    precondition(first >= 0 && offset >= 0 && offset <= self.count &- length &<< Int(width))
    let source = unsafe words.pointer.advanced(by: first)
    let target = unsafe pointer.advanced(by: offset)
    if width == 0 {
      for index in 0..<length {
        unsafe target.storeBytes(
          of: UInt8(truncatingIfNeeded: source[index]), toByteOffset: index, as: UInt8.self)
      }
    } else {
      unsafe storeWide(source, length, width: width, at: target)
    }
    words.count = first
  }

  @unsafe
  @inline(never)
  @usableFromInline
  func storeWide(
    _ source: UnsafeMutablePointer<UInt32>, _ length: Int, width: UInt32,
    at target: UnsafeMutableRawPointer
  ) {
    for index in 0..<length {
      if width == 1 {
        unsafe target.storeBytes(
          of: UInt16(truncatingIfNeeded: source[index]).littleEndian, toByteOffset: index &* 2,
          as: UInt16.self)
      } else {
        unsafe target.storeBytes(
          of: source[index].littleEndian, toByteOffset: index &* 4, as: UInt32.self)
      }
    }
  }

  /// Overwrites a slot with zeros; its length is 0, 1, 2, 4, 8 or 16 bytes.
  @inlinable
  @inline(__always)
  mutating func storeZeros(_ length: Int, at offset: Int) {
    switch length {
    case 1: store(0 as UInt8, at: offset)
    case 2: store(0 as UInt16, at: offset)
    case 4: store(0 as UInt32, at: offset)
    case 8: store(0 as UInt64, at: offset)
    case 16:
      store(0 as UInt64, at: offset)
      store(0 as UInt64, at: offset &+ 8)
    default: break
    }
  }

  @inlinable
  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// Appends a range of bytes of an archive that is read.
  mutating func append(from view: ByteView, _ range: Range<Int>) {
    unsafe append(UnsafeRawBufferPointer(view.buffer(range)))
  }
}
