extension ChunkCipher {
  /// Reads `range` of the plaintext, which the given chunks hold, on several threads.
  ///
  /// Of several damaged chunks the lowest is reported, whatever the order of the work.
  func read(
    _ range: Range<Int>, chunks: Range<Int>, from source: SealedSource
  ) throws(SealError) -> [UInt8] {
    try unsafe [UInt8].filled(range.count) { buffer throws(SealError) in
      nonisolated(unsafe) let output = unsafe buffer
      try ChunkBatches.forEach(layout.batches(of: chunks)) { batch throws(SealError) in
        let part = layout.plaintextRange(of: batch)
        let wanted = part.clamped(to: range)
        let goal = unsafe UnsafeMutableRawBufferPointer(
          rebasing: output[
            wanted.lowerBound - range.lowerBound..<wanted.upperBound - range.lowerBound])
        let sealed = try source.read(
          layout.sealedLength(of: batch), at: layout.offset(of: batch.lowerBound))
        try unsafe open(sealed, batch, wanted: wanted, into: goal)
      }
    }
  }

  /// Opens one batch: straight into the output where all of it is wanted, by way of a buffer
  /// where the range begins or ends within it.
  private func open(
    _ sealed: [UInt8], _ batch: Range<Int>, wanted: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let part = layout.plaintextRange(of: batch)
    try unsafe sealed.span.withUnsafeBytes { sealed throws(SealError) in
      guard wanted != part else {
        return try unsafe open(sealed, chunks: batch, into: output)
      }
      let plaintext = try unsafe [UInt8].filled(part.count) { buffer throws(SealError) in
        try unsafe open(sealed, chunks: batch, into: buffer)
      }
      unsafe output.copyBytes(
        from: plaintext[
          wanted.lowerBound - part.lowerBound..<wanted.upperBound - part.lowerBound])
    }
  }
}
