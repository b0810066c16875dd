import Dispatch
import KeepsakeFiles
import KeepsakeSeal

/// Appends entries for several callers at the same time, with one write and one synchronization for all.
///
/// A caller adds its entries to the batch that is to be written next. Then it writes the batches that wait; meanwhile
/// others add to the next one. One thread writes for all asynchronous callers.
@usableFromInline final class JournalWriter: Sendable {
  private typealias Completion = @Sendable (Result<UInt64, JournalError>) -> Void

  /// Entries of one call or several that are not written yet.
  private struct Batch {
    var entries: EncodedEntries
    /// The calls in order, each with the number of entries before its own.
    var calls: [(entriesBefore: Int, complete: Completion)]
  }

  /// The batches that wait, in order.
  private struct BatchQueue {
    var batches: [Batch] = []
    /// True while a thread of `queue` writes the waiting batches.
    var isDraining = false

    mutating func add(_ entries: EncodedEntries, _ complete: @escaping Completion) {
      let last = batches.count - 1
      if last >= 0,
        batches[last].entries.bytes.count + entries.bytes.count <= JournalWriter.batchLength
      {
        batches[last].calls.append((batches[last].entries.lengths.count, complete))
        batches[last].entries.append(entries)
      } else {
        batches.append(Batch(entries: entries, calls: [(0, complete)]))
      }
    }
  }

  private struct Open {
    var segments: SegmentWriter
    let lock: FileLock
  }

  /// A batch has at most this many bytes, or the entries of one call.
  private static let batchLength = 1 << 20

  private let files: JournalFiles
  private let waiting = Monitor(BatchQueue())
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
    let lock = try withJournalErrors { () throws(FileError) in
      try DurableFile.createDirectory(at: files.directory)
      return try FileLock(at: files.lockPath, patience: options.patience)
    }
    self.files = files
    open = Monitor(
      Open(segments: try SegmentWriter(files, keys: keys, options: options), lock: lock))
  }

  deinit { try? close() }

  /// Appends entries; returns the number of the first one when all are durable.
  @usableFromInline func append(_ entries: EncodedEntries) throws(JournalError) -> UInt64 {
    try requireEntries(entries)
    let outcome = Monitor<Result<UInt64, JournalError>?>(nil)
    waiting.withLock { $0.add(entries) { result in outcome.withLock { $0 = result } } }
    while true {
      writeBatch()
      if let result = outcome.withLock({ $0 }) { return try result.get() }
    }
  }

  /// Appends entries on a thread that may block.
  @usableFromInline nonisolated(nonsending) func append(
    _ entries: EncodedEntries
  ) async throws(JournalError) -> UInt64 {
    try requireEntries(entries)
    let result = await withCheckedContinuation { continuation in
      // One thread writes for all calls that arrive meanwhile.
      let isFirst = waiting.withLock { waiting in
        waiting.add(entries) { continuation.resume(returning: $0) }
        defer { waiting.isDraining = true }
        return !waiting.isDraining
      }
      guard isFirst else { return }
      queue.async { self.drain() }
    }
    return try result.get()
  }

  private func requireEntries(_ entries: EncodedEntries) throws(JournalError) {
    guard !entries.lengths.isEmpty else {
      throw JournalError(
        .entryNotStorable, path: files.directory, detail: "no entries were given")
    }
  }

  /// Writes batches for asynchronous callers until none waits.
  private func drain() {
    while waiting.withLock({ waiting in
      waiting.isDraining = !waiting.batches.isEmpty
      return waiting.isDraining
    }) { writeBatch() }
  }

  /// Writes the batch that has waited longest, and completes its calls.
  private func writeBatch() {
    open.withLock { open in
      let next = waiting.withLock { $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
      guard let batch = next else { return }
      let result = Result { () throws(JournalError) in
        guard let first = try open?.segments.append(batch.entries) else {
          throw JournalError(.closed, path: files.directory)
        }
        return first
      }
      for call in batch.calls { call.complete(result.map { $0 + UInt64(call.entriesBefore) }) }
    }
  }

  /// Begins a new file, either with the next entry or at once.
  func rotate(atOnce: Bool) throws(JournalError) {
    try open.withLock { open throws(JournalError) in
      guard open != nil else { throw JournalError(.closed, path: files.directory) }
      if atOnce { try open?.segments.beginFile() } else { try open?.segments.rotate() }
    }
  }

  /// The point after the last durable entry; nil when nothing was appended yet.
  func pin() throws(JournalError) -> JournalPin? {
    try open.withLock { open throws(JournalError) in
      guard let open else { throw JournalError(.closed, path: files.directory) }
      return try open.segments.durablePoint().flatMap { JournalPin($0) }
    }
  }

  /// Writes the waiting batches, closes the segment, and releases the lock.
  func close() throws(JournalError) {
    while waiting.withLock({ !$0.batches.isEmpty }) { writeBatch() }
    try open.withLock { open throws(JournalError) in
      defer { open = nil }
      try open?.segments.closeSegment()
    }
  }
}
