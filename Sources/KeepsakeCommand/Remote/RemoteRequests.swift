import Synchronization

/// The requests that are under way, which a signal ends.
enum RemoteRequests {
  private struct State {
    var areCancelled = false
    var stops: [@Sendable () -> Void] = []
  }

  private static let state = Mutex(State())

  /// Ends all requests; later ones fail.
  static func cancel() {
    let stops = state.withLock { state in
      state.areCancelled = true
      defer { state.stops = [] }
      return state.stops
    }
    for stop in stops { stop() }
  }

  /// Registers a closure that ``cancel()`` calls; after ``cancel()``, the closure is called at once.
  static func whenCancelled(_ stop: @escaping @Sendable () -> Void) {
    let areCancelled = state.withLock { state in
      if !state.areCancelled { state.stops.append(stop) }
      return state.areCancelled
    }
    if areCancelled { stop() }
  }
}
