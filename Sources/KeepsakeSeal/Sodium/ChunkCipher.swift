internal import Dispatch

/// Seals and opens the chunks of one file (Spec/seal.md, section 6).
///
/// A chunk's bytes depend on its index alone, so chunks are worked on in parallel and the result is
/// always the same.
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
    for byte in 0..<8 { nonce[byte] ^= UInt8(truncatingIfNeeded: chunk >> (8 * byte)) }
    if chunk == layout.chunkCount - 1 { nonce[8] ^= 1 }
    return nonce
  }

  /// Seals `chunks` of the whole `plaintext` into `output`, one after the other from `start`.
  func seal(
    _ plaintext: Span<UInt8>, chunks: Range<Int>, into output: inout [UInt8], at start: Int
  ) throws(SealError) {
    let failed = unsafe plaintext.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        // Each chunk has a place of its own, so the threads never meet.
        nonisolated(unsafe) let (source, target) = unsafe (source, target)
        return ChunkCipher.firstFailure(chunks) { chunk in
          let part = layout.plaintextRange(of: chunk..<chunk + 1)
          let place = start + layout.sealedLength(of: chunks.lowerBound..<chunk)
          let end = place + part.count + XChaCha20Poly1305.tagLength
          return unsafe XChaCha20Poly1305.seal(
            UnsafeRawBufferPointer(rebasing: source[part]), key: payloadKey,
            nonce: nonce(of: chunk), associatedData: [],
            into: UnsafeMutableRawBufferPointer(rebasing: target[place..<end]))
        }
      }
    }
    guard failed == nil else { throw SealError(.cryptographyUnavailable) }
  }

  /// Opens `chunks`, whose sealed bytes begin at `sealedStart` of `sealed`, into `output` from
  /// `start`.
  ///
  /// Nothing of a chunk is written there before its tag has verified.
  func open(
    _ sealed: [UInt8], at sealedStart: Int, chunks: Range<Int>, into output: inout [UInt8],
    at start: Int
  ) throws(SealError) {
    let first = layout.plaintextRange(of: chunks).lowerBound
    let failed = unsafe sealed.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        // Each chunk has a place of its own, so the threads never meet.
        nonisolated(unsafe) let (source, target) = unsafe (source, target)
        return ChunkCipher.firstFailure(chunks) { chunk in
          let part = layout.plaintextRange(of: chunk..<chunk + 1)
          let place = sealedStart + layout.sealedLength(of: chunks.lowerBound..<chunk)
          let end = place + part.count + XChaCha20Poly1305.tagLength
          let goal = start + part.lowerBound - first
          return unsafe XChaCha20Poly1305.open(
            UnsafeRawBufferPointer(rebasing: source[place..<end]), key: payloadKey,
            nonce: nonce(of: chunk), associatedData: [],
            into: UnsafeMutableRawBufferPointer(rebasing: target[goal..<goal + part.count]))
        }
      }
    }
    if let failed { throw SealError(.damagedChunk, chunkIndex: failed) }
  }

  /// Does `work` for each chunk, on several cores when there are several chunks; returns the
  /// lowest index for which it failed, whatever the order of the work.
  private static func firstFailure(_ chunks: Range<Int>, _ work: @Sendable (Int) -> Bool) -> Int? {
    guard chunks.count > 1 else { return chunks.first { !work($0) } }
    var isDone = [Bool](repeating: false, count: chunks.count)
    unsafe isDone.withUnsafeMutableBufferPointer { isDone in
      nonisolated(unsafe) let flags = unsafe isDone
      DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
        unsafe flags[index] = work(chunks.lowerBound + index)
      }
    }
    return isDone.firstIndex(of: false).map { chunks.lowerBound + $0 }
  }
}
