/// All chunks of one file: where they lie, and what seals and opens them.
struct SealedPayload: Sendable {
  let layout: ChunkLayout
  let cipher: ChunkCipher
  /// What collects the digests of the chunks while they are sealed, when somebody wants them.
  var builder: DigestTreeBuilder?
  /// What chunks are verified by when they are opened, besides their tags.
  var tree: DigestTree?

  init(layout: ChunkLayout, payloadKey: SecretBytes) {
    self.layout = layout
    cipher = ChunkCipher(chunkSize: layout.chunkSize, payloadKey: payloadKey)
  }

  func batches(_ chunks: Range<Int>) -> ChunkBatches {
    ChunkBatches(chunks, chunkSize: layout.chunkSize)
  }

  /// The room that the longest of some batches takes, sealed and open.
  func scratch(_ batches: ChunkBatches) -> ScratchBuffer.Size {
    let longest = batches[0]
    return ScratchBuffer.Size(
      sealed: layout.sealedLength(of: longest),
      plaintext: layout.payloadRange(of: longest).count)
  }

  /// Seals a run of chunks, given its plaintext; what that is short of the run is padding.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let length = layout.payloadRange(of: chunks).count
    guard plaintext.count < length else {
      return try unsafe sealPadded(plaintext, chunks: chunks, into: output)
    }
    let scratch = ScratchBuffer(ScratchBuffer.Size(plaintext: length))
    let padded = unsafe scratch.plaintext(length)
    unsafe padded.copyMemory(from: plaintext)
    unsafe UnsafeMutableRawBufferPointer(rebasing: padded[plaintext.count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    try unsafe sealPadded(UnsafeRawBufferPointer(padded), chunks: chunks, into: output)
  }

  private func sealPadded(
    _ payload: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let digests = try unsafe cipher.seal(
      payload, first: chunks.lowerBound, isFinal: layout.isFinal(chunks),
      computesDigests: builder != nil, into: output)
    try builder?.add(digests, firstChunk: chunks.lowerBound)
  }

  /// Opens a run of chunks, given its sealed bytes, into `output`, which plaintext and padding fill.
  func open(
    _ sealed: UnsafeRawBufferPointer, chunks: Range<Int>, digests: ArraySlice<UInt8>?,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    try unsafe cipher.open(
      sealed, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), digests: digests,
      into: output)
    try unsafe requireZeroPadding(of: chunks, in: output)
  }

  /// Section 5.1: padding is zero, so that a payload has one encoding.
  private func requireZeroPadding(
    of chunks: Range<Int>, in output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let padding = layout.plaintextRange(of: chunks).count..<output.count
    guard let stray = unsafe output[padding].firstIndex(where: { $0 != 0 }) else { return }
    throw SealError(
      .damagedChunk, chunkIndex: chunks.lowerBound + stray / layout.chunkSize,
      detail: "its padding is not zero")
  }
}
