import Synchronization

/// A clock that moves only when a test advances it.
///
/// Pass it to a `StateSaver`, so that tests of its interval take no time and are deterministic.
///
/// ```swift
/// let clock = ManualClock()
/// let saver = StateSaver(
///   coordinator, of: app, interval: .seconds(1), clock: clock)
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let elapsed: Duration

    /// Makes a moment from the time since the clock was made.
    public init(elapsed: Duration) {
      self.elapsed = elapsed
    }

    /// The moment that is later by a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(elapsed: elapsed + duration)
    }

    /// The time from this moment to another one.
    public func duration(to other: Instant) -> Duration {
      other.elapsed - elapsed
    }

    /// Returns true when the first moment is earlier than the second.
    public static func < (first: Instant, second: Instant) -> Bool {
      first.elapsed < second.elapsed
    }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(elapsed: .zero)
    var sleepers: [Int: Sleeper] = [:]
    /// Sleeps that were cancelled before they had begun.
    var cancelled: Set<Int> = []
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Makes a clock that shows zero.
  public init() {}

  /// The moment that the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step, which is zero.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that wait for this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock by a duration that is not negative, and wakes the tasks whose deadlines have passed.
  ///
  /// The task with the earliest deadline is woken first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for sleeper in due { state.sleepers[sleeper.key] = nil }
      return due.map(\.value)
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until the clock has reached a moment.
  ///
  /// The tolerance is ignored, as this clock is exact.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(number, Sleeper(deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func begin(_ number: Int, _ sleeper: Sleeper) {
    let result: Result<Void, any Error>? = state.withLock { state in
      if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
      if sleeper.deadline <= state.now { return .success(()) }
      state.sleepers[number] = sleeper
      return nil
    }
    if let result { sleeper.continuation.resume(with: result) }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      if sleeper == nil { state.cancelled.insert(number) }
      return sleeper
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
