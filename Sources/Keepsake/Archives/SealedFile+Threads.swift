import KeepsakeFiles
public import KeepsakeSeal
import Synchronization

extension SealedFile {
  /// Runs blocking work on a thread of its own, and suspends the task meanwhile.
  ///
  /// Sealing and opening are synchronous: Argon2id takes half a second for a passphrase, a large file takes seconds,
  /// and a replacement waits for the disk. Wrap such calls in this one wherever they must not block an actor or a
  /// task:
  ///
  /// ```swift
  /// let summary = try await SealedFile.perform { progress in
  ///   try SealedFile.seal(
  ///     contentsOf: film, to: path, for: recipients,
  ///     progress: progress)
  /// }
  /// ```
  ///
  /// When the task is cancelled, the observer that is passed to the work stops it: pass it on to every call that
  /// takes one, which then throws `cancelled` and leaves nothing behind. Work that calls no observer, such as
  /// Argon2id, runs to its end, and its result is returned. For a task that is cancelled already, no work begins.
  ///
  /// - Parameters:
  ///   - observer: Also called with the progress, on that thread; it can cancel.
  ///   - work: The work. Each call has a thread until it returns, so there are as many threads as calls.
  /// - Returns: The result of the work. The objects that the work captured have been released by then.
  /// - Throws: Any error of the work; `SealError` with `cancelled`, or with `systemCallFailed` when the system has no
  ///   thread left.
  public nonisolated(nonsending) static func perform<Value: Sendable>(
    progress observer: (@Sendable (SealProgress) -> Bool)? = nil,
    _ work: @escaping @Sendable (@escaping SealProgress.Observer) throws -> Value
  ) async throws -> Value {
    guard !Task.isCancelled else { throw SealError(.cancelled) }
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiting = OneTimeWork(
          {
            try work { progress in
              !cancellation.isCancelled.load(ordering: .relaxed) && observer?(progress) ?? true
            }
          }, continuation)
        do throws(FileError) {
          try WorkerThreads.begin { waiting.run() }
        } catch {
          continuation.resume(returning: Result<Value, any Error>.failure(SealError(error)))
        }
      }
    } onCancel: {
      cancellation.isCancelled.store(true, ordering: .relaxed)
    }
    return try result.get()
  }
}

/// Records whether the waiting task was cancelled.
private final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}
