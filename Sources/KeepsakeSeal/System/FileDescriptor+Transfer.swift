#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileDescriptor {
  /// Writes all of `bytes[range]` at `offset`.
  func write(_ bytes: [UInt8], _ range: Range<Int>, at offset: UInt64) throws(SystemFailure) {
    try write(bytes.span.extracting(range), at: offset)
  }

  /// Writes all of `span` at `offset`.
  func write(_ span: Span<UInt8>, at offset: UInt64) throws(SystemFailure) {
    try unsafe span.withUnsafeBytes { bytes throws(SystemFailure) in
      try unsafe write(bytes, at: offset)
    }
  }

  /// Writes all of a secret at `offset`, straight from its guarded memory.
  func write(_ secret: SecretBytes, at offset: UInt64) throws(SystemFailure) {
    try unsafe secret.withUnsafeBytes { bytes throws(SystemFailure) in
      try unsafe write(bytes, at: offset)
    }
  }

  /// Reads into `bytes[range]` from `offset`; returns how many bytes there were.
  func read(
    into bytes: inout [UInt8], _ range: Range<Int>, at offset: UInt64
  ) throws(SystemFailure) -> Int {
    var span = bytes.mutableSpan
    return try unsafe span.withUnsafeMutableBytes { bytes throws(SystemFailure) in
      try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[range]), at: offset)
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      guard let position = off_t(exactly: offset + UInt64(done)) else {
        throw SystemFailure(call: "pwrite", number: EFBIG)
      }
      let count = try retrying("pwrite") {
        unsafe pwrite(rawValue, rest.baseAddress, rest.count, position)
      }
      // A write that makes no progress would loop for ever.
      guard count > 0 else { throw SystemFailure(call: "pwrite", number: EIO) }
      done += count
    }
  }

  func read(
    into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemFailure) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      guard let position = off_t(exactly: offset + UInt64(done)) else {
        throw SystemFailure(call: "pread", number: EOVERFLOW)
      }
      let count = try retrying("pread") {
        unsafe pread(rawValue, rest.baseAddress, rest.count, position)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }
}
