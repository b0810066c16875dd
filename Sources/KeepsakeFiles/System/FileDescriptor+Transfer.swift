#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileDescriptor {
  /// Writes all of `span` at `offset`; an error names `path`.
  func write(_ span: Span<UInt8>, at offset: UInt64, path: String) throws(FileError) {
    do throws(SystemFailure) {
      try write(span, at: offset)
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// Exactly `count` bytes from `offset`; nil when the file ends before.
  package func readExactly(
    _ count: Int, at offset: UInt64, path: String
  ) throws(FileError) -> [UInt8]? {
    let bytes = try readUp(to: count, at: offset, path: path)
    return bytes.count == count ? bytes : nil
  }

  /// Whether the content has the stated size.
  ///
  /// Files that the kernel generates, such as those in /proc and /sys, state a size of zero or of one page.
  package func hasStatedSize(_ size: UInt64, path: String) throws(FileError) -> Bool {
    if size > 0, try readExactly(1, at: size - 1, path: path) == nil { return false }
    return try readExactly(1, at: size, path: path) == nil
  }

  /// Up to `count` bytes from `offset`; fewer when the file ends before.
  package func readUp(to count: Int, at offset: UInt64, path: String) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Quicker than the initialiser for uninitialised memory, which looks up its type at run time.
    try bytes.append(addingCapacity: count) { output throws(FileError) in
      try unsafe output.withUnsafeMutableBufferPointer {
        buffer, initializedCount throws(FileError) in
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
        do throws(SystemFailure) {
          initializedCount = try unsafe read(into: target, at: offset)
        } catch {
          throw FileError(error, path: path)
        }
      }
    }
    return bytes
  }

  /// Writes all of `span` at `offset`.
  package func write(_ span: Span<UInt8>, at offset: UInt64) throws(SystemFailure) {
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
  package func write(
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

  /// Reads from `offset` until `bytes` is full or the file ends; returns the number of bytes read.
  package func read(
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
