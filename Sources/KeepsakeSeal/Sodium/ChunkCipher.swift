/// Seals and opens the chunks of one file (Spec/seal.md, section 6).
///
/// A chunk's bytes depend on its index alone, so chunks are worked on in parallel and the result
/// is always the same.
struct ChunkCipher: Sendable {
  let layout: ChunkLayout
  let payloadKey: SecretBytes
  private let baseNonce: [UInt8]

  /// Takes 32 bytes of key, followed by 24 bytes of base nonce.
  init(layout: ChunkLayout, payloadKey: SecretBytes) {
    self.layout = layout
    self.payloadKey = payloadKey
    baseNonce = payloadKey.publicBytes(32..<56)
  }

  /// Section 6: the base nonce, with the index and the final mark mixed in.
  func nonce(of chunk: Int) -> [UInt8] {
    var nonce = baseNonce
    for byte in 0..<8 { nonce[byte] ^= UInt8(truncatingIfNeeded: UInt64(chunk) >> (8 * byte)) }
    if chunk == layout.chunkCount - 1 { nonce[8] ^= 1 }
    return nonce
  }

  /// Seals `chunks` of the whole `plaintext` into `output`, which they fill.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    for chunk in chunks {
      let part = layout.plaintextRange(of: chunk..<chunk + 1)
      let start = layout.sealedLength(of: chunks.lowerBound..<chunk)
      let end = start + part.count + XChaCha20Poly1305.tagLength
      let isSealed = unsafe XChaCha20Poly1305.seal(
        UnsafeRawBufferPointer(rebasing: plaintext[part]), key: payloadKey,
        nonce: nonce(of: chunk), associatedData: [],
        into: UnsafeMutableRawBufferPointer(rebasing: output[start..<end]))
      guard isSealed else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// Opens the sealed bytes of `chunks` into `output`, which their plaintext fills.
  ///
  /// Nothing of a chunk is written there before its tag has verified.
  func open(
    _ sealed: UnsafeRawBufferPointer, chunks: Range<Int>,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let first = layout.plaintextRange(of: chunks).lowerBound
    for chunk in chunks {
      let part = layout.plaintextRange(of: chunk..<chunk + 1)
      let start = layout.sealedLength(of: chunks.lowerBound..<chunk)
      let end = start + part.count + XChaCha20Poly1305.tagLength
      let goal = part.lowerBound - first..<part.upperBound - first
      let isOpen = unsafe XChaCha20Poly1305.open(
        UnsafeRawBufferPointer(rebasing: sealed[start..<end]), key: payloadKey,
        nonce: nonce(of: chunk), associatedData: [],
        into: UnsafeMutableRawBufferPointer(rebasing: output[goal]))
      guard isOpen else { throw SealError(.damagedChunk, chunkIndex: chunk) }
    }
  }
}
