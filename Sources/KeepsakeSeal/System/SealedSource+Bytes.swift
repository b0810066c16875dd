extension SealedSource {
  /// Calls `body` with `count` bytes from `offset`: where they stand, when they stand in memory, or
  /// read into `scratch`, which has room for them.
  ///
  /// A file that has shrunk since it was opened is truncated.
  func withBytes<Result>(
    _ count: Int, at offset: UInt64, scratch: ScratchBuffer,
    _ body: (UnsafeRawBufferPointer) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    switch self {
    case .file(let file, let path, _):
      let buffer = unsafe scratch.sealed(count)
      let received: Int
      do throws(SystemFailure) {
        received = try unsafe file.read(into: buffer, at: offset)
      } catch {
        throw SealError(error, path: path)
      }
      guard received == count else {
        throw SealError(.truncated, detail: "it has become shorter")
      }
      return try unsafe body(UnsafeRawBufferPointer(buffer))
    case .memory(let bytes):
      guard let start = Int(exactly: offset), start <= bytes.count, count <= bytes.count - start
      else { throw SealError(.truncated) }
      return try unsafe bytes.span.extracting(start..<start + count).withUnsafeBytes(body)
    case .custom(let source):
      let bytes = try SealedSource.read(count, at: offset, from: source)
      return try unsafe bytes.span.withUnsafeBytes(body)
    }
  }
}
