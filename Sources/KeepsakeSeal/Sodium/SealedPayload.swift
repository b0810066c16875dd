/// All chunks of one file: where they lie, and what seals and opens them.
struct SealedPayload: Sendable {
  let layout: ChunkLayout
  let cipher: ChunkCipher

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
      return try unsafe cipher.seal(
        plaintext, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), into: output)
    }
    let scratch = ScratchBuffer(ScratchBuffer.Size(plaintext: length))
    let padded = unsafe scratch.plaintext(length)
    unsafe padded.copyMemory(from: plaintext)
    unsafe UnsafeMutableRawBufferPointer(rebasing: padded[plaintext.count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    try unsafe cipher.seal(
      UnsafeRawBufferPointer(padded), first: chunks.lowerBound, isFinal: layout.isFinal(chunks),
      into: output)
  }

  /// Opens a run of chunks, given its sealed bytes, into `output`, which plaintext and padding fill.
  func open(
    _ sealed: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    try unsafe cipher.open(
      sealed, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), into: output)
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
