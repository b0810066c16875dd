public import KeepsakeFiles

/// Seals a stream whose length is not known, in bounded memory.
///
/// Other threads seal the bytes while the caller produces the next ones. The file appears under its name,
/// complete and durable, when ``finish()`` returns. A writer that throws, or that is dropped before, leaves
/// the old file unchanged and no other file behind.
///
/// ```swift
/// let writer = try SealedFileWriter(
///   to: path, for: [.key(key)])
/// while let segment = nextSegment() {
///   try writer.write(segment.span)
/// }
/// try writer.finish()
/// ```
///
/// Memory: at most two buffers of 256 KiB, or of one chunk if that is longer, for each thread. The bytes of
/// the file depend neither on the lengths of the writes nor on the threads.
public final class SealedFileWriter {
  /// The number of bytes of plaintext that were written so far.
  public private(set) var byteCount = 0

  private let path: String
  private let plan: SealPlan
  private let pending: PendingFile
  private let builder: DigestTreeBuilder?
  private let pipeline: SealPipeline
  private let observer: SealProgress.Observer?
  private var buffer: SealPipeline.Buffer
  /// The number of bytes in the buffer.
  ///
  /// It is submitted only when more bytes follow, since the last chunk is sealed as the last one.
  private var buffered = 0
  /// The number of bytes in the payload so far, including those in the buffer and padding.
  private var payloadByteCount = 0
  private var failure: SealError?

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
  ///   - options: Chunk size, context and metadata.
  ///   - progress: Receives the progress in `write(_:)` and ``finish()``, and can cancel.
  /// - Throws: ``SealError``.
  public init(
    to path: some FilePathConvertible, for recipients: [SealRecipient],
    options: SealOptions = SealOptions(),
    progress: SealProgress.Observer? = nil
  ) throws(SealError) {
    let path = path.filePath
    do throws(SealError) {
      self.path = path
      observer = progress
      plan = try SealPlan(recipients: recipients, options: options)
      let pending = try callingFiles { () throws(FileError) in try PendingFile(at: path) }
      self.pending = pending
      // The offset of the trailer is not known yet.
      let spill = SpillFile(directory: pending.directory, location: pending.location)
      builder = plan.builder(.spilled(spill.make))
      pipeline = SealPipeline(
        cipher: plan.payload(plaintextLength: 0).cipher, builder: builder,
        headerLength: plan.headerLength, file: pending.file, threads: options.resolvedThreadCount)
      buffer = try pipeline.takeBuffer()
    } catch {
      throw error.at(path)
    }
  }

  /// Adds bytes to the plaintext.
  ///
  /// - Parameter bytes: The next bytes, of any number.
  /// - Throws: ``SealError``, also when an earlier write has failed since; `alreadyFinished` after
  ///   ``finish()``. Once a call has thrown, all later calls throw the same error.
  public func write(_ bytes: Span<UInt8>) throws(SealError) {
    try recordingFailure { () throws(SealError) in
      // Bytes that would exceed a limit are refused before they are sealed.
      try plan.requireAllowed(plaintextLength: byteCount + bytes.count)
      try append(bytes)
    }
  }

  /// Completes the file and replaces any old file, durably.
  ///
  /// - Returns: The public part of the file's header.
  /// - Throws: ``SealError``, as `write(_:)` does, or for the replacement of the old file.
  @discardableResult
  public func finish() throws(SealError) -> SealedFileSummary {
    try recordingFailure { () throws(SealError) in
      try pad()
      try submitBuffer(isFinal: true)
      try pipeline.finish()
      try reportProgress()
      let header = try plan.header(plaintextLength: byteCount)
      try callingFiles { () throws(FileError) in try pending.write(header.bytes, at: 0) }
      var payload = plan.payload(plaintextLength: byteCount)
      payload.builder = builder
      let summary = try pending.complete(payload, of: plan, header: header, expecting: nil)
      failure = SealError(.alreadyFinished, path: path)
      return summary
    }
  }

  private func append(_ bytes: Span<UInt8>, isPadding: Bool = false) throws(SealError) {
    var rest = bytes
    while !rest.isEmpty {
      if buffered == pipeline.capacity { try submitBuffer(isFinal: false) }
      let count = buffer.append(rest, at: buffered, capacity: pipeline.capacity)
      buffered += count
      payloadByteCount += count
      if !isPadding { byteCount += count }
      rest = rest.extracting(count..<rest.count)
    }
  }

  /// Adds the padding, which depends on the length of the whole plaintext.
  private func pad() throws(SealError) {
    let length = plan.payloadLength(of: byteCount)
    let zeros = [UInt8](repeating: 0, count: min(length - payloadByteCount, pipeline.capacity))
    while payloadByteCount < length {
      let count = min(zeros.count, length - payloadByteCount)
      try append(zeros.span.extracting(0..<count), isPadding: true)
    }
  }

  private func submitBuffer(isFinal: Bool) throws(SealError) {
    let first = (payloadByteCount - buffered) / plan.options.chunkSize.byteCount
    pipeline.submit(buffer, count: buffered, firstChunk: first, isFinal: isFinal)
    guard !isFinal else { return }
    buffered = 0
    buffer = try pipeline.takeBuffer()
    try reportProgress()
  }

  private func reportProgress() throws(SealError) {
    // The caller does not count the padding.
    let done = min(pipeline.sealedByteCount, byteCount)
    try ProgressReport(total: nil, observer: observer).report(done)
  }

  private func recordingFailure<Result>(
    _ body: () throws(SealError) -> Result
  ) throws(SealError) -> Result {
    if let failure { throw failure }
    do throws(SealError) {
      return try body()
    } catch {
      let error = error.at(path)
      failure = error
      throw error
    }
  }
}
