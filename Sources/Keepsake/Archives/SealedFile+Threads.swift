public import KeepsakeSeal
import Synchronization

extension SealedFile {
  /// Does work that blocks on a thread of its own, and suspends the task meanwhile.
  ///
  /// Sealing and opening are synchronous: Argon2id takes a passphrase's half second, a large file its seconds, and a
  /// replacement waits for the disk. Wrap such calls in this one wherever an actor or a task must not be held up:
  ///
  /// ```swift
  /// let summary = try await SealedFile.perform { progress in
  ///   try SealedFile.seal(contentsOf: film, to: path, for: recipients, progress: progress)
  /// }
  /// ```
  ///
  /// When the task is cancelled, the observer that the work is given stops it: pass it to every call that takes one,
  /// which then throws `cancelled` and leaves nothing behind. Work that has no observer to ask, such as Argon2id, comes
  /// to its end; its result is returned. Nothing is begun for a task that is cancelled already.
  ///
  /// - Parameters:
  ///   - observer: What else is told of the progress, on that thread, and can cancel.
  ///   - work: What to do. Each call has a thread until it returns, so as many run side by side as there are calls.
  /// - Returns: What the work returns. What the work holds is let go of by then.
  /// - Throws: What the work throws; `SealError` with `cancelled`, or with `systemCallFailed` when the system has no
  ///   thread left.
  public nonisolated(nonsending) static func perform<Value: Sendable>(
    progress observer: (@Sendable (SealProgress) -> Bool)? = nil,
    _ work: @escaping @Sendable (@escaping SealProgress.Observer) throws -> Value
  ) async throws -> Value {
    guard !Task.isCancelled else { throw SealError(.cancelled) }
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiting = WaitingWork(
          {
            try work { progress in
              !cancellation.isCancelled.load(ordering: .relaxed) && observer?(progress) ?? true
            }
          }, continuation)
        do throws(SealError) {
          try WorkerThreads.begin { waiting.run() }
        } catch {
          continuation.resume(returning: Result<Value, any Error>.failure(error))
        }
      }
    } onCancel: {
      cancellation.isCancelled.store(true, ordering: .relaxed)
    }
    return try result.get()
  }
}

/// Whether the task that waits was cancelled.
private final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}
