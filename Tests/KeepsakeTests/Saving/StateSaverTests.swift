import KeepsakeTesting
import Testing

import Keepsake

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `Saving in time` {
  private static let full = RestorationError(.storeUnavailable, "The disk is full.")

  // Row 31.
  @Test
  func `A saver saves soon after a mark, and saves all marks of one turn together`() async throws {
    let fixture = try await SaverFixture()
    for _ in 0..<5 { fixture.change() }
    #expect(fixture.saver.isDirty && fixture.store.archive == nil)
    await fixture.until { fixture.log.saved == 1 }
    #expect(try fixture.savedVersion() == 5)
    #expect(!fixture.saver.isDirty)
  }

  @Test func `A saver saves marked changes at most once in an interval`() async throws {
    let fixture = try await SaverFixture()
    fixture.change()
    await fixture.until { fixture.log.saved == 1 && fixture.clock.sleeperCount == 1 }
    fixture.change()
    fixture.clock.advance(by: .milliseconds(999))
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.log.saved == 1 && fixture.saver.isDirty)
    fixture.clock.advance(by: .milliseconds(1))
    await fixture.until { fixture.log.saved == 2 }
    #expect(try fixture.savedVersion() == 2)
    // Nothing is new, so nothing is saved.
    await fixture.until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .seconds(10))
    await fixture.until { fixture.clock.sleeperCount == 0 }
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.log.events.count == 2)
  }

  @Test func `A save contains the state at the time of the call`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    fixture.app.version = 7
    let save = Task { try await fixture.saver.save() }
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    fixture.app.version = 8
    fixture.store.finishWrite()
    try await save.value
    #expect(try fixture.savedVersion() == 7)
  }

  @Test
  func `A saver skips an overtaken state, and its caller waits for the newer one`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    var tasks: [Task<Void, any Error>] = []
    for version in 1...4 {
      fixture.app.version = version
      let before = fixture.log.overtaken
      tasks.append(Task { try await fixture.saver.save() })
      await fixture.until {
        fixture.store.waitingWriteCount == 1
          && (version < 3 || fixture.log.overtaken == before + 1)
      }
    }
    fixture.store.finishWrite()
    await fixture.until { fixture.log.saved == 1 && fixture.store.waitingWriteCount == 1 }
    #expect(try fixture.savedVersion() == 1)
    fixture.store.finishWrite()
    for task in tasks { try await task.value }
    #expect(try fixture.savedVersion() == 4)
    #expect(fixture.log.saved == 2 && fixture.log.overtaken == 2)
  }

  @Test func `A saver reports a failed save, and tries again with the next mark, save or interval`()
    async throws
  {
    let fixture = try await SaverFixture()
    fixture.store.failure = Self.full
    await #expect(throws: Self.full) { try await fixture.saver.save() }
    #expect(fixture.log.events == [.failed(Self.full)] && fixture.saver.isDirty)
    await fixture.until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .seconds(1))
    await fixture.until { fixture.log.failures == 2 }
    fixture.store.failure = nil
    await fixture.until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .seconds(1))
    await fixture.until { fixture.log.saved == 1 }
    #expect(try fixture.savedVersion() == 0 && !fixture.saver.isDirty)
  }

  @Test func `A saver reports an app that cannot be encoded, and continues`() async throws {
    let fixture = try await SaverFixture()
    fixture.app.encodingFailure = Self.full
    fixture.change()
    await fixture.until { fixture.log.failures == 1 }
    #expect(fixture.saver.isDirty)
    fixture.app.encodingFailure = nil
    try await fixture.saver.save()
    #expect(try fixture.savedVersion() == 1)
  }

  @Test func `A saver does not try again when saving is off for the launch`() async throws {
    let store = InMemoryStateStore()
    store.failure = RestorationError(.keyUnavailable, "The key is locked.")
    let gate = VersionGate(programVersion: try BundleVersion("1"), policy: .exactly)
    let coordinator = RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(gate: gate))
    await coordinator.prepare()
    let (app, clock) = (VersionedApp(), ManualClock())
    var events: [SaveEvent] = []
    let saver = StateSaver(coordinator, of: app, clock: clock) { events.append($0) }
    saver.markDirty()
    while events.isEmpty { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(clock.sleeperCount == 0 && events.count == 1)
    let error = await #expect(throws: RestorationError.self) { try await saver.shutDown() }
    #expect(error?.code == .saveRefused)
  }

  @Test func `A saver does not try again when its coordinator is not prepared`() async throws {
    let gate = VersionGate(programVersion: try BundleVersion("1"), policy: .exactly)
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: RestorationConfiguration(gate: gate))
    let (app, clock) = (VersionedApp(), ManualClock())
    var events: [SaveEvent] = []
    let saver = StateSaver(coordinator, of: app, clock: clock) { events.append($0) }
    saver.markDirty()
    while events.isEmpty { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(clock.sleeperCount == 0 && events.count == 1)
    guard case .failed(let error)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(error.code == .notPrepared)
  }

  @Test
  func `A saver holds marks until the restore is complete, and reports no failure`() async throws {
    let fixture = try await SaverFixture()
    fixture.coordinator.extendRestoration()
    fixture.change()
    await fixture.until { fixture.clock.sleeperCount == 1 }
    #expect(fixture.log.events == [] && fixture.saver.isDirty)
    try fixture.coordinator.completeRestoration()
    fixture.clock.advance(by: .seconds(1))
    await fixture.until { fixture.log.saved == 1 }
    #expect(try fixture.savedVersion() == 1)
  }

  @Test func `A saver removes the state when the app declines to save`() async throws {
    let fixture = try await SaverFixture()
    try await fixture.saver.save()
    fixture.app.declines = true
    try await fixture.saver.save()
    #expect(fixture.store.archive == nil && fixture.log.saved == 2)
  }

  @Test func `A change during the encoding is saved by another save`() async throws {
    let fixture = try await SaverFixture()
    fixture.app.screen.onEncode = {
      fixture.app.screen.onEncode = {}
      fixture.saver.markDirty()
    }
    fixture.change()
    await fixture.until { fixture.log.saved == 1 && fixture.clock.sleeperCount == 1 }
    #expect(fixture.saver.isDirty)
    fixture.clock.advance(by: .seconds(1))
    await fixture.until { fixture.log.saved == 2 }
  }
}
