import KeepsakeTesting
import Testing

import Keepsake

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `The end of saving` {
  private static let full = RestorationError(.storeUnavailable, "The disk is full.")

  @Test
  func `A shutdown saves marked changes, waits for them, and refuses later saves`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    fixture.change()
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    fixture.change()
    var isOver = false
    let end = Task {
      try await fixture.saver.shutDown()
      isOver = true
    }
    await fixture.until { fixture.saver.isShutDown }
    fixture.change()
    #expect(!isOver)
    fixture.store.finishWrite()
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    #expect(!isOver)
    fixture.store.finishWrite()
    try await end.value
    #expect(try fixture.savedVersion() == 2)
    let error = await #expect(throws: RestorationError.self) { try await fixture.saver.save() }
    #expect(error?.code == .savingEnded)
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.clock.sleeperCount == 0, "no timer is left")
    fixture.clock.advance(by: .seconds(9))
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.store.waitingWriteCount == 0)
  }

  @Test func `A shutdown tries a failed last save once more, and throws when that fails, too`()
    async throws
  {
    for failures in 1...2 {
      let fixture = try await SaverFixture()
      fixture.store.holdsWrites = true
      fixture.change()
      let end = Task { try await fixture.saver.shutDown() }
      for attempt in 1...2 {
        await fixture.until { fixture.store.waitingWriteCount == 1 }
        fixture.store.finishWrite(failingWith: attempt <= failures ? Self.full : nil)
      }
      let result = await end.result
      let succeeded = (try? result.get()) != nil
      #expect(succeeded == (failures < 2))
      #expect(try fixture.savedVersion() == (failures == 2 ? nil : 1))
      #expect(fixture.log.failures == failures)
    }
  }

  @Test func `A shutdown with nothing to save writes nothing`() async throws {
    let fixture = try await SaverFixture()
    try await fixture.saver.shutDown()
    try await fixture.saver.shutDown()
    #expect(fixture.log.events == [] && fixture.store.archive == nil)
  }

  @Test func `A discard makes the first save throw if its write has not begun`() async throws {
    let fixture = try await SaverFixture()
    // The save takes its snapshot at once. Nothing else runs here before the discard, so that its writer has not
    // begun.
    let first = Task.immediate { try await fixture.saver.save() }
    #expect(!fixture.saver.isUpToDate)
    try await fixture.saver.discard()
    let error = await #expect(throws: RestorationError.self) { try await first.value }
    #expect(error?.code == .saveDiscarded && fixture.store.archive == nil)
  }

  @Test func `A discard drops waiting saves and removes the saved state`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    let first = Task { try await fixture.saver.save() }
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    fixture.change()
    let second = Task { try await fixture.saver.save() }
    await fixture.until { !fixture.saver.isDirty }
    let discard = Task { try await fixture.saver.discard() }
    await fixture.until { fixture.log.overtaken == 1 }
    fixture.store.holdsWrites = false
    try await first.value
    let error = await #expect(throws: RestorationError.self) { try await second.value }
    #expect(error?.code == .saveDiscarded)
    try await discard.value
    #expect(fixture.store.archive == nil)
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.store.archive == nil && !fixture.saver.isDirty)
    fixture.change()
    try await fixture.saver.save()
    #expect(try fixture.savedVersion() == 2)
  }

  @Test func `A discard is not undone by a write that fails meanwhile`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    let save = Task { try await fixture.saver.save() }
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    var isDiscarding = false
    let discard = Task {
      isDiscarding = true
      try await fixture.saver.discard()
    }
    await fixture.until { isDiscarding }
    fixture.store.finishWrite(failingWith: Self.full)
    await #expect(throws: Self.full) { try await save.value }
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    #expect(!fixture.saver.isDirty)
    fixture.store.holdsWrites = false
    try await discard.value
    #expect(!fixture.saver.isDirty && fixture.saver.isUpToDate)
    // No timer and no shutdown writes the state again.
    fixture.clock.advance(by: .seconds(9))
    for _ in 0..<100 { await Task.yield() }
    try await fixture.saver.shutDown()
    #expect(fixture.store.archive == nil && fixture.log.saved == 0)
  }
}
