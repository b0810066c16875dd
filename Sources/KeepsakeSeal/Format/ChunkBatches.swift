/// A run of chunks, cut into batches of equal length, on which threads work one at a time: so memory
/// stays bounded.
struct ChunkBatches: Sendable {
  let chunks: Range<Int>
  private let step: Int

  /// How much plaintext a batch holds, unless a single chunk holds more.
  ///
  /// With it, what a thread works on stays in the cache of its core.
  static let byteCount = 1 << 18

  init(_ chunks: Range<Int>, chunkSize: Int, byteCount: Int = ChunkBatches.byteCount) {
    self.chunks = chunks
    step = max(1, byteCount / chunkSize)
  }

  var count: Int { (chunks.count + step - 1) / step }

  subscript(index: Int) -> Range<Int> {
    let start = chunks.lowerBound + index * step
    return start..<min(start + step, chunks.upperBound)
  }
}
