/// Where each chunk of a payload lies (Spec/seal.md, section 6).
struct ChunkLayout: Sendable {
  let headerLength: Int
  let chunkSize: Int
  let plaintextLength: Int

  init(_ preamble: Preamble) {
    headerLength = preamble.headerLength
    chunkSize = preamble.chunkSize.byteCount
    // The preamble has been checked against the policy, whose cap is an `Int`.
    plaintextLength = Int(clamping: preamble.payloadLength)
  }

  /// An empty plaintext has one empty chunk; there is never an empty chunk after a full one.
  var chunkCount: Int {
    plaintextLength == 0 ? 1 : (plaintextLength - 1) / chunkSize + 1
  }

  /// How long the file is, exactly.
  var fileSize: UInt64 {
    UInt64(headerLength) + UInt64(plaintextLength)
      + UInt64(chunkCount) * UInt64(XChaCha20Poly1305.tagLength)
  }

  /// Where the sealed bytes of a chunk begin in the file.
  func offset(of chunk: Int) -> UInt64 {
    UInt64(headerLength) + UInt64(chunk) * UInt64(chunkSize + XChaCha20Poly1305.tagLength)
  }

  /// The part of the plaintext that a run of chunks holds.
  func plaintextRange(of chunks: Range<Int>) -> Range<Int> {
    min(
      chunks.lowerBound * chunkSize, plaintextLength)..<(chunks.upperBound >= chunkCount
      ? plaintextLength : chunks.upperBound * chunkSize)
  }

  /// How many bytes a run of chunks takes in the file.
  func sealedLength(of chunks: Range<Int>) -> Int {
    plaintextRange(of: chunks).count + chunks.count * XChaCha20Poly1305.tagLength
  }

  /// The chunks that hold a part of the plaintext, which is not empty.
  func chunks(holding range: Range<Int>) -> Range<Int> {
    range.lowerBound / chunkSize..<(range.upperBound - 1) / chunkSize + 1
  }

  /// `chunks` cut into runs of about `byteCount` bytes, on which threads work one at a time: so
  /// memory stays bounded.
  func batches(of chunks: Range<Int>, byteCount: Int = 1 << 19) -> [Range<Int>] {
    let step = max(1, byteCount / chunkSize)
    return stride(from: chunks.lowerBound, to: chunks.upperBound, by: step).map { start in
      start..<min(start + step, chunks.upperBound)
    }
  }
}
