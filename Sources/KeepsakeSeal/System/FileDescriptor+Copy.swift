import KeepsakeFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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

  /// Copies up to `length` bytes and returns their number; 0 at the end of the source.
  private func copyPart(
    _ length: Int, of source: FileDescriptor, at offset: UInt64, to target: UInt64,
    scratch: ScratchBuffer
  ) throws(SystemFailure) -> Int {
    #if canImport(Glibc)
      if var from = off_t(exactly: offset), let to = off_t(exactly: target),
        lseek(rawValue, to, SEEK_SET) == to
      {
        // An error of `sendfile` is ignored: reading and writing the same bytes below reports a real fault.
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
