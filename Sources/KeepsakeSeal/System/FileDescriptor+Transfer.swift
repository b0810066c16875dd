#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileDescriptor {
  /// Writes all of `span` at `offset`; a failure is said of `path`.
  func write(_ span: Span<UInt8>, at offset: UInt64, path: String) throws(SealError) {
    do throws(SystemFailure) {
      try write(span, at: offset)
    } catch {
      throw SealError(error, path: path)
    }
  }

  /// Exactly `count` bytes from `offset`, or nil when the file ends before.
  func readExactly(_ count: Int, at offset: UInt64, path: String) throws(SealError) -> [UInt8]? {
    var received = 0
    let bytes = try unsafe [UInt8].filled(count) { target throws(SealError) in
      do throws(SystemFailure) {
        received = try unsafe read(into: target, at: offset)
        // What the file did not have is cleared, so that no stale memory is handed out.
        for index in received..<count { unsafe target[index] = 0 }
      } catch {
        throw SealError(error, path: path)
      }
    }
    return received == count ? bytes : nil
  }

  /// Writes all of `span` at `offset`.
  func write(_ span: Span<UInt8>, at offset: UInt64) throws(SystemFailure) {
    try unsafe span.withUnsafeBytes { bytes throws(SystemFailure) in
      try unsafe write(bytes, at: offset)
    }
  }

  /// Writes zeros over every byte.
  func overwriteWithZeros() throws(SystemFailure) {
    let size = try status().size
    let zeros = [UInt8](repeating: 0, count: 4_096)
    var offset: UInt64 = 0
    while offset < size {
      let count = Int(min(size - offset, UInt64(zeros.count)))
      try write(zeros.span.extracting(0..<count), at: offset)
      offset += UInt64(count)
    }
  }

  /// Writes all of `bytes` at `offset`.
  func write(
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

  /// Reads from `offset` until `bytes` is full or the file ends; returns how many there were.
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
