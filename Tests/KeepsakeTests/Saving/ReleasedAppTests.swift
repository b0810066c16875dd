import KeepsakeTesting
import Testing

import Keepsake

/// A saver whose app a test releases.
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
@Suite(.timeLimit(.minutes(30))) struct `Saving an app that was released` {
  @Test func `A save of a released app throws, and writes nothing`() async throws {
    let fixture = try await ReleasedApp()
    fixture.release()
    let error = await #expect(throws: RestorationError.self) { try await fixture.saver.save() }
    #expect(error?.code == .applicationReleased)
    #expect(error?.message.hasSuffix(".") == true)
    #expect(fixture.store.archive == nil && fixture.saver.isDirty && !fixture.saver.isUpToDate)
    #expect(fixture.failures == [.applicationReleased])
  }

  @Test func `A mark that cannot be saved is reported once, and no timer is set`() async throws {
    let fixture = try await ReleasedApp()
    fixture.saver.markDirty()
    fixture.release()
    while fixture.events.isEmpty, !Task.isCancelled { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.failures == [.applicationReleased] && fixture.events.count == 1)
    #expect(fixture.clock.sleeperCount == 0 && fixture.saver.isDirty)
    // The next mark is reported, too.
    fixture.saver.markDirty()
    while fixture.events.count < 2, !Task.isCancelled { await Task.yield() }
    #expect(fixture.failures == [.applicationReleased, .applicationReleased])
  }

  @Test
  func `A shutdown throws when something was marked before the app was released`() async throws {
    let fixture = try await ReleasedApp()
    fixture.saver.markDirty()
    fixture.release()
    let error = await #expect(throws: RestorationError.self) {
      try await fixture.saver.shutDown()
    }
    #expect(error?.code == .applicationReleased)
    #expect(fixture.failures == [.applicationReleased] && fixture.saver.isDirty)
  }

  @Test
  func `A shutdown succeeds when everything was saved before the app was released`() async throws {
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

  @Test func `A shutdown throws when the last write of a released app failed`() async throws {
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
