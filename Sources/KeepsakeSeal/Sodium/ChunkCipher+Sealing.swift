extension ChunkCipher {
  /// Seals all of `plaintext` and hands out its chunks in batches, on several threads at once and
  /// in no order, each with the offset at which it belongs in the file.
  func seal(
    _ plaintext: Span<UInt8>,
    writing write: @Sendable ([UInt8], UInt64) throws(SealError) -> Void
  ) throws(SealError) {
    try unsafe plaintext.withUnsafeBytes { bytes throws(SealError) in
      nonisolated(unsafe) let source = unsafe bytes
      try ChunkBatches.forEach(layout.batches(of: 0..<layout.chunkCount)) {
        batch throws(SealError) in
        let sealed = try unsafe [UInt8].filled(layout.sealedLength(of: batch)) {
          output throws(SealError) in
          try unsafe seal(source, chunks: batch, into: output)
        }
        try write(sealed, layout.offset(of: batch.lowerBound))
      }
    }
  }

  /// The bytes of a whole file: the header, then all chunks of `plaintext`.
  func seal(_ plaintext: Span<UInt8>, after header: [UInt8]) throws(SealError) -> [UInt8] {
    let all = 0..<layout.chunkCount
    return try unsafe plaintext.withUnsafeBytes { bytes throws(SealError) in
      nonisolated(unsafe) let source = unsafe bytes
      return try unsafe [UInt8].filled(header.count + layout.sealedLength(of: all)) {
        buffer throws(SealError) in
        unsafe buffer.copyBytes(from: header)
        nonisolated(unsafe) let output = unsafe buffer
        try ChunkBatches.forEach(layout.batches(of: all)) { batch throws(SealError) in
          let start = header.count + layout.sealedLength(of: 0..<batch.lowerBound)
          let end = start + layout.sealedLength(of: batch)
          try unsafe seal(
            source, chunks: batch,
            into: UnsafeMutableRawBufferPointer(rebasing: output[start..<end]))
        }
      }
    }
  }
}
