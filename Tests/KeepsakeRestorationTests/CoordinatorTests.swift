import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `The coordinator` {
  private let store = InMemoryStateStore()

  private func coordinator(
    version: String = "11.0", _ policy: VersionPolicy = .exactly
  ) throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version(version, policy))
  }

  private func saveState(note: String = "saved") async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    try await coordinator.save(TestApp(root: Page("a", note: note)))
  }

  /// Launches the standard app and gives its report with the calls that it got.
  private func launch(
    _ coordinator: RestorationCoordinator
  ) async -> (report: RestoreReport, calls: [String]) {
    await CallLog.record { log in (await coordinator.launch(TestApp.standard()), log.calls) }
  }

  private static let untouchedCalls = ["willFinishLaunching", "didFinishLaunching"]

  @Test func `A coordinator finds nothing at the first launch`() async throws {
    let (report, calls) = await launch(try coordinator())
    #expect(report.outcome == .nothingSaved && calls == Self.untouchedCalls)
    #expect(!store.isMarked)
  }

  // Row 3.
  @Test
  func `A stale version is refused before the app is called, and the archive stays`() async throws {
    try await saveState()
    let before = store.archive
    let (report, calls) = await launch(try coordinator(version: "12.0"))
    guard case .refused(.version(let error)) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(error.code == .stale)
    #expect((error.archiveVersion, error.programVersion) == ("11.0", "12.0"))
    #expect(calls == Self.untouchedCalls && store.archive == before && !store.isMarked)
  }

  // Scenario 67.
  @Test func `An older version that the policy allows is restored`() async throws {
    try await saveState()
    let policy = VersionPolicy.atLeast(try BundleVersion("10"))
    #expect(await launch(try coordinator(version: "12.0", policy)).report.outcome == .restored)
  }

  @Test func `A damaged archive is refused, and set aside when a save replaces it`() async throws {
    try await saveState()
    let damaged = Array(try #require(store.archive).dropLast(3))
    try await store.save(damaged, previous: .replace)
    let coordinator = try coordinator()
    let (report, calls) = await launch(coordinator)
    guard case .refused(.damaged) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(calls == Self.untouchedCalls && store.archive == damaged)
    try await coordinator.save(TestApp(root: Page("a")))
    try await coordinator.save(TestApp(root: Page("a")))
    #expect(store.setAside == [damaged] && store.archive != damaged)
  }

  // Row 33.
  @Test(arguments: [RestorationError.Code.keyUnavailable, .storeUnavailable])
  func `A state that could not be read is neither restored nor overwritten`(
    code: RestorationError.Code
  ) async throws {
    try await saveState()
    let before = store.archive
    store.failure = RestorationError(code, "The key file is locked; unlock it.")
    let coordinator = try coordinator()
    let (report, calls) = await launch(coordinator)
    guard case .refused = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(calls == Self.untouchedCalls)
    store.failure = nil
    let error = await #expect(throws: RestorationError.self) {
      try await coordinator.save(TestApp(root: Page("a", note: "new")))
    }
    #expect(error?.code == .saveRefused)
    #expect(error?.message.hasSuffix("The key file is locked; unlock it.") == true)
    #expect(store.archive == before)
  }

  // Row 36.
  @Test func `A state that ended a launch is not restored twice`() async throws {
    try await saveState()
    let archive = try #require(store.archive)
    await (try coordinator()).prepare()
    #expect(store.isMarked, "The launch died here, in the middle of its restore.")

    let (report, calls) = await launch(try coordinator())
    guard case .refused(.interrupted) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(calls == Self.untouchedCalls && store.setAside == [archive])
    #expect(await launch(try coordinator()).report.outcome == .nothingSaved)
  }

  @Test
  func `A coordinator does not take its own mark for an earlier failed launch`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    await coordinator.prepare()
    #expect(await launch(coordinator).report.outcome == .restored)
    #expect(store.setAside.isEmpty && !store.isMarked)
  }

  // Row 36.
  @Test func `A state is tried as often as the limit says before it is set aside`() async throws {
    try await saveState()
    for _ in 0..<2 {
      let patient = RestorationCoordinator(
        store: store, gate: try .version("11.0"), failedLaunchLimit: 3)
      await patient.prepare()
    }
    let third = RestorationCoordinator(
      store: store, gate: try .version("11.0"), failedLaunchLimit: 3)
    #expect(await launch(third).report.outcome == .restored)
    #expect(!store.isMarked && store.setAside.isEmpty)
  }

  // Row 38.
  @Test func `The mark stays until every extension is complete`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    coordinator.extendRestoration()
    coordinator.extendRestoration()
    #expect(await coordinator.launch(TestApp.standard()).outcome == .restored)
    try coordinator.completeRestoration()
    #expect(store.isMarked)
    let error = await #expect(throws: RestorationError.self) {
      try await coordinator.save(TestApp(root: Page("a")))
    }
    #expect(error?.code == .restorationInProgress)
    try coordinator.completeRestoration()
    try coordinator.completeRestoration()
    #expect(!store.isMarked)
    try await coordinator.save(TestApp(root: Page("a")))
  }

  // Row 38.
  @Test
  func `A state is not restored again after a launch that ended in an extension`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    coordinator.extendRestoration()
    #expect(coordinator.restore(TestApp.standard()).outcome == .restored)
    #expect(store.isMarked, "The launch died here, before its extension was complete.")
    guard case .refused(.interrupted) = await launch(try self.coordinator()).report.outcome else {
      Issue.record("the state was restored again")
      return
    }
    #expect(store.setAside.count == 1 && store.archive == nil)
  }

  // Row 1.
  @Test func `An older archive is removed when the app declines to save`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    _ = await launch(coordinator)
    let app = TestApp(root: Page("a"))
    app.shouldSave = { _ in throw TestFailure() }
    let error = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
    #expect(error?.code == .callbackFailed)
    #expect(store.archive != nil)
    app.shouldSave = { _ in false }
    #expect(try await coordinator.save(app).outcome == .declined)
    #expect(store.archive == nil)
  }

  // Row 43.
  @Test
  func `A coordinator saves only after it has restored, and restores only once`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    let app = TestApp.standard()
    #expect(coordinator.restore(app).outcome == .refused(.notPrepared))
    let unprepared = await #expect(throws: RestorationError.self) {
      try await coordinator.save(app)
    }
    #expect(unprepared?.code == .notPrepared)
    await coordinator.prepare()
    let early = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
    #expect(early?.code == .restorationInProgress)
    var nested: RestoreReport.Outcome?
    app.shouldRestore = { _ in
      nested = coordinator.restore(app).outcome
      return true
    }
    #expect(coordinator.restore(app).outcome == .restored)
    #expect(nested == .refused(.outOfTurn))
    let again = coordinator.restore(app)
    #expect(again.outcome == .refused(.outOfTurn) && again.description.contains("once in a launch"))
    try await coordinator.save(app)
    #expect(coordinator.restore(app).outcome == .refused(.outOfTurn))
  }

  // Row 31.
  @Test func `The last of several overlapping saves is kept`() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let saves = (0..<20).map { number in
      Task { try await coordinator.save(TestApp(root: Page("a", note: "\(number)"))) }
    }
    for save in saves { _ = try await save.value }
    let app = TestApp.standard()
    await (try self.coordinator()).launch(app)
    #expect((app.root as? Page)?.note == "19")
  }

  // Row 31.
  @Test func `A save waits until the save before it has reached the store`() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    store.holdsWrites = true
    let saves = (0..<3).map { number in
      Task { try await coordinator.save(TestApp(root: Page("a", note: "\(number)"))) }
    }
    for (number, save) in saves.enumerated() {
      while store.waitingWriteCount == 0 { await Task.yield() }
      for _ in 0..<100 { await Task.yield() }
      #expect(store.waitingWriteCount == 1)
      store.finishWrite()
      _ = try await save.value
      store.holdsWrites = number < 2
      let app = TestApp.standard()
      let later = InMemoryStateStore(archive: store.archive)
      await RestorationCoordinator(store: later, gate: try .version("11.0")).launch(app)
      #expect((app.root as? Page)?.note == "\(number)")
    }
  }

  @Test func `An archive that is not a saved state is reported as damaged`() async throws {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "11.0"))
    try writer.writeObject(ArchiveObjectID(1), typeName: "Other") { $0.encode(1, forKey: "kind") }
    try await store.save(try writer.finish(root: ArchiveObjectID(1)), previous: .replace)
    let (report, _) = await launch(try coordinator())
    guard case .refused(.damaged) = report.outcome else {
      Issue.record("\(report)")
      return
    }
  }

  @Test func `The same state is saved as the same bytes`() async throws {
    var archives: [[UInt8]?] = []
    for note in ["saved", "saved", "another"] {
      try await store.remove()
      try await saveState(note: note)
      archives.append(store.archive)
    }
    #expect(archives[0] == archives[1] && archives[1] != archives[2])
  }
}
