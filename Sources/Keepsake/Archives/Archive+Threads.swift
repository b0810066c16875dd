public import KeepsakeArchive
internal import KeepsakeSeal

extension Archive {
  /// Reads all objects, in their order, as values of one type, on threads of its own, and suspends the task meanwhile.
  ///
  /// The values, and the error if there is one, are those of `decodeObjects(_:)`. An archive of up to four segments,
  /// about 256 KiB, is read on one thread.
  ///
  /// ```swift
  /// let entries = try await archive.decodeObjects(Entry.self, threads: 4)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - threads: How many threads to use at most; mostly as many as there are processors.
  /// - Returns: The values. Reading that has begun comes to its end, also when the task is cancelled.
  /// - Throws: `ArchiveError` for the first object that contradicts the format or is not as the type expects;
  ///   `SealError` with `cancelled` for a task that was cancelled before, or with `systemCallFailed` when the system
  ///   has no thread left.
  /// - Complexity: In proportion to the bytes of the archive.
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
