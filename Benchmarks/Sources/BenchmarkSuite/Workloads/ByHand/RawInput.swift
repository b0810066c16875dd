import BenchmarkHarness

/// Bytes that are read by hand, with every range checked.
@safe
struct RawInput {
  private let buffer: UnsafeRawBufferPointer
  let count: Int

  init(buffer: UnsafeRawBufferPointer) {
    unsafe self.buffer = buffer
    count = buffer.count
  }

  static var damaged: CheckFailure { CheckFailure(description: "The bytes are damaged.") }

  @inline(__always)
  func load<Scalar: BitwiseCopyable>(_ type: Scalar.Type, at offset: Int) throws -> Scalar {
    guard offset >= 0, offset <= count - MemoryLayout<Scalar>.size else {
      throw Self.damaged
    }
    return unsafe buffer.loadUnaligned(fromByteOffset: offset, as: Scalar.self)
  }

  /// Reads an end.
  @inline(__always)
  func end(at offset: Int, width: Int) throws -> Int {
    switch width {
    case 1: Int(try load(UInt8.self, at: offset))
    case 2: Int(try load(UInt16.self, at: offset))
    default: Int(try load(UInt32.self, at: offset))
    }
  }

  /// The range up to an end; the start moves to the end.
  @inline(__always)
  func range(from start: inout Int, to end: Int, in whole: Range<Int>) throws -> Range<Int> {
    guard start <= end, end <= whole.upperBound else { throw Self.damaged }
    defer { start = end }
    return start..<end
  }

  /// The slots of a body, whose bytes are all checked at once.
  @inline(__always)
  func slots(of body: Range<Int>, count length: Int) throws -> RawSlots {
    guard body.lowerBound >= 0, body.count >= length, body.upperBound <= count,
      let base = unsafe buffer.baseAddress
    else { throw Self.damaged }
    return unsafe RawSlots(pointer: base + body.lowerBound)
  }

  /// The string in a range.
  @inline(__always)
  func text(in range: Range<Int>) throws -> String {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw Self.damaged }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
    if unsafe isASCII(bytes) { return unsafe String(decoding: bytes, as: UTF8.self) }
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw Self.damaged }
    return text
  }

  /// A copy of the numbers that fill a range.
  func numbers(in range: Range<Int>) throws -> [UInt32] {
    let size = MemoryLayout<UInt32>.size
    guard range.lowerBound >= 0, range.upperBound <= count, range.count.isMultiple(of: size)
    else { throw Self.damaged }
    let source = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
    return unsafe [UInt32](unsafeUninitializedCapacity: range.count / size) { target, total in
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
      total = range.count / size
    }
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

/// Slots whose bytes have been checked.
@safe
struct RawSlots {
  fileprivate let pointer: UnsafeRawPointer

  @inline(__always)
  func load<Scalar: BitwiseCopyable>(_ type: Scalar.Type = Scalar.self, at offset: Int) -> Scalar {
    unsafe pointer.loadUnaligned(fromByteOffset: offset, as: Scalar.self)
  }
}
