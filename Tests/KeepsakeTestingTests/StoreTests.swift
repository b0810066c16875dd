import Keepsake
import KeepsakeTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The store in memory` {
  private let store = InMemoryStateStore(archive: [1])
  private static let full = RestorationError(.storeUnavailable, "The disk is full.")

  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test func `The store keeps the promises of a state store`() async throws {
    #expect(try await store.load() == .archive([1], failedLaunchCount: 0))
    try store.beginRestoration(attempt: 2)
    #expect(store.isMarked)
    #expect(try await store.load() == .archive([1], failedLaunchCount: 2))
    try await store.save([2], previous: .setAside)
    #expect(store.archive == [2] && store.setAside == [[1]])
    _ = try await store.setAside()
    #expect(store.archive == nil && store.setAside == [[1], [2]] && !store.isMarked)
    #expect(try await store.load() == .absent)
  }

  @Test func `The store fails as the test has set it, until the test sets it otherwise`()
    async throws
  {
    store.failure = Self.full
    await #expect(throws: Self.full) { _ = try await store.load() }
    await #expect(throws: Self.full) { try await store.save([2], previous: .replace) }
    #expect(throws: Self.full) { try store.beginRestoration(attempt: 1) }
    store.failure = nil
    #expect(try await store.load() == .archive([1], failedLaunchCount: 0))
  }

  @Test func `The store holds writes back, and finishes them one by one`() async throws {
    store.holdsWrites = true
    let first = Task { [store] in try await store.save([2], previous: .replace) }
    await until { store.waitingWriteCount == 1 }
    let second = Task { [store] in try await store.remove() }
    await until { store.waitingWriteCount == 2 }
    #expect(store.archive == [1])
    #expect(store.finishWrite(failingWith: Self.full))
    await #expect(throws: Self.full) { try await first.value }
    #expect(store.archive == [1])
    #expect(store.finishWrite() && !store.finishWrite())
    try await second.value
    #expect(store.archive == nil)
    let third = Task { [store] in try await store.save([3], previous: .replace) }
    await until { store.waitingWriteCount == 1 }
    store.holdsWrites = false
    #expect(store.waitingWriteCount == 0 && !store.finishWrite())
    try await third.value
    try await store.save([4], previous: .replace)
    #expect(store.archive == [4])
  }
}
