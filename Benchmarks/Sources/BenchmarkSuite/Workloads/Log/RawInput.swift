import BenchmarkHarness

/// Bytes that are read by hand, every range checked.
@safe
struct RawInput {
  private let buffer: UnsafeRawBufferPointer
  private let count: Int

  init(buffer: UnsafeRawBufferPointer) {
    unsafe self.buffer = buffer
    count = buffer.count
  }

  private static var damaged: CheckFailure { CheckFailure(description: "The bytes are damaged.") }

  @inline(__always)
  func load<Scalar: BitwiseCopyable>(_ type: Scalar.Type, at offset: Int) throws -> Scalar {
    guard offset >= 0, offset <= count - MemoryLayout<Scalar>.size else {
      throw Self.damaged
    }
    return unsafe buffer.loadUnaligned(fromByteOffset: offset, as: Scalar.self)
  }

  /// The payload that a slot refers to.
  @inline(__always)
  func tail(slot: Int, base: Int) throws -> Range<Int> {
    let bits = try load(UInt64.self, at: slot)
    let start = base + Int(bits >> 1 & 0x7FFF_FFFF) * 8
    let count = Int(bits >> 32)
    guard bits & 1 == 1, start <= self.count, count <= self.count - start else {
      throw Self.damaged
    }
    return start..<start + count
  }

  /// The string of a slot; moves the end of the record behind its payload.
  @inline(__always)
  func string(slot: Int, base: Int, end: inout Int) throws -> String {
    if try load(UInt8.self, at: slot) & 1 == 0 {
      let count = Int(try load(UInt8.self, at: slot)) / 2
      guard count <= 7 else { throw Self.damaged }
      return try text(in: slot + 1..<slot + 1 + count)
    }
    let range = try tail(slot: slot, base: base)
    end = max(end, (range.upperBound + 7) & ~7)
    return try text(in: range)
  }

  @inline(__always)
  private func text(in range: Range<Int>) throws -> String {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
    if unsafe isASCII(bytes) { return unsafe String(decoding: bytes, as: UTF8.self) }
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw Self.damaged }
    return text
  }

  @inline(__always)
  private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt64 = 0
    var offset = 0
    while offset + 8 <= bytes.count {
      unsafe all |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < bytes.count {
      unsafe all |= UInt64(bytes[offset])
      offset += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
