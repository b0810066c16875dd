public import KeepsakeArchive
import KeepsakeFiles
internal import KeepsakeSeal

extension Archive {
  /// Reads all objects, in their order, as values of one type, on several threads, and suspends the task meanwhile.
  ///
  /// The result, or the error, is that of `decodeObjects(_:)`. An archive of up to four segments, about 256 KiB, is
  /// read on one thread.
  ///
  /// ```swift
  /// let entries = try await archive.decodeObjects(
  ///   Entry.self, threads: 4)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - threads: The maximum number of threads; usually the number of processors.
  /// - Returns: The values. Once reading has begun, it runs to its end even if the task is cancelled.
  /// - Throws: `ArchiveError` for the first object that contradicts the format or does not fit the type; `SealError`
  ///   with `cancelled` for a task that was cancelled before, or with `systemCallFailed` when the system has no
  ///   thread left.
  /// - Complexity: O(*n*) in the bytes of the archive.
  public nonisolated(nonsending) func decodeObjects<Value: ArchiveDecodableRecord & Sendable>(
    _ type: Value.Type = Value.self, threads: Int
  ) async throws -> [Value] {
    try await SealedFile.perform { _ in
      try decodeObjects(Value.self, threads: threads) { count, work in
        WorkerThreads.perform(count, work)
      }
    }
  }
}
