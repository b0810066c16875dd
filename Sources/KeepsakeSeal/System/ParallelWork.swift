import KeepsakeFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs numbered batches of work on several threads.
package enum ParallelWork {
  /// The default number of threads: one for each core, but at most 16, which limits the memory of their
  /// buffers.
  static let defaultThreadCount = min(
    16, max(1, Int(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

  /// Calls `work` once for each batch, in any order, and returns when all are done.
  ///
  /// Each thread has its own buffer. If several batches fail, the error of the lowest one is thrown, so that
  /// it does not depend on timing. Progress is reported on the calling thread; `work` returns the amount to
  /// add to it.
  static func forEach(
    _ batches: Range<Int>, threads: Int, scratch size: ScratchBuffer.Size,
    progress: ProgressReport = .none,
    _ work: @Sendable (Int, ScratchBuffer) throws(SealError) -> Int
  ) throws(SealError) {
    let threads = min(threads, batches.count)
    guard threads > 1 else {
      let scratch = ScratchBuffer(size)
      var done = 0
      for batch in batches {
        done += try work(batch, scratch)
        try progress.report(done)
      }
      return
    }
    let run = Run(next: batches.lowerBound)
    let caller = CurrentThread.identifier
    // The observer is called on the calling thread alone.
    nonisolated(unsafe) let report = progress
    WorkerThreads.perform(threads) {
      let isCaller = CurrentThread.identifier == caller
      let scratch = ScratchBuffer(size)
      while let batch = run.take(below: batches.upperBound) {
        do throws(SealError) {
          let done = run.add(try work(batch, scratch))
          if isCaller { unsafe try report.report(done) }
        } catch {
          run.fail(error, at: batch)
        }
      }
    }
    try run.finish()
    try progress.report(run.add(0))
  }

  /// The results of `work` for each number below `count`, in their order.
  package static func map<Result: Sendable>(
    _ count: Int, _ work: @Sendable (Int) throws(SealError) -> Result
  ) throws(SealError) -> [Result] {
    let results = Monitor<[Result?]>(Array(repeating: nil, count: count))
    try forEach(0..<count, threads: defaultThreadCount, scratch: ScratchBuffer.Size()) {
      number, _ throws(SealError) in
      let result = try work(number)
      results.withLock { $0[number] = result }
      return 1
    }
    return results.withLock { $0.compactMap { $0 } }
  }

  /// The state that the threads of one call share.
  private final class Run: Sendable {
    private let next: Atomic<Int>
    private let done = Atomic<Int>(0)
    private let failure = Monitor<(batch: Int, error: SealError)?>(nil)

    init(next: Int) { self.next = Atomic(next) }

    /// The next batch, in ascending order: all batches below a failed one have been taken before it.
    func take(below end: Int) -> Int? {
      let batch = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return batch < end ? batch : nil
    }

    func add(_ amount: Int) -> Int {
      done.wrappingAdd(amount, ordering: .relaxed).newValue
    }

    func fail(_ error: SealError, at batch: Int) {
      failure.withLock { first in
        if batch < first?.batch ?? .max { first = (batch, error) }
      }
      // No thread takes another batch. The middle of the range is far from overflow.
      next.store(.max / 2, ordering: .relaxed)
    }

    func finish() throws(SealError) {
      if let error = failure.withLock({ $0?.error }) { throw error }
    }
  }
}
