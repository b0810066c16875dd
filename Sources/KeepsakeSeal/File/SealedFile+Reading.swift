extension SealedFile {
  /// The whole plaintext, every chunk of it verified.
  ///
  /// - Parameter progress: What is told of the progress, and can cancel.
  /// - Returns: ``plaintextLength`` bytes.
  /// - Throws: ``SealError`` with `damagedChunk` and the index of the first damaged chunk;
  ///   `limitExceeded` when the plaintext is longer than ``SealPolicy/maximumReadLength``.
  /// - Complexity: O(*n*) time on all cores.
  public func read(progress: SealProgress.Observer? = nil) throws(SealError) -> [UInt8] {
    let range = 0..<plaintextLength
    try require(range)
    return try reporting { () throws(SealError) in
      try payload.read(
        range, from: source, threads: policy.resolvedThreadCount,
        progress: ProgressReport(total: range.count, observer: progress))
    }
  }

  /// A part of the plaintext.
  ///
  /// Only the chunks that hold it are read and verified.
  ///
  /// - Parameter range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: ``SealError`` with `invalidRange`, or as ``read(progress:)`` does.
  public func read(_ range: Range<Int>) throws(SealError) -> [UInt8] {
    try require(range)
    guard !range.isEmpty else { return [] }
    return try reporting { () throws(SealError) in
      try payload.read(range, from: source, threads: policy.resolvedThreadCount)
    }
  }

  /// Appends a part of the plaintext to memory of the caller's.
  ///
  /// Use it to read again and again without allocating.
  ///
  /// - Parameters:
  ///   - range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  ///   - output: Where the bytes go; when the call throws, nothing is appended.
  /// - Throws: ``SealError`` with `invalidRange` also when `output` has no room for the range, or as
  ///   ``read(progress:)`` does.
  public func read(
    _ range: Range<Int>, into output: inout OutputSpan<UInt8>
  ) throws(SealError) {
    try require(range)
    guard range.count <= output.freeCapacity else {
      throw SealError(
        .invalidRange, path: path,
        detail: "\(range.count) bytes into room for \(output.freeCapacity)")
    }
    guard !range.isEmpty else { return }
    do throws(SealError) {
      try payload.read(
        range, from: source, into: &output, threads: policy.resolvedThreadCount)
    } catch {
      throw error.at(path)
    }
  }

  /// Which bytes of the sealed file a read of the plaintext needs.
  ///
  /// Use it to fetch them ahead from remote storage; see ``SealedFileSource``.
  ///
  /// - Parameter range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  /// - Returns: Offsets into the sealed file: the chunks that hold `range`, with their tags.
  /// - Throws: ``SealError`` with `invalidRange`.
  public func ciphertextRange(
    forPlaintext range: Range<Int>
  ) throws(SealError) -> Range<Int> {
    try payload.layout.require(range, path: path)
    return payload.layout.sealedRange(of: range)
  }

  private func require(_ range: Range<Int>) throws(SealError) {
    try payload.layout.require(range, path: path)
    try reporting { () throws(SealError) in try policy.requireReadable(range.count) }
  }

  /// A note of this file that covers every byte of its content.
  ///
  /// - Returns: The pin; for a file whose content digest is not known yet, all of it is read for this, and each
  ///   chunk verified.
  /// - Throws: ``SealError`` with `damagedChunk` and others.
  /// - Complexity: O(1) when ``pin`` covers the content, O(*n*) time on all cores otherwise.
  public func contentPin() throws(SealError) -> SealedFilePin {
    if pin.contentDigest != nil { return pin }
    return try reporting { () throws(SealError) in
      let tree = try payload.computedTree(
        of: source, threads: policy.resolvedThreadCount, verifiesChunks: true)
      return SealedFilePin(pin, contentDigest: tree.contentDigest)
    }
  }

  /// Runs `body`; a failure is said of this file.
  func reporting<Result>(
    _ body: () throws(SealError) -> Result
  ) throws(SealError) -> Result {
    do throws(SealError) {
      return try body()
    } catch {
      throw error.at(path)
    }
  }
}
