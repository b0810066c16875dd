#if Remote
  import Dispatch
  import Keepsake
  import Synchronization

  /// Ends requests that are under way, and refuses later ones.
  package final class Cancellation: Sendable {
    private struct State {
      var isCancelled = false
      var nextTicket = 0
      var running: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    package func cancel() {
      let running = state.withLock { state in
        state.isCancelled = true
        defer { state.running = [:] }
        return Array(state.running.values)
      }
      for stop in running { stop() }
    }

    /// Runs `work`; `stop` is called when it is cancelled meanwhile, or was before.
    func whileCancellable<Result, Failure: Error>(
      by stop: @escaping @Sendable () -> Void, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let ticket = state.withLock { state -> Int? in
        guard !state.isCancelled else { return nil }
        state.nextTicket += 1
        state.running[state.nextTicket] = stop
        return state.nextTicket
      }
      if ticket == nil { stop() }
      defer {
        if let ticket { state.withLock { state in _ = state.running.removeValue(forKey: ticket) } }
      }
      return try work()
    }
  }

  /// Work that blocks, on threads that are not those of the cooperative pool.
  enum BlockingWork {
    private static let queue = DispatchQueue(
      label: "Keepsake.Remote", qos: .userInitiated, attributes: .concurrent)

    /// Runs work; cancelling the caller's task cancels `cancellation`.
    nonisolated(nonsending) static func run<T: Sendable, Failure: Error>(
      on queue: DispatchQueue? = nil, cancelling cancellation: Cancellation? = nil,
      _ work: @escaping @Sendable () throws(Failure) -> T
    ) async throws(Failure) -> T {
      let result = await withTaskCancellationHandler {
        await (queue ?? Self.queue).result(of: work)
      } onCancel: {
        cancellation?.cancel()
      }
      return try result.get()
    }
  }
#endif
