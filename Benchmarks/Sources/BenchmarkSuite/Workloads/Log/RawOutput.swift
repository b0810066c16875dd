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

  /// Writes a string behind what is there, and where it ends into its slot.
  @inline(__always)
  mutating func append(_ text: String, end slot: Int, tail: Int) {
    var text = text
    text.withUTF8 { source in
      if count + source.count > capacity { grow(by: source.count) }
      unsafe UnsafeMutableRawBufferPointer(start: memory + count, count: source.count)
        .copyMemory(from: UnsafeRawBufferPointer(source))
      count += source.count
    }
    store(UInt32(truncatingIfNeeded: count - tail), at: slot)
  }

  /// Writes zeros up to the next multiple of eight.
  @inline(__always)
  mutating func pad() {
    let padding = -count & 7
    if count + 8 > capacity { grow(by: 8) }
    store(0 as UInt64, at: count)
    count += padding
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
