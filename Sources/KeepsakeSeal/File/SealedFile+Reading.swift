public import KeepsakeFiles

extension SealedFile {
  /// Reads the whole plaintext and verifies every chunk.
  ///
  /// - Parameter progress: Receives the progress, and can cancel.
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

  /// Reads a part of the plaintext.
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

  /// Appends a part of the plaintext to memory that the caller provides.
  ///
  /// Use it to read repeatedly without allocating.
  ///
  /// - Parameters:
  ///   - range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  ///   - output: Receives the bytes; when the call throws, nothing is appended.
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

  /// Returns the range of the sealed file that a read of the plaintext needs.
  ///
  /// Use it to fetch them ahead from remote storage; see ``SealedFileSource``.
  ///
  /// - Parameter range: Offsets into the plaintext, between 0 and ``plaintextLength``.
  /// - Returns: Offsets into the sealed file: the chunks that hold `range`, with their tags.
  /// - Throws: ``SealError`` with `invalidRange`.
  public func ciphertextRange(
    forPlaintext range: Range<Int>
  ) throws(SealError) -> Range<Int> {
    try reporting { () throws(SealError) in try payload.layout.require(range) }
    return payload.layout.sealedRange(of: range)
  }

  private func require(_ range: Range<Int>) throws(SealError) {
    try reporting { () throws(SealError) in
      try payload.layout.require(range)
      try policy.requireReadable(range.count)
    }
  }

  /// Makes a pin of this file that covers its whole content.
  ///
  /// - Returns: The pin. If the content digest is not known yet, the whole file is read and each chunk
  ///   verified.
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

  /// Runs `body`; an error names this file.
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

extension SealedFile {
  /// Recovers the intact parts of a damaged file, chunk by chunk.
  ///
  /// The header must be intact: without it there is no key. Chunks that were changed, cut off or cannot be
  /// read are left out; bytes after the end are ignored. Each chunk that `receive` gets is verified, but the
  /// content is incomplete. Use it only to save what can be saved, with the user's consent.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file; a link is not followed.
  ///   - identities: The keys to try.
  ///   - context: The bytes that were passed as ``SealOptions/context``.
  ///   - policy: The limits of the reader.
  ///   - receive: Receives the plaintext of one intact chunk and its offset, in ascending order of offsets.
  /// - Returns: The lost parts of the plaintext, adjacent ones joined; empty when the file is intact.
  /// - Throws: ``SealError`` as ``open(_:with:context:expecting:policy:)`` does for the header, and any error
  ///   that `receive` throws.
  public static func salvage(
    _ path: some FilePathConvertible, with identities: [SealIdentity], context: [UInt8] = [],
    policy: SealPolicy = SealPolicy(), receive: (_ offset: Int, _ bytes: Span<UInt8>) throws -> Void
  ) throws -> [Range<Int>] {
    let (source, payload) = try salvageable(
      path.filePath, with: identities, context: context, policy: policy)
    let layout = payload.layout
    var lost: [Range<Int>] = []
    func addLost(_ part: Range<Int>) {
      if let last = lost.last, last.upperBound == part.lowerBound {
        lost[lost.count - 1] = last.lowerBound..<part.upperBound
      } else {
        lost.append(part)
      }
    }
    // Chunks beyond the end of the file need not be tried.
    let present = layout.chunks(within: source.size).clamped(to: layout.plaintextChunks)
    for chunk in present {
      let part = layout.plaintextRange(of: chunk..<chunk + 1)
      if let bytes = try? payload.read(part, from: source, threads: 1) {
        try receive(part.lowerBound, bytes.span)
      } else {
        addLost(part)
      }
    }
    let absent = present.upperBound..<layout.plaintextChunks.upperBound
    if !absent.isEmpty { addLost(layout.plaintextRange(of: absent)) }
    return lost
  }

  private static func salvageable(
    _ path: String, with identities: [SealIdentity], context: [UInt8], policy: SealPolicy
  ) throws(SealError) -> (SealedSource, SealedPayload) {
    do throws(SealError) {
      let source = try SealedSource(path: path)
      let header = try source.header(after: source.preamble(policy: policy))
      let unlocked = try UnlockedHeader(
        header, identities: identities, context: context, policy: policy)
      return (source, try unlocked.verifiedContent(in: source, policy: policy).payload)
    } catch {
      throw error.at(path)
    }
  }
}
