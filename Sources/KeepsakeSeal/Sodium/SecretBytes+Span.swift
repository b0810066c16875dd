extension SecretBytes {
  /// Calls `body` with the bytes, which cannot leave it.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBytes { bytes throws(Failure) in
      try unsafe body(Span(_unsafeBytes: bytes))
    }
  }

  /// Allocates `count` bytes and lets `write` append them; what it does not write is zero.
  convenience init(
    count: Int, writing write: (inout OutputSpan<UInt8>) throws(SealError) -> Void
  ) throws(SealError) {
    try unsafe self.init(count: count) { target throws(SealError) in
      let typed = unsafe target.bindMemory(to: UInt8.self)
      unsafe typed.initialize(repeating: 0)
      var output = unsafe OutputSpan(buffer: typed, initializedCount: 0)
      try write(&output)
      _ = unsafe output.finalize(for: typed)
    }
  }
}
