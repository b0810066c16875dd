/// Bytes that grow, written by hand.
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

  @inline(__always)
  mutating func appendZeros(_ number: Int) {
    if count + number > capacity { grow(by: number) }
    unsafe (memory + count).initializeMemory(as: UInt8.self, repeating: 0, count: number)
    count += number
  }

  @inline(__always)
  mutating func store<Scalar: BitwiseCopyable>(_ value: Scalar, at offset: Int) {
    unsafe memory.storeBytes(of: value, toByteOffset: offset, as: Scalar.self)
  }

  /// Writes a string behind what is there.
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

  /// Stores one of the ends of a record.
  @inline(__always)
  mutating func store(end: Int, _ index: Int, width: UInt32, at ends: Int) {
    switch width {
    case 0: store(UInt8(truncatingIfNeeded: end), at: ends + index)
    case 1: store(UInt16(truncatingIfNeeded: end), at: ends + index * 2)
    default: store(UInt32(truncatingIfNeeded: end), at: ends + index * 4)
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
