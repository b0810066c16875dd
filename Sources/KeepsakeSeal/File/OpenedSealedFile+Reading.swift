extension OpenedSealedFile {
  /// The whole plaintext, every chunk of it verified.
  ///
  /// - Returns: ``plaintextLength`` bytes.
  /// - Throws: ``SealError`` with `damagedChunk` and the index of the first damaged chunk;
  ///   `limitExceeded` when the plaintext is longer than ``SealPolicy/maximumReadLength``.
  public func read() throws(SealError) -> [UInt8] {
    try read(0..<plaintextLength, chunks: 0..<cipher.layout.chunkCount)
  }

  /// A part of the plaintext.
  ///
  /// Only the chunks that hold it are read and verified.
  ///
  /// - Parameter range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: ``SealError`` with `invalidRange`, or as ``read()`` does.
  public func read(_ range: Range<Int>) throws(SealError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= plaintextLength else {
      throw SealError(
        .invalidRange, path: path, detail: "\(range) of \(plaintextLength) bytes")
    }
    guard !range.isEmpty else { return [] }
    return try read(range, chunks: cipher.layout.chunks(holding: range))
  }

  private func read(_ range: Range<Int>, chunks: Range<Int>) throws(SealError) -> [UInt8] {
    guard range.count <= policy.maximumReadLength else {
      throw SealError(
        .limitExceeded, path: path,
        detail: "a read of \(range.count) bytes, limit \(policy.maximumReadLength)")
    }
    do throws(SealError) {
      var output = [UInt8](repeating: 0, count: range.count)
      for batch in cipher.layout.batches(of: chunks) {
        try open(batch, of: range, into: &output)
      }
      return output
    } catch {
      throw error.at(path)
    }
  }

  /// Opens one batch: straight into the output where the range takes in all of it, by way of a
  /// buffer where it begins or ends within a chunk.
  private func open(
    _ batch: Range<Int>, of range: Range<Int>, into output: inout [UInt8]
  ) throws(SealError) {
    let layout = cipher.layout
    let sealed = try source.read(
      layout.sealedLength(of: batch), at: layout.offset(of: batch.lowerBound))
    let part = layout.plaintextRange(of: batch)
    let wanted = part.clamped(to: range)
    if wanted == part {
      let start = part.lowerBound - range.lowerBound
      try cipher.open(sealed, at: 0, chunks: batch, into: &output, at: start)
    } else {
      var buffer = [UInt8](repeating: 0, count: part.count)
      try cipher.open(sealed, at: 0, chunks: batch, into: &buffer, at: 0)
      let start = wanted.lowerBound - range.lowerBound
      let source = wanted.lowerBound - part.lowerBound
      output.replaceSubrange(
        start..<start + wanted.count, with: buffer[source..<source + wanted.count])
    }
  }
}
