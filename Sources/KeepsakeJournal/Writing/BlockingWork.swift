import Dispatch

private let queue = DispatchQueue(label: "Keepsake.Journal.opening", attributes: .concurrent)

/// Runs work on a thread that may block.
nonisolated(nonsending) func onThread<T: Sendable>(
  _ work: @escaping @Sendable () throws(JournalError) -> T
) async throws(JournalError) -> T {
  try await withCheckedContinuation { continuation in
    queue.async {
      continuation.resume(returning: Result { () throws(JournalError) in try work() })
    }
  }.get()
}
