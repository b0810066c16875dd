internal import Dispatch

/// Work on many batches of chunks, on all cores.
enum ChunkBatches {
  /// Does `work` for each batch, in any order, and returns when all of it is done.
  ///
  /// Of several failures the one of the lowest batch is thrown, so that it does not depend on
  /// which thread was faster.
  static func forEach(
    _ batches: [Range<Int>], _ work: @Sendable (Range<Int>) throws(SealError) -> Void
  ) throws(SealError) {
    guard batches.count > 1 else {
      for batch in batches { try work(batch) }
      return
    }
    var failures = [SealError?](repeating: nil, count: batches.count)
    unsafe failures.withUnsafeMutableBufferPointer { buffer in
      // Each thread writes elements of its own.
      nonisolated(unsafe) let failures = unsafe buffer
      DispatchQueue.concurrentPerform(iterations: batches.count) { index in
        do throws(SealError) {
          try work(batches[index])
        } catch {
          unsafe failures[index] = error
        }
      }
    }
    for case .some(let failure) in failures { throw failure }
  }
}
