/// Seals a stream whose length is not known into bytes that the caller stores elsewhere than in a file.
///
/// The bytes after the header come first, in their order. The header, whose length is known from the start, comes last,
/// because it states the length of the stream.
///
/// Memory: one batch of 256 KiB, or one chunk if that is longer, plain and sealed. A signed stream also keeps 32 bytes
/// for each chunk.
package final class SealedStream {
  /// The length of the header in bytes.
  package var headerLength: Int { plan.headerLength }
  /// The number of bytes of plaintext so far.
  package private(set) var byteCount = 0

  private let plan: SealPlan
  private let cipher: ChunkCipher
  private let builder: DigestTreeBuilder?
  /// The plaintext of the batch; it is sealed only when more follows, since the last chunk is sealed as the last one.
  private var batch: [UInt8] = []
  private var nextChunk = 0
  /// The plaintext and padding that were added so far.
  private var payloadByteCount = 0
  private var batchLength: Int { max(cipher.chunkSize, ChunkBatches.byteCount) }

  /// Begins a stream for 1 to 32 different recipients.
  package init(for recipients: [SealRecipient], options: SealOptions) throws(SealError) {
    plan = try SealPlan(recipients: recipients, options: options)
    cipher = plan.payload(plaintextLength: 0).cipher
    builder = options.signingKey == nil ? nil : plan.builder(.kept)
  }

  /// Adds bytes to the plaintext, and passes on sealed bytes, which follow those of the call before.
  package func write(_ bytes: Span<UInt8>, to sink: ([UInt8]) throws -> Void) throws {
    try plan.requireAllowed(plaintextLength: byteCount + bytes.count)
    try append(bytes, to: sink)
    byteCount = payloadByteCount
  }

  /// Seals the rest of the stream, and returns the header, which is stored before all bytes that the sink took.
  package func finish(to sink: ([UInt8]) throws -> Void) throws -> [UInt8] {
    let length = plan.payloadLength(of: byteCount)
    let zeros = [UInt8](repeating: 0, count: min(length - payloadByteCount, batchLength))
    while payloadByteCount < length {
      try append(zeros.span.extracting(0..<min(zeros.count, length - payloadByteCount)), to: sink)
    }
    try seal(isFinal: true, to: sink)
    let header = try plan.header(plaintextLength: byteCount)
    if let completion = try plan.completion(
      of: builder, header: header, plaintextLength: byteCount)
    {
      try sink(completion.trailer)
    }
    return header.bytes
  }

  private func append(_ bytes: Span<UInt8>, to sink: ([UInt8]) throws -> Void) throws {
    var start = 0
    while start < bytes.count {
      if batch.count == batchLength { try seal(isFinal: false, to: sink) }
      let end = min(bytes.count, start + batchLength - batch.count)
      for index in start..<end { batch.append(bytes[index]) }
      payloadByteCount += end - start
      start = end
    }
  }

  private func seal(isFinal: Bool, to sink: ([UInt8]) throws -> Void) throws {
    let (sealed, digests) = try cipher.seal(
      batch, first: nextChunk, isFinal: isFinal, computesDigests: builder != nil)
    try builder?.add(digests, firstChunk: nextChunk)
    nextChunk += batch.count / cipher.chunkSize
    batch.removeAll(keepingCapacity: true)
    try sink(sealed)
  }
}
