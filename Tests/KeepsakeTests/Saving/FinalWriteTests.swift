import KeepsakeTesting
import Testing

@testable import Keepsake

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `The last write of a saver` {
  private static let full = RestorationError(.storeUnavailable, "The disk is full.")

  @Test func `There is no final write when everything has reached the store`() async throws {
    let fixture = try await SaverFixture()
    #expect(fixture.hasNothingToWrite)
    try await fixture.saver.save()
    #expect(fixture.hasNothingToWrite && !fixture.saver.isShutDown)
  }

  @Test func `The final write contains the state at the time of the call, and ends the saver`()
    async throws
  {
    let fixture = try await SaverFixture()
    fixture.change()
    fixture.app.version = 5
    let write = try #require(fixture.saver.finalWrite())
    fixture.app.version = 6
    #expect(await write.run() == nil)
    #expect(try fixture.savedVersion() == 5)
    #expect(fixture.saver.isShutDown && !fixture.saver.isDirty)
    #expect(fixture.log.events == [])
    write.report(nil)
    #expect(fixture.log.saved == 1)
    for _ in 0..<100 { await Task.yield() }
    #expect(try fixture.savedVersion() == 5 && fixture.log.events.count == 1)
  }

  @Test func `The final write is made while another write is under way`() async throws {
    let fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    fixture.app.version = 1
    let save = Task { try await fixture.saver.save() }
    await fixture.until { fixture.store.waitingWriteCount == 1 }
    fixture.app.version = 2
    let write = try #require(fixture.saver.finalWrite())
    fixture.store.holdsWrites = false
    try await save.value
    #expect(await write.run() == nil)
    #expect(try fixture.savedVersion() == 2)
  }

  @Test func `The final write completes a pending discard, unless a change was marked after it`()
    async throws
  {
    for isMarked in [false, true] {
      let fixture = try await SaverFixture()
      try await fixture.saver.save()
      fixture.store.holdsWrites = true
      let discard = Task { try await fixture.saver.discard() }
      await fixture.until { fixture.store.waitingWriteCount == 1 }
      if isMarked { fixture.change() }
      let write = try #require(fixture.saver.finalWrite())
      fixture.store.holdsWrites = false
      try await discard.value
      #expect(await write.run() == nil)
      #expect(try fixture.savedVersion() == (isMarked ? 1 : nil))
    }
  }

  @Test
  func `The final write removes the saved state when the app declines to save`() async throws {
    let fixture = try await SaverFixture()
    try await fixture.saver.save()
    #expect(try fixture.savedVersion() == 0)
    fixture.app.declines = true
    fixture.saver.markDirty()
    let write = try #require(fixture.saver.finalWrite())
    #expect(await write.run() == nil)
    #expect(fixture.store.archive == nil)
  }

  @Test func `The final write reports its failure`() async throws {
    let fixture = try await SaverFixture()
    fixture.change()
    fixture.store.failure = Self.full
    let write = try #require(fixture.saver.finalWrite())
    #expect(await write.run() == Self.full)
    write.report(Self.full)
    #expect(fixture.log.events == [.failed(Self.full)])
  }

  @Test func `There is no final write when the app cannot be encoded, and the failure is reported`()
    async throws
  {
    let fixture = try await SaverFixture()
    fixture.app.encodingFailure = Self.full
    fixture.change()
    #expect(fixture.hasNothingToWrite)
    #expect(fixture.log.failures == 1 && fixture.saver.isDirty)
  }

  @Test
  func `The final write keeps a damaged state under another name, as any save does`() async throws {
    try await TemporaryDirectory.with { directory in
      let version = try BundleVersion("1")
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let coordinator = RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(bundleVersion: version))
      await coordinator.prepare()
      let app = VersionedApp()
      let saver = StateSaver(coordinator, of: app)
      saver.markDirty()
      let write = try #require(saver.finalWrite())
      #expect(await write.run() == nil)
      #expect(try directory.names() == ["key", "state.keepsake", "state.keepsake.damaged-1"])
    }
  }
}

extension SaverFixture {
  /// True when a process that ends now has nothing left to write.
  fileprivate var hasNothingToWrite: Bool {
    if case nil = saver.finalWrite() { true } else { false }
  }
}
