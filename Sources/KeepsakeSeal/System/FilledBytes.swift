#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension [UInt8] {
  /// Whether the array begins with `other`; not in constant time.
  func hasPrefix(_ other: [UInt8]) -> Bool {
    guard other.count <= count else { return false }
    return unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { other in
        guard let own = own.baseAddress, let start = other.baseAddress else { return true }
        return unsafe memcmp(own, start, other.count) == 0
      }
    }
  }

  /// An array of `count` bytes, which are not cleared first: `fill` must write all of them.
  static func filled(
    _ count: Int, by fill: (UnsafeMutableRawBufferPointer) throws(SealError) -> Void
  ) throws(SealError) -> [UInt8] {
    var bytes: [UInt8] = []
    // This is quicker than the initialiser for uninitialised memory, which looks up its type at run time.
    try bytes.append(addingCapacity: count) { output throws(SealError) in
      try unsafe output.withUnsafeMutableBufferPointer {
        buffer, initializedCount throws(SealError) in
        try unsafe fill(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
        initializedCount = count
      }
    }
    return bytes
  }
}

extension OutputSpan<UInt8> {
  /// Appends all bytes of an array; the caller has reserved room.
  package mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

  /// Appends the bytes of a number, the lowest first.
  @inlinable
  package mutating func appendLittleEndian<
    Number: FixedWidthInteger & BitwiseCopyable
  >(_ number: Number) {
    let width = Number.bitWidth / 8
    precondition(freeCapacity >= width)
    unsafe withUnsafeMutableBufferPointer { buffer, count in
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
        of: number.littleEndian, toByteOffset: count, as: Number.self)
      count += width
    }
  }

  /// Appends the count of `bytes` as a 64-bit number, then `bytes` (Spec/seal.md, section 1).
  mutating func appendLengthPrefixed(_ bytes: [UInt8]) {
    appendLittleEndian(UInt64(bytes.count))
    append(bytes)
  }

  /// Appends the bytes of a part of an array; the caller has reserved room.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    unsafe withUnsafeMutableBufferPointer { buffer, count in
      unsafe bytes.withUnsafeBytes { source in
        let room = UnsafeMutableRawBufferPointer(buffer)
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: source)
      }
      count += bytes.count
    }
  }
}

extension [UInt8] {
  /// The number whose lowest byte is at `offset`; the caller has checked the length.
  @inlinable package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type
  ) -> Number {
    precondition(offset >= 0 && offset <= count - Number.bitWidth / 8)
    return unsafe withUnsafeBytes { bytes in
      unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  /// The bytes that `write` appends, at most `capacity`.
  ///
  /// This is quicker than appending to an array, which checks each time that it is uniquely referenced and has room.
  package static func laidOut(
    _ capacity: Int, by write: (inout OutputSpan<UInt8>) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: capacity) { write(&$0) }
    return bytes
  }
}
