/// A growing buffer of bytes, written by hand.
@safe
struct RawOutput: ~Copyable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  var bytes: [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Reserves bytes that are stored before they are read.
  @inline(__always)
  mutating func appendUninitialized(_ number: Int) {
    if count + number > capacity { grow(by: number) }
    count += number
  }

  @inline(__always)
  mutating func store<Scalar: BitwiseCopyable>(_ value: Scalar, at offset: Int) {
    unsafe memory.storeBytes(of: value, toByteOffset: offset, as: Scalar.self)
  }

  /// Appends a number.
  @inline(__always)
  mutating func append<Scalar: BitwiseCopyable>(_ value: Scalar) {
    appendUninitialized(MemoryLayout<Scalar>.size)
    store(value, at: count - MemoryLayout<Scalar>.size)
  }

  /// Appends bytes.
  mutating func append(bytes: ArraySlice<UInt8>) {
    let start = count
    appendUninitialized(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: memory + start, count: source.count)
        .copyMemory(from: source)
    }
  }

  /// Removes and returns the bytes after an offset.
  mutating func take(from offset: Int) -> [UInt8] {
    defer { count = offset }
    return unsafe Array(UnsafeRawBufferPointer(start: memory + offset, count: count - offset))
  }

  /// Appends a string.
  @inline(__always)
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { source in
      if count + source.count > capacity { grow(by: source.count) }
      unsafe UnsafeMutableRawBufferPointer(start: memory + count, count: source.count)
        .copyMemory(from: UnsafeRawBufferPointer(source))
      count += source.count
    }
  }

  /// Stores an end.
  @inline(__always)
  mutating func store(end: Int, width: Int, at offset: Int) {
    switch width {
    case 1: store(UInt8(truncatingIfNeeded: end), at: offset)
    case 2: store(UInt16(truncatingIfNeeded: end), at: offset)
    default: store(UInt32(truncatingIfNeeded: end), at: offset)
    }
  }

  @inline(never)
  private mutating func grow(by number: Int) {
    capacity = max(capacity * 2, count + number)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}
