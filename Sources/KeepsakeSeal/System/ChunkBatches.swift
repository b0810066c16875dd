internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Work on many batches of chunks, on all cores.
enum ChunkBatches {
  private static let processorCount = max(1, Int(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN))))

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
    let next = Atomic<Int>(0)
    let failure = Mutex<(batch: Int, error: SealError)?>(nil)
    WorkerThreads.perform(min(processorCount, batches.count)) {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < batches.count else { return }
        do throws(SealError) {
          try work(batches[index])
        } catch {
          failure.withLock { first in
            if index < first?.batch ?? .max { first = (index, error) }
          }
        }
      }
    }
    if let error = failure.withLock({ $0?.error }) { throw error }
  }
}
