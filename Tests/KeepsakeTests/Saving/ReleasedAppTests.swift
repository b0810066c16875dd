import KeepsakeTesting
import Testing

import Keepsake

/// A saver whose app a test lets go.
@MainActor
private final class ReleasedApp {
  let store = InMemoryStateStore()
  let clock = ManualClock()
  let saver: StateSaver
  private(set) var app: VersionedApp?
  private let log = SaverFixture.EventLog()

  init() async throws {
    let gate = VersionGate(programVersion: try BundleVersion("1"), policy: .exactly)
    let coordinator = RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(gate: gate))
    await coordinator.prepare()
    let (app, log) = (VersionedApp(), log)
    self.app = app
    saver = StateSaver(coordinator, of: app, clock: clock) { log.events.append($0) }
  }

  func release() { app = nil }

  var events: [SaveEvent] { log.events }

  var failures: [RestorationError.Code] {
    events.compactMap { if case .failed(let error) = $0 { error.code } else { nil } }
  }
}

@MainActor
@Suite(.timeLimit(.minutes(10))) struct `Saving an app that was released` {
  @Test func `throws, and writes nothing`() async throws {
    let fixture = try await ReleasedApp()
    fixture.release()
    let error = await #expect(throws: RestorationError.self) { try await fixture.saver.save() }
    #expect(error?.code == .applicationReleased)
    #expect(error?.message.hasSuffix(".") == true)
    #expect(fixture.store.archive == nil && fixture.saver.isDirty && !fixture.saver.isUpToDate)
    #expect(fixture.failures == [.applicationReleased])
  }

  @Test func `reports a mark that cannot be kept, once, and waits for nothing`() async throws {
    let fixture = try await ReleasedApp()
    fixture.saver.markDirty()
    fixture.release()
    while fixture.events.isEmpty, !Task.isCancelled { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.failures == [.applicationReleased] && fixture.events.count == 1)
    #expect(fixture.clock.sleeperCount == 0 && fixture.saver.isDirty)
    // So is the next one.
    fixture.saver.markDirty()
    while fixture.events.count < 2, !Task.isCancelled { await Task.yield() }
    #expect(fixture.failures == [.applicationReleased, .applicationReleased])
  }

  @Test func `ends with the error when something was marked`() async throws {
    let fixture = try await ReleasedApp()
    fixture.saver.markDirty()
    fixture.release()
    let error = await #expect(throws: RestorationError.self) {
      try await fixture.saver.shutDown()
    }
    #expect(error?.code == .applicationReleased)
    #expect(fixture.failures == [.applicationReleased] && fixture.saver.isDirty)
  }

  @Test func `ends without one when everything was saved before`() async throws {
    let fixture = try await ReleasedApp()
    fixture.app?.version = 3
    fixture.store.holdsWrites = true
    let save = Task { try await fixture.saver.save() }
    while fixture.store.waitingWriteCount == 0, !Task.isCancelled { await Task.yield() }
    fixture.release()
    let end = Task { try await fixture.saver.shutDown() }
    fixture.store.holdsWrites = false
    try await save.value
    try await end.value
    #expect(try VersionedApp.version(in: fixture.store.archive) == 3)
    #expect(fixture.failures == [])
  }

  @Test func `leads to the error also when its last write failed`() async throws {
    let fixture = try await ReleasedApp()
    fixture.store.holdsWrites = true
    let save = Task { try await fixture.saver.save() }
    while fixture.store.waitingWriteCount == 0, !Task.isCancelled { await Task.yield() }
    fixture.release()
    let full = RestorationError(.storeUnavailable, "The disk is full.")
    fixture.store.finishWrite(failingWith: full)
    await #expect(throws: full) { try await save.value }
    let error = await #expect(throws: RestorationError.self) {
      try await fixture.saver.shutDown()
    }
    #expect(error?.code == .applicationReleased)
    #expect(fixture.failures == [.storeUnavailable, .applicationReleased])
  }
}
