public import KeepsakeFiles

extension SealedFile {
  /// Seals `plaintext` into the file at `path`, replacing any old file.
  ///
  /// When the call returns, the new file has reached stable storage, readable and writable by its owner only
  /// (mode 0600). When it throws an error other than `durabilityUnknown`, the old file is unchanged and no
  /// other file is left behind. Every seal uses a new data key.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to seal.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
  ///   - options: Chunk size, context and metadata.
  ///   - progress: Receives the progress, and can cancel.
  /// - Returns: The public part of the file's header.
  /// - Throws: ``SealError``.
  /// - Complexity: O(*n*) time on all cores, O(1) memory beside the plaintext.
  @discardableResult
  public static func seal(
    _ plaintext: Span<UInt8>, to path: some FilePathConvertible, for recipients: [SealRecipient],
    options: SealOptions = SealOptions(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    let path = path.filePath
    do throws(SealError) {
      let plan = try SealPlan(recipients: recipients, options: options)
      let report = ProgressReport(total: plaintext.count, observer: progress)
      guard plan.isOneBatch(plaintextLength: plaintext.count) else {
        let new = try PendingSealedFile(at: path, as: plan, plaintextLength: plaintext.count)
        try new.payload.seal(
          plaintext, into: new.file, threads: options.resolvedThreadCount, progress: report)
        return try new.finish()
      }
      // A small file, such as a saved state, is written by one call.
      let header = try plan.header(plaintextLength: plaintext.count)
      let pending = try callingFiles { () throws(FileError) in try PendingFile(at: path) }
      let (bytes, digest) = try plan.sealed(plaintext, header: header, threads: 1, progress: report)
      try callingFiles { () throws(FileError) in
        try pending.write(bytes.span, at: 0)
        try pending.replaceTarget()
      }
      return SealedFileSummary(header, contentDigest: digest)
    } catch {
      throw error.at(path)
    }
  }

  /// Seals `plaintext` into bytes, for a store that is not a file system.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to seal.
  ///   - recipients: Between 1 and 32 different recipients.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: The sealed file, as `seal(_:to:for:options:progress:)` would write it.
  /// - Throws: ``SealError``.
  public static func seal(
    _ plaintext: Span<UInt8>, for recipients: [SealRecipient],
    options: SealOptions = SealOptions()
  ) throws(SealError) -> [UInt8] {
    try SealPlan(recipients: recipients, options: options).sealed(plaintext)
  }

  /// Seals `plaintext` into memory that the caller provides.
  ///
  /// Use it to seal repeatedly without allocating.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to seal.
  ///   - output: Receives the sealed file; it needs space for
  ///     ``sealedLength(ofPlaintext:recipientCount:options:)`` bytes. When the call throws, ignore the bytes
  ///     that it has appended.
  ///   - recipients: Between 1 and 32 different recipients.
  ///   - options: Chunk size, context and metadata.
  /// - Throws: ``SealError`` with `invalidRange` when `output` has too little space, and others.
  public static func seal(
    _ plaintext: Span<UInt8>, into output: inout OutputSpan<UInt8>,
    for recipients: [SealRecipient], options: SealOptions = SealOptions()
  ) throws(SealError) {
    let plan = try SealPlan(recipients: recipients, options: options)
    let header = try plan.header(plaintextLength: plaintext.count)
    let payload = plan.payload(plaintextLength: plaintext.count)
    guard payload.layout.fileSize <= UInt64(output.freeCapacity) else {
      throw SealError(
        .invalidRange,
        detail: "\(payload.layout.fileSize) bytes into room for \(output.freeCapacity)")
    }
    try payload.seal(
      plaintext, after: header.bytes, into: &output, threads: options.resolvedThreadCount)
    if let trailer = try plan.completion(
      of: payload.builder, header: header, plaintextLength: plaintext.count)?.trailer
    {
      output.append(trailer)
    }
  }

  /// Computes the size of a sealed file.
  ///
  /// - Parameters:
  ///   - plaintextLength: The length of the plaintext, in bytes.
  ///   - recipientCount: The number of recipients of the file.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: The size of the whole file, in bytes; `Int.max` when an `Int` cannot hold it.
  public static func sealedLength(
    ofPlaintext plaintextLength: Int, recipientCount: Int, options: SealOptions = SealOptions()
  ) -> Int {
    let layout = ChunkLayout(
      headerLength: SealPlan.headerLength(
        slotCount: min(max(1, recipientCount), SealFormat.maximumSlotCount), options: options),
      chunkSize: options.chunkSize.byteCount,
      payloadLength: Int(
        clamping: options.padding.paddedLength(UInt64(clamping: plaintextLength))),
      plaintextLength: max(0, plaintextLength), isSigned: options.signingKey != nil)
    return Int(clamping: layout.fileSize)
  }
}
