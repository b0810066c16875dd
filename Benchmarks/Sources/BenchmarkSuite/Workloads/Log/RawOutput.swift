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

  /// Writes a string into its slot, or to the end when it is longer than a slot holds.
  @inline(__always)
  mutating func append(_ text: String, slot: Int, base: Int) {
    var text = text
    text.withUTF8 { source in
      if source.count <= 7 {
        var bits = UInt64(source.count) << 1
        for index in 0..<source.count {
          unsafe bits |= UInt64(source[index]) << UInt64(8 * (index + 1))
        }
        store(bits, at: slot)
      } else {
        let start = count
        let padded = (source.count + 7) & ~7
        if count + padded > capacity { grow(by: padded) }
        store(0 as UInt64, at: start + padded - 8)
        unsafe UnsafeMutableRawBufferPointer(start: memory + start, count: source.count)
          .copyMemory(from: UnsafeRawBufferPointer(source))
        count += padded
        store(UInt64(source.count) << 32 | UInt64((start - base) / 8) << 1 | 1, at: slot)
      }
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
