import Dispatch
import KeepsakeFiles
import KeepsakeSeal

/// Appends for several callers at the same time, whose entries share one write and one synchronization.
///
/// A caller queues its entries, then writes all that are queued; meanwhile others queue theirs. The thread that writes
/// for asynchronous callers waits for a moment before it takes a batch, so that calls at the same time are one batch.
@usableFromInline final class JournalWriter: Sendable {
  /// Entries of one call that are not written yet.
  private struct Waiting: Sendable {
    let entries: [StoredEntry]
    let latestTime: Int64
    let byteCount: Int
    let complete: @Sendable (Result<UInt64, JournalError>) -> Void

    init(
      _ entries: [StoredEntry], _ latestTime: Int64,
      _ complete: @escaping @Sendable (Result<UInt64, JournalError>) -> Void
    ) {
      self.entries = entries
      self.latestTime = latestTime
      self.complete = complete
      byteCount = entries[...].byteCount
    }
  }

  /// The calls that wait, in order.
  private struct Line {
    var calls: [Waiting] = []
    /// True while a thread of the queue is to write all that waits.
    var isDrained = false
    /// The number of calls in the last batch, and the time that its write took.
    var lastBatch: (count: Int, duration: Duration) = (0, .zero)
  }

  /// The open journal, with its lock.
  private struct Open {
    var segments: SegmentWriter
    let lock: FileLock
  }

  /// A batch has at most this many bytes, or the entries of one call.
  private static let batchLength = 1 << 20
  /// No more calls are waited for when there are so many.
  private static let gatheredCount = 4_096
  /// The longest wait for more calls, since a disk may take seconds for a write.
  private static let longestWait = Duration.milliseconds(2)

  private let files: JournalFiles
  private let line = Monitor(Line())
  /// The open journal; nil when it was closed.
  private let open: Monitor<Open?>
  private let queue = DispatchQueue(label: "Keepsake.Journal")

  /// Makes the directory if it is missing, takes the lock, and finds the end of the journal.
  init(_ files: JournalFiles, keys: JournalKeys, options: JournalOptions) throws(JournalError) {
    try keys.requireWritable()
    guard options.publicMetadata.count <= JournalFormat.maximumMetadataLength else {
      throw JournalError(
        .invalidOptions, path: files.directory,
        detail: "public metadata of \(options.publicMetadata.count) bytes")
    }
    let lock = try onFiles { () throws(FileError) in
      try DurableFile.createDirectory(at: files.directory)
      return try FileLock(at: files.lockPath, patience: options.patience)
    }
    self.files = files
    open = Monitor(
      Open(segments: try SegmentWriter(files, keys: keys, options: options), lock: lock))
  }

  deinit { try? close() }

  /// Appends entries; returns the number of the first one when all are durable.
  @usableFromInline func append(
    _ entries: [StoredEntry], latestTime: Int64
  ) throws(JournalError) -> UInt64 {
    try requireEntries(entries)
    let outcome = Monitor<Result<UInt64, JournalError>?>(nil)
    line.withLock { line in
      line.calls.append(
        Waiting(entries, latestTime) { result in outcome.withLock { $0 = result } })
    }
    while outcome.withLock({ $0 == nil }) { writeBatch() }
    guard let result = outcome.withLock({ $0 }) else {
      throw JournalError(.closed, path: files.directory)
    }
    return try result.get()
  }

  /// Appends entries on a thread that may block.
  @usableFromInline nonisolated(nonsending) func append(
    _ entries: [StoredEntry], latestTime: Int64
  ) async throws(JournalError) -> UInt64 {
    try requireEntries(entries)
    let result = await withCheckedContinuation { continuation in
      let call = Waiting(entries, latestTime) { continuation.resume(returning: $0) }
      // One thread writes for all calls that come meanwhile.
      let isFirst = line.withLock { line in
        line.calls.append(call)
        defer { line.isDrained = true }
        return !line.isDrained
      }
      guard isFirst else { return }
      queue.async { self.drain() }
    }
    return try result.get()
  }

  private func requireEntries(_ entries: [StoredEntry]) throws(JournalError) {
    guard !entries.isEmpty else {
      throw JournalError(
        .entryNotStorable, path: files.directory, detail: "no entries were given")
    }
  }

  /// Writes batches for asynchronous callers until no call waits.
  private func drain() {
    func isDone() -> Bool {
      line.withLock { line in
        line.isDrained = !line.calls.isEmpty
        return !line.isDrained
      }
    }
    while !isDone() {
      gatherCalls()
      writeBatch()
    }
  }

  /// Waits for an eighth of the time that the last write took, at most two milliseconds, and again as long as calls
  /// came meanwhile.
  ///
  /// A caller that is alone does not wait.
  private func gatherCalls() {
    let clock = ContinuousClock()
    while true {
      let (count, last) = line.withLock { ($0.calls.count, $0.lastBatch) }
      guard max(count, last.count) > 1, count < JournalWriter.gatheredCount else { return }
      let end = clock.now + min(last.duration / 8, JournalWriter.longestWait)
      repeat { CurrentThread.yield() } while clock.now < end
      if line.withLock({ $0.calls.count }) == count { return }
    }
  }

  /// Writes calls that wait as one batch, and completes them.
  private func writeBatch() {
    open.withLock { open in
      let batch = takeBatch()
      guard let latest = batch.map(\.latestTime).max() else { return }
      let entries = batch.count == 1 ? batch[0].entries : batch.flatMap(\.entries)
      let start = ContinuousClock.now
      let result = Result { () throws(JournalError) in
        guard let first = try open?.segments.append(entries, latestTime: latest) else {
          throw JournalError(.closed, path: files.directory)
        }
        return first
      }
      let duration = ContinuousClock.now - start
      line.withLock { $0.lastBatch = (batch.count, duration) }
      var before: UInt64 = 0
      for call in batch {
        let own = before
        call.complete(result.map { $0 + own })
        before += UInt64(call.entries.count)
      }
    }
  }

  private func takeBatch() -> [Waiting] {
    line.withLock { line in
      var (count, length) = (0, 0)
      while count < line.calls.count,
        count == 0 || length + line.calls[count].byteCount <= JournalWriter.batchLength
      {
        length += line.calls[count].byteCount
        count += 1
      }
      let batch = Array(line.calls[..<count])
      line.calls.removeFirst(count)
      return batch
    }
  }

  /// Has the next entry begin a new file, or begins it at once.
  func rotate(atOnce: Bool) throws(JournalError) {
    try open.withLock { open throws(JournalError) in
      guard open != nil else { throw JournalError(.closed, path: files.directory) }
      if atOnce { try open?.segments.beginFile() } else { try open?.segments.rotate() }
    }
  }

  /// The point after all that is durable; nil when nothing was appended yet.
  func pin() throws(JournalError) -> JournalPin? {
    try open.withLock { open throws(JournalError) in
      guard let open else { throw JournalError(.closed, path: files.directory) }
      return try open.segments.durablePoint().flatMap { JournalPin($0) }
    }
  }

  /// Writes what waits, closes the segment, and releases the lock.
  func close() throws(JournalError) {
    while line.withLock({ !$0.calls.isEmpty }) { writeBatch() }
    try open.withLock { open throws(JournalError) in
      defer { open = nil }
      try open?.segments.closeSegment()
    }
  }
}
