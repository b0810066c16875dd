import KeepsakeTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A manual clock` {
  /// Yields to other tasks until the condition is true.
  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test
  func `A clock wakes sleepers when it is moved to their time, the earliest first`() async throws {
    let clock = ManualClock()
    #expect(clock.now.elapsed == .zero && clock.minimumResolution == .zero)
    let (woken, continuation) = AsyncStream.makeStream(of: Int.self)
    for seconds in [3, 1, 2] {
      Task {
        try await clock.sleep(for: .seconds(seconds))
        continuation.yield(seconds)
      }
      await until { clock.sleeperCount == [3: 1, 1: 2, 2: 3][seconds] }
    }
    var order = woken.makeAsyncIterator()
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 3)
    for seconds in 1...3 {
      clock.advance(by: .seconds(1))
      #expect(await order.next() == seconds)
      #expect(clock.sleeperCount == 3 - seconds)
    }
    #expect(clock.now.elapsed == .milliseconds(3_999))
  }

  @Test func `A clock wakes a sleeper exactly at its time`() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(1) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(clock.sleeperCount == 0)
    // A sleeper that still waits must not block the test.
    clock.advance(by: .seconds(1))
    #expect(await task.result.isSuccess)
  }

  @Test func `A sleep until a time that has passed returns at once`() async throws {
    let clock = ManualClock()
    try await clock.sleep(for: .zero)
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(elapsed: .seconds(4)), tolerance: nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `A cancelled sleeper wakes with an error`() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await until { clock.sleeperCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let late = Task { () async throws in
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(1))
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `A clock measures from one instant to another`() {
    let (first, second) = (
      ManualClock.Instant(elapsed: .seconds(1)), ManualClock.Instant(elapsed: .seconds(3))
    )
    #expect(first.duration(to: second) == .seconds(2) && first.advanced(by: .seconds(2)) == second)
    #expect(first < second && !(second < first) && !(first < first))
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
