#if Logging
  import Dispatch
  import KeepsakeFiles
  public import KeepsakeJournal

  /// Writes the messages of swift-log's loggers to an encrypted journal.
  ///
  /// ```swift
  /// let log = JournalLog(
  ///   try Journal<LogRecord>.open(
  ///     at: directory + "/log", for: keys))
  /// log.flushAtExit()
  /// LoggingSystem.bootstrap { log.handler(label: $0) }
  /// ```
  ///
  /// Logging a message never waits for the disk: messages wait in a queue, and another thread appends them. When the
  /// queue is full, messages are dropped and counted, and an entry says how many as soon as there is room again. Queued
  /// messages are lost when the process is killed; `flush()` returns when all are durable.
  ///
  /// The content of this module needs the trait `Logging` of the package, because it uses swift-log.
  public final class JournalLog: Sendable {
    private struct State {
      var waiting: [LogRecord] = []
      var waitingBytes = 0
      /// The number of dropped messages that the journal does not report yet.
      var unreported = 0
      var droppedCount = 0
      /// True while a call of `drain` is scheduled.
      var isScheduled = false
      /// The first failure since the last flush.
      var failure: JournalError?
    }

    private let journal: Journal<LogRecord>
    private let capacity: Int
    private let byteCapacity: Int
    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "Keepsake.JournalLog", qos: .utility)

    /// Begins to write messages to a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal, which the log closes when it is released.
    ///   - capacity: The most messages that wait.
    ///   - byteCapacity: The approximate limit on the bytes of all waiting messages, at most 8 MiB. A longer message is
    ///     dropped.
    public init(
      _ journal: Journal<LogRecord>, capacity: Int = 10_000, byteCapacity: Int = 8 << 20
    ) {
      self.journal = journal
      self.capacity = max(1, capacity)
      // The limit keeps each message small enough for an entry of a journal.
      self.byteCapacity = min(byteCapacity, 8 << 20)
    }

    /// A handler of this log, for `LoggingSystem.bootstrap` or one `Logger`.
    ///
    /// Each message of the logger has its label.
    public func handler(label: String) -> JournalLogHandler {
      JournalLogHandler(log: self, label: label)
    }

    /// The number of messages that were dropped since the log began.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Waits until all messages that were logged before are durable.
    ///
    /// - Throws: The first `JournalError` since the last flush; the messages that it concerns are dropped and counted.
    public func flush() throws(JournalError) {
      queue.sync { drain() }
      try throwFailure()
    }

    /// Waits, without blocking the thread, until all messages that were logged before are durable.
    ///
    /// - Throws: `JournalError`, as the synchronous overload does.
    nonisolated(nonsending) public func flush() async throws(JournalError) {
      await withCheckedContinuation { continuation in
        queue.async {
          self.drain()
          continuation.resume()
        }
      }
      try throwFailure()
    }

    /// Makes the process flush this log when it exits normally: when its main function returns, or `exit` is called.
    ///
    /// The process keeps the log until then.
    public func flushAtExit() {
      ProcessEnd.atNormalExit { try? self.flush() }
    }

    /// Queues a message, or counts it as dropped; never waits for the disk.
    func add(_ record: LogRecord) {
      let length = record.byteCount
      let isFirst = state.withLock { state in
        guard state.waiting.count < capacity, length <= byteCapacity - state.waitingBytes else {
          state.unreported += 1
          state.droppedCount += 1
          return false
        }
        state.waiting.append(record)
        state.waitingBytes += length
        defer { state.isScheduled = true }
        return !state.isScheduled
      }
      if isFirst { queue.async { self.drain() } }
    }

    /// Appends messages until the waiting list is empty; runs on `queue`.
    private func drain() {
      while true {
        let (batch, dropped) = state.withLock { state in
          let taken = (state.waiting, state.unreported)
          state.waiting = []
          (state.waitingBytes, state.unreported) = (0, 0)
          if taken == ([], 0) { state.isScheduled = false }
          return taken
        }
        if batch.isEmpty, dropped == 0 { return }
        let report = dropped == 0 ? [] : [LogRecord(dropped: dropped)]
        do throws(JournalError) {
          try journal.append(contentsOf: batch + report)
        } catch {
          // The next batch reports again the dropped messages that this one did not.
          state.withLock { state in
            state.failure = state.failure ?? error
            state.unreported += dropped + batch.count
            state.droppedCount += batch.count
            if state.waiting.isEmpty { state.isScheduled = false }
          }
          if state.withLock({ $0.waiting.isEmpty }) { return }
        }
      }
    }

    private func throwFailure() throws(JournalError) {
      let failure = state.withLock { state in
        defer { state.failure = nil }
        return state.failure
      }
      if let failure { throw failure }
    }
  }
#endif
