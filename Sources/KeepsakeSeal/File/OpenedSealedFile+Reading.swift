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
      return try cipher.read(range, chunks: chunks, from: source)
    } catch {
      throw error.at(path)
    }
  }
}
