import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Row 36: a state that ends the app as soon as it is shown is not restored in every launch.
@MainActor
@Suite struct `The mark of a launch` {
  private let store = InMemoryStateStore()

  private func coordinator(
    awaitsFirstFrame: Bool = false, failedLaunchLimit: Int = 1
  ) throws -> RestorationCoordinator {
    var configuration = RestorationConfiguration(
      bundleVersion: try BundleVersion("1"), failedLaunchLimit: failedLaunchLimit)
    configuration.awaitsFirstFrame = awaitsFirstFrame
    return RestorationCoordinator(store: store, configuration: configuration)
  }

  private func saveState(note: String = "saved") async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    try await coordinator.save(TestApp(root: Page("a", note: note)))
  }

  /// An app that notes whether the store has the mark when `didFinishLaunching` is called.
  private func app(_ onFinish: @escaping () -> Void) -> TestApp {
    let app = TestApp.standard()
    app.onFinish = { _ in onFinish() }
    return app
  }

  // Row 36.
  @Test func `The mark of a launch stays until didFinishLaunching has returned`() async throws {
    try await saveState()
    var isMarked = false
    let report = await (try coordinator()).launch(app { isMarked = store.isMarked })
    #expect(report.outcome == .restored && isMarked && !store.isMarked)
  }

  // Row 36.
  @Test
  func `The mark stays until the first frame where the app has said that it draws one`()
    async throws
  {
    try await saveState()
    let coordinator = try coordinator(awaitsFirstFrame: true)
    let app = TestApp.standard()
    await coordinator.launch(app)
    #expect(store.isMarked)
    try await coordinator.save(app)
    #expect(store.isMarked, "a save before the first frame leaves the mark")
    coordinator.didDrawFirstFrame()
    #expect(!store.isMarked)
    coordinator.didDrawFirstFrame()
    try await coordinator.save(app)
    #expect(await (try self.coordinator()).launch(TestApp.standard()).outcome == .restored)
  }

  @Test
  func `The mark stays over a first frame that is drawn within didFinishLaunching`() async throws {
    try await saveState()
    let coordinator = try coordinator(awaitsFirstFrame: true)
    var isMarked = false
    await coordinator.launch(
      app {
        coordinator.didDrawFirstFrame()
        isMarked = store.isMarked
      })
    #expect(isMarked && !store.isMarked)
  }

  @Test func `A state that was saved before a frame that was never drawn is set aside`()
    async throws
  {
    try await saveState()
    let dying = try coordinator(awaitsFirstFrame: true)
    let app = TestApp.standard()
    await dying.launch(app)
    (app.root as? Page)?.note = "deadly"
    try await dying.save(app)
    let deadly = try #require(store.archive)
    let report = await (try coordinator()).launch(TestApp.standard())
    guard case .refused(.interrupted(let reason)) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(reason.contains("ended while restoring the saved state or before it was shown"))
    #expect(store.setAside == [deadly] && store.archive == nil && !store.isMarked)
  }

  @Test
  func `The mark counts launches that ended before their first frame up to the limit`()
    async throws
  {
    try await saveState()
    for _ in 0..<2 {
      let dying = try coordinator(awaitsFirstFrame: true, failedLaunchLimit: 3)
      let app = TestApp.standard()
      #expect(await dying.launch(app).outcome == .restored)
      try await dying.save(app)
    }
    let third = try coordinator(awaitsFirstFrame: true, failedLaunchLimit: 3)
    #expect(await third.launch(TestApp.standard()).outcome == .restored)
    let fourth = try coordinator(failedLaunchLimit: 3)
    guard case .refused(.interrupted) = await fourth.launch(TestApp.standard()).outcome else {
      Issue.record("the state was restored a fourth time")
      return
    }
  }

  @Test(arguments: [true, false])
  func `The mark is removed at once where nothing was restored`(opensLink: Bool) async throws {
    try await saveState()
    var isMarked = true
    let app = app { isMarked = store.isMarked }
    app.shouldRestore = { _ in false }
    await (try coordinator(awaitsFirstFrame: true)).launch(app, opensLink: opensLink)
    #expect(!isMarked && store.archive != nil)
  }

  @Test(.timeLimit(.minutes(30)))
  func `The mark stays for the turn in which an app restores by hand`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    #expect(coordinator.restore(TestApp.standard()).outcome == .restored)
    #expect(store.isMarked, "didFinishLaunching is called next")
    while store.isMarked { await Task.yield() }
  }

  @Test func `A save in the turn of a restore by hand ends the launch`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    let app = TestApp.standard()
    #expect(coordinator.restore(app).outcome == .restored && store.isMarked)
    _ = try coordinator.encode(app)
    #expect(!store.isMarked)
  }

  @Test func `The mark stays when an extension ends before the first frame`() async throws {
    try await saveState()
    let coordinator = try coordinator(awaitsFirstFrame: true)
    let app = TestApp.standard()
    app.onDecode = { $0.extendRestoration() }
    await coordinator.launch(app)
    try coordinator.completeRestoration()
    #expect(store.isMarked)
    coordinator.didDrawFirstFrame()
    #expect(!store.isMarked)
  }

  @Test func `A mark without an archive has no effect`() async throws {
    try store.beginRestoration(attempt: 1)
    try await saveState()
    #expect(!store.isMarked)
    #expect(await (try coordinator()).launch(TestApp.standard()).outcome == .restored)
  }

  // A discard that fails leaves everything as it was.
  @Test func `The mark and the prepared state stay when a discard fails`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    store.failure = RestorationError(.storeUnavailable, "The disk is full; make room.")
    let failure = await #expect(throws: RestorationError.self) { try await coordinator.discard() }
    #expect(failure?.code == .storeUnavailable)
    store.failure = nil
    #expect(store.isMarked && store.archive != nil)
    let app = TestApp.standard()
    #expect(await coordinator.launch(app).outcome == .restored)
    #expect((app.root as? Page)?.note == "saved" && !store.isMarked)
    try await coordinator.save(app)
  }

  @Test func `A discard that fails after a restore found nothing leaves no mark`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    store.holdsWrites = true
    let discard = Task { try await coordinator.discard() }
    while store.waitingWriteCount == 0 { await Task.yield() }
    let app = TestApp(root: Page("b"))
    #expect(coordinator.restore(app).outcome == .nothingSaved)
    store.finishWrite(failingWith: RestorationError(.storeUnavailable, "The disk is full."))
    let failure = await #expect(throws: RestorationError.self) { try await discard.value }
    #expect(failure?.message == "The disk is full.")
    store.holdsWrites = false
    try await coordinator.save(app)
    #expect(await (try self.coordinator()).launch(TestApp.standard()).outcome == .restored)
  }
}
