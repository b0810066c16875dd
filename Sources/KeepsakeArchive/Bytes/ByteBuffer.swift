/// A growing run of bytes that one owner writes and rewrites in place.
///
/// Used instead of an array where single words are stored at high rate: it has no uniqueness
/// check. Every access is checked against `count`; the encoder computes all offsets itself, so a
/// failing check is a defect of the encoder and never the result of input.
@safe
struct ByteBuffer: ~Copyable {
  private var pointer: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    unsafe pointer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
  }

  deinit {
    unsafe pointer.deallocate()
  }

  private mutating func reserve(_ additional: Int) {
    if additional <= capacity &- count { return }
    grow(additional)
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let larger = max(capacity * 2, count + additional)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    unsafe fresh.copyMemory(from: pointer, byteCount: count)
    unsafe pointer.deallocate()
    unsafe pointer = fresh
    capacity = larger
  }

  /// Appends zero bytes.
  mutating func appendZeros(_ length: Int) {
    reserve(length)
    unsafe pointer.advanced(by: count).initializeMemory(as: UInt8.self, repeating: 0, count: length)
    count &+= length
  }

  /// Appends zero bytes up to the next multiple of eight.
  mutating func pad() {
    let slack = -count & 7
    if slack != 0 { appendZeros(slack) }
  }

  /// Appends a little-endian integer.
  mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    reserve(MemoryLayout<Word>.size)
    unsafe pointer.storeBytes(of: word.littleEndian, toByteOffset: count, as: Word.self)
    count &+= MemoryLayout<Word>.size
  }

  /// Overwrites a little-endian integer.
  mutating func store<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<Word>.size)
    unsafe pointer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: Word.self)
  }

  /// Sets bits of one byte.
  mutating func setBits(_ bits: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count)
    let old = unsafe pointer.load(fromByteOffset: offset, as: UInt8.self)
    unsafe pointer.storeBytes(of: old | bits, toByteOffset: offset, as: UInt8.self)
  }

  /// Appends the bytes of an array.
  mutating func append(_ bytes: [UInt8]) {
    reserve(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      unsafe pointer.advanced(by: count).copyMemory(from: base, byteCount: source.count)
    }
    count &+= bytes.count
  }

  /// Appends packed scalars as they lie in memory, which on every supported platform is
  /// little-endian.
  mutating func append<Scalar: BitwiseCopyable>(scalars: [Scalar]) {
    let length = scalars.count * MemoryLayout<Scalar>.stride
    reserve(length)
    unsafe scalars.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      unsafe pointer.advanced(by: count).copyMemory(from: base, byteCount: source.count)
    }
    count &+= length
  }

  /// Appends the UTF-8 bytes of a string.
  mutating func append(utf8 string: String) {
    var copy = string
    let length = copy.utf8.count
    reserve(length)
    copy.withUTF8 { source in
      guard let base = source.baseAddress else { return }
      unsafe pointer.advanced(by: count).copyMemory(from: base, byteCount: source.count)
    }
    count &+= length
  }

  /// Appends a copy of bytes that are already in this buffer.
  mutating func appendCopy(of range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    reserve(range.count)
    unsafe pointer.advanced(by: count).copyMemory(
      from: pointer.advanced(by: range.lowerBound), byteCount: range.count)
    count &+= range.count
  }

  /// Appends the end of another buffer, from an offset on.
  mutating func append(from other: borrowing ByteBuffer, at offset: Int) {
    precondition(offset >= 0 && offset <= other.count)
    let length = other.count &- offset
    reserve(length)
    unsafe pointer.advanced(by: count).copyMemory(
      from: other.pointer.advanced(by: offset), byteCount: length)
    count &+= length
  }

  /// Removes the bytes of a range and moves what follows down.
  mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    if range.isEmpty { return }
    unsafe pointer.advanced(by: range.lowerBound).copyMemory(
      from: pointer.advanced(by: range.upperBound), byteCount: count &- range.upperBound)
    count &-= range.count
  }

  /// Forgets everything from an offset on.
  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// Appends the whole content to an array.
  func copy(into bytes: inout [UInt8]) {
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: pointer, count: count))
  }
}

/// The little-endian bits of a short string as an inline slot holds them (Spec/archive.md, 5.2),
/// or nil when the string is longer than seven bytes.
func inlineBits(of string: String) -> UInt64? {
  let length = string.utf8.count
  if length > 7 { return nil }
  var bits = UInt64(length) << 1
  var shift: UInt64 = 8
  for byte in string.utf8 {
    bits |= UInt64(byte) << shift
    shift &+= 8
  }
  return bits
}
