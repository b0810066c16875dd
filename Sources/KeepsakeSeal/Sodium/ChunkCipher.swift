/// Seals and opens the chunks of one file (Spec/seal.md, section 6).
///
/// The bytes of a chunk depend on its index and not on other chunks. So chunks can be processed in parallel
/// with the same result.
struct ChunkCipher: Sendable {
  let chunkSize: Int
  let payloadKey: SecretBytes
  private let baseNonce: [UInt8]

  /// Takes 56 bytes: a key of 32 bytes, then a base nonce of 24.
  init(chunkSize: Int, payloadKey: SecretBytes) {
    self.chunkSize = chunkSize
    self.payloadKey = payloadKey
    baseNonce = payloadKey.publicBytes(32..<56)
  }

  /// Section 6: the base nonce, with the index and the final flag mixed in.
  func nonce(of chunk: Int, isFinal: Bool) -> [UInt8] {
    var nonce = baseNonce
    mix(chunk, isFinal: isFinal, into: &nonce)
    return nonce
  }

  private func mix(_ chunk: Int, isFinal: Bool, into nonce: inout [UInt8]) {
    for byte in 0..<8 {
      nonce[byte] = baseNonce[byte] ^ UInt8(truncatingIfNeeded: UInt64(chunk) >> (8 * byte))
    }
    nonce[8] = baseNonce[8] ^ (isFinal ? 1 : 0)
  }

  /// Seals consecutive chunks, starting at the index `first`, into `output`, which they fill; `isFinal` is
  /// true when the last of them is the last of the file.
  ///
  /// Returns the digests of the sealed chunks, joined, if they are requested.
  func seal(
    _ plaintext: UnsafeRawBufferPointer, first: Int, isFinal: Bool, computesDigests: Bool,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) -> [UInt8] {
    var digests: [UInt8] = []
    var nonce = baseNonce
    var (start, target, chunk) = (0, 0, first)
    repeat {
      let end = min(start + chunkSize, plaintext.count)
      let targetEnd = target + end - start + XChaCha20Poly1305.tagLength
      guard targetEnd <= output.count else { throw SealError(.cryptographyUnavailable) }
      mix(chunk, isFinal: isFinal && end == plaintext.count, into: &nonce)
      let isSealed = unsafe XChaCha20Poly1305.seal(
        UnsafeRawBufferPointer(rebasing: plaintext[start..<end]), key: payloadKey, nonce: nonce,
        associatedData: [],
        into: UnsafeMutableRawBufferPointer(rebasing: output[target..<targetEnd]))
      guard isSealed else { throw SealError(.cryptographyUnavailable) }
      if computesDigests {
        let sealed = unsafe UnsafeRawBufferPointer(rebasing: output[target..<targetEnd])
        try unsafe ChunkDigest.append(sealed, chunk: chunk, to: &digests)
      }
      (start, target, chunk) = (end, targetEnd, chunk + 1)
    } while start < plaintext.count
    return digests
  }

  /// Seals consecutive chunks, as the form with pointers does.
  func seal(
    _ plaintext: [UInt8], first: Int, isFinal: Bool, computesDigests: Bool
  ) throws(SealError) -> (sealed: [UInt8], digests: [UInt8]) {
    var digests: [UInt8] = []
    let chunkCount = max(1, (plaintext.count + chunkSize - 1) / chunkSize)
    let length = plaintext.count + chunkCount * XChaCha20Poly1305.tagLength
    let sealed = try unsafe plaintext.span.withUnsafeBytes { source throws(SealError) in
      try unsafe [UInt8].filled(length) { output throws(SealError) in
        digests = try unsafe seal(
          source, first: first, isFinal: isFinal, computesDigests: computesDigests, into: output)
      }
    }
    return (sealed, digests)
  }

  /// Opens consecutive sealed chunks into `output`, which their plaintext fills.
  ///
  /// A chunk is written to `output` only when its tag, and its expected digest if there is one, have been
  /// verified.
  func open(
    _ sealed: UnsafeRawBufferPointer, first: Int, isFinal: Bool, digests: ArraySlice<UInt8>?,
    into output: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    var nonce = baseNonce
    var digests = digests
    var (start, target, chunk) = (0, 0, first)
    repeat {
      let targetEnd = min(target + chunkSize, output.count)
      let end = start + targetEnd - target + XChaCha20Poly1305.tagLength
      guard end <= sealed.count else { throw SealError(.damagedChunk, chunkIndex: chunk) }
      if let expected = digests?.prefix(ChunkDigest.length) {
        var digest: [UInt8] = []
        try unsafe ChunkDigest.append(
          UnsafeRawBufferPointer(rebasing: sealed[start..<end]), chunk: chunk, to: &digest)
        guard digest.elementsEqual(expected) else {
          throw SealError(
            .damagedChunk, chunkIndex: chunk, detail: "it is not the one that was signed or pinned")
        }
        digests?.removeFirst(ChunkDigest.length)
      }
      mix(chunk, isFinal: isFinal && targetEnd == output.count, into: &nonce)
      let isOpen = unsafe XChaCha20Poly1305.open(
        UnsafeRawBufferPointer(rebasing: sealed[start..<end]), key: payloadKey, nonce: nonce,
        associatedData: [],
        into: UnsafeMutableRawBufferPointer(rebasing: output[target..<targetEnd]))
      guard isOpen else { throw SealError(.damagedChunk, chunkIndex: chunk) }
      (start, target, chunk) = (end, targetEnd, chunk + 1)
    } while target < output.count
  }
}
