import Foundation
import Keepsake
import KeepsakeTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Sealing on other threads` {
  /// Lets the threads of a test wait for each other.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    /// False when it was not opened within 600 seconds.
    func wait() -> Bool { semaphore.wait(timeout: .now() + 600) == .success }
  }

  /// The notes of the threads of a test.
  private final class Notes: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  @MainActor @Test func `Sealing leaves the actor free, and gives the result`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.path + "/sealed"
      let key = try SealKey.generate()
      let gate = Gate()
      // Only the main actor opens the gate, once it is free.
      Task { @MainActor in gate.open() }
      let summary = try await SealedFile.perform { progress in
        #expect(!Thread.isMainThread)
        #expect(gate.wait())
        return try SealedFile.seal(
          [UInt8]([1, 2, 3]).span, to: path, for: [.key(key)], progress: progress)
      }
      #expect(summary.payloadLength == 3)
      let bytes = try await SealedFile.perform { progress in
        try SealedFile.open(path, with: [.key(key)]).read(progress: progress)
      }
      #expect(bytes == [1, 2, 3])
    }
  }

  @Test func `Each call of sealing has its own thread, so that no thread pool is exhausted`()
    async throws
  {
    // There are more calls than threads in Swift's pool on test machines, and each waits for the last one.
    let count = 200
    let arrived = Notes()
    let gate = Gate()
    let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await SealedFile.perform { _ in
            let number = arrived.numbers.withLock { numbers in
              numbers.append(0)
              return numbers.count
            }
            if number == count { for _ in 0..<count { gate.open() } }
            return gate.wait()
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(passed == count)
  }

  @Test func `Sealing stops when the task is cancelled, and leaves nothing behind`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.path + "/sealed"
      let key = try SealKey.generate()
      let (begun, beginning) = AsyncStream<Void>.makeStream()
      let cancelled = Gate()
      let task = Task {
        try await SealedFile.perform { progress in
          beginning.yield()
          _ = cancelled.wait()
          return try SealedFile.seal(
            [UInt8](repeating: 7, count: 3 << 20).span, to: path, for: [.key(key)],
            progress: progress)
        }
      }
      for await _ in begun { break }
      task.cancel()
      cancelled.open()
      #expect(sealCode(of: await task.result) == .cancelled)
      #expect(try directoryNames(directory.url.path) == [])
    }
  }

  @Test func `Sealing does not begin for a task that is cancelled already`() async throws {
    let begun = Notes()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await SealedFile.perform { _ in begun.numbers.withLock { $0.append(1) } }
    }
    task.cancel()
    #expect(sealCode(of: await task.result) == .cancelled)
    #expect(begun.numbers.withLock { $0 } == [])
  }

  @Test func `Work that cannot be stopped is finished, and its result returned`() async throws {
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let cancelled = Gate()
    let task = Task {
      try await SealedFile.perform { _ in
        beginning.yield()
        _ = cancelled.wait()
        return 5
      }
    }
    for await _ in begun { break }
    task.cancel()
    cancelled.open()
    #expect(try await task.value == 5)
  }

  @Test func `Sealing calls the observer of its caller, and stops when the observer says so`()
    async throws
  {
    let key = try SealKey.generate()
    let told = Notes()
    let task = Task {
      try await SealedFile.perform(progress: { progress in
        told.numbers.withLock { $0.append(progress.completedByteCount) }
        return false
      }) { progress in
        try SealedFile.seal(
          [UInt8](repeating: 7, count: 10).span, to: "/dev/null/absent", for: [.key(key)],
          progress: progress)
      }
    }
    // An error of the work itself is thrown unchanged.
    #expect(sealCode(of: await task.result) == .notDirectory)
    let counted = Task {
      try await TemporaryDirectory.with { directory in
        try await SealedFile.perform(progress: { progress in
          told.numbers.withLock { $0.append(progress.completedByteCount) }
          return false
        }) { [path = directory.url.path + "/sealed"] progress in
          try SealedFile.seal(
            [UInt8](repeating: 7, count: 10).span, to: path, for: [.key(key)], progress: progress)
        }
      }
    }
    #expect(sealCode(of: await counted.result) == .cancelled)
    #expect(told.numbers.withLock { $0 } == [10])
  }

  @Test func `Everything that the work holds is released before the call returns`() async throws {
    for _ in 0..<50 {
      weak var held: Gate?
      do {
        let gate = Gate()
        held = gate
        try await SealedFile.perform { [gate] _ in gate.open() }
      }
      #expect(held == nil)
    }
  }

  private func sealCode<Value>(of result: Result<Value, any Error>) -> SealError.Code? {
    guard case .failure(let error) = result else { return nil }
    return (error as? SealError)?.code
  }
}
