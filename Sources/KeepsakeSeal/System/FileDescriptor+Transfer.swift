#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileDescriptor {
  /// Writes all of `span` at `offset`; an error names `path`.
  func write(_ span: Span<UInt8>, at offset: UInt64, path: String) throws(SealError) {
    do throws(SystemFailure) {
      try write(span, at: offset)
    } catch {
      throw SealError(error, path: path)
    }
  }

  /// Exactly `count` bytes from `offset`; nil when the file ends before.
  func readExactly(_ count: Int, at offset: UInt64, path: String) throws(SealError) -> [UInt8]? {
    let bytes = try readUp(to: count, at: offset, path: path)
    return bytes.count == count ? bytes : nil
  }

  /// Whether the content has the stated size.
  ///
  /// Files that the kernel generates, such as those in /proc and /sys, state a size of zero or of one page.
  func endsAsStated(_ size: UInt64, path: String) throws(SealError) -> Bool {
    if size > 0, try readExactly(1, at: size - 1, path: path) == nil { return false }
    return try readExactly(1, at: size, path: path) == nil
  }

  /// Up to `count` bytes from `offset`; fewer when the file ends before.
  func readUp(to count: Int, at offset: UInt64, path: String) throws(SealError) -> [UInt8] {
    var received = 0
    var bytes = try unsafe [UInt8].filled(count) { target throws(SealError) in
      do throws(SystemFailure) {
        received = try unsafe read(into: target, at: offset)
        // The rest of the buffer is cleared, so that no stale memory is returned.
        for index in received..<count { unsafe target[index] = 0 }
      } catch {
        throw SealError(error, path: path)
      }
    }
    bytes.removeLast(count - received)
    return bytes
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

  /// Reads from `offset` until `bytes` is full or the file ends; returns the number of bytes read.
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

extension FileDescriptor {
  private static let copyLength = 1 << 20

  /// Makes this file share all blocks of another one; false when the file system cannot.
  func clone(_ source: FileDescriptor) -> Bool {
    #if canImport(Glibc)
      // FICLONE of linux/fs.h, which the C library does not declare.
      return ioctl(rawValue, 0x4004_9409, source.rawValue) == 0
    #else
      return false
    #endif
  }

  /// Copies `count` bytes of another file unchanged, and reports progress after each part.
  ///
  /// The bytes stay within the kernel if the system can do that. Returns the number of bytes copied.
  func copy(
    _ count: UInt64, of source: FileDescriptor, at offset: UInt64, to target: UInt64,
    progress: (UInt64) throws(SealError) -> Void
  ) throws(SealError) -> UInt64 {
    let scratch = ScratchBuffer(ScratchBuffer.Size(sealed: FileDescriptor.copyLength))
    var done: UInt64 = 0
    while done < count {
      let length = Int(min(UInt64(FileDescriptor.copyLength), count - done))
      let copied = try callingSystem { () throws(SystemFailure) in
        try copyPart(length, of: source, at: offset + done, to: target + done, scratch: scratch)
      }
      guard copied > 0 else { break }
      done += UInt64(copied)
      try progress(done)
    }
    return done
  }

  /// Copies some of the bytes; 0 at the end of the other file.
  private func copyPart(
    _ length: Int, of source: FileDescriptor, at offset: UInt64, to target: UInt64,
    scratch: ScratchBuffer
  ) throws(SystemFailure) -> Int {
    #if canImport(Glibc)
      if var from = off_t(exactly: offset), let to = off_t(exactly: target),
        lseek(rawValue, to, SEEK_SET) == to
      {
        // An error of `sendfile` is ignored: a real fault shows again when the bytes are read and written
        // below.
        let copied = unsafe sendfile(rawValue, source.rawValue, &from, length)
        if copied > 0 { return copied }
      }
    #endif
    let buffer = unsafe scratch.sealed(length)
    let received = try unsafe source.read(into: buffer, at: offset)
    try unsafe write(
      UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<received]), at: target)
    return received
  }
}
