import Dispatch
import KeepsakeFiles
import Testing

@Suite struct `A monitor` {
  @Test func `A thread that waits is woken by the change that it waits for`() {
    let number = Monitor(0)
    let (asleep, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      // The lock is held until the thread sleeps, so the changes below come later.
      number.wait { number in
        asleep.signal()
        return number == 2
      }
      done.signal()
    }
    asleep.wait()
    for _ in 0..<2 { number.withLock { $0 += 1 } }
    #expect(done.wait(timeout: .now() + 10) == .success)
  }

  @Test func `Two threads that wait for each other always continue`() {
    let turn = Monitor(0)
    let rounds = 1_000
    let isStarted = WorkerThreads.start {
      for round in 0..<rounds {
        turn.wait { $0 == 2 * round + 1 }
        turn.withLock { $0 += 1 }
      }
    }
    #expect(isStarted)
    for round in 0..<rounds where isStarted {
      turn.withLock { $0 += 1 }
      turn.wait { $0 == 2 * round + 2 }
    }
    #expect(turn.withLock { $0 } == 2 * rounds)
  }
}
