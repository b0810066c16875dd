/// All chunks of one file: where they lie, and what seals and opens them.
struct SealedPayload: Sendable {
  let layout: ChunkLayout
  let cipher: ChunkCipher

  init(layout: ChunkLayout, payloadKey: SecretBytes) {
    self.layout = layout
    cipher = ChunkCipher(chunkSize: layout.chunkSize, payloadKey: payloadKey)
  }

  var allChunks: Range<Int> { 0..<layout.chunkCount }

  func batches(_ chunks: Range<Int>) -> ChunkBatches {
    ChunkBatches(chunks, chunkSize: layout.chunkSize)
  }

  /// The room that the longest of some batches takes, sealed and open.
  func scratch(_ batches: ChunkBatches) -> ScratchBuffer.Size {
    let longest = batches[0]
    return ScratchBuffer.Size(
      sealed: layout.sealedLength(of: longest),
      plaintext: layout.plaintextRange(of: longest).count)
  }

  /// Seals a run of chunks, given its plaintext.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    try unsafe cipher.seal(
      plaintext, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), into: output)
  }

  /// Opens a run of chunks, given its sealed bytes.
  func open(
    _ sealed: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    try unsafe cipher.open(
      sealed, first: chunks.lowerBound, isFinal: layout.isFinal(chunks), into: output)
  }
}
