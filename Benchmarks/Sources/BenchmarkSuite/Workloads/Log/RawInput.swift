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

  /// Where something ends.
  @inline(__always)
  func end(at offset: Int, width: Int) throws -> Int {
    switch width {
    case 1: Int(try load(UInt8.self, at: offset))
    case 2: Int(try load(UInt16.self, at: offset))
    default: Int(try load(UInt32.self, at: offset))
    }
  }

  /// What ends there; the start moves to the end.
  @inline(__always)
  func range(from start: inout Int, to end: Int, in whole: Range<Int>) throws -> Range<Int> {
    guard start <= end, end <= whole.upperBound else { throw Self.damaged }
    defer { start = end }
    return start..<end
  }

  /// The string of a range.
  @inline(__always)
  func text(in range: Range<Int>) throws -> String {
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
