import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// A coordinator is called at unusual times, or more than once.
@MainActor
@Suite struct `A coordinator over its lifetime` {
  private let store = InMemoryStateStore()

  private func coordinator() throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version("1"))
  }

  private func saveState() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let box = Box("box")
    box.setChildren([Page("a", note: "saved"), Page("tab", note: "saved")])
    try await coordinator.save(TestApp(root: box))
  }

  private func builtApp() -> TestApp {
    let root = Box("box")
    root.setChildren([Page("a")])
    return TestApp(root: root)
  }

  @Test func `A coordinator prepares once for two calls at the same time`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    async let first = coordinator.prepare()
    async let second = coordinator.prepare()
    let refusals = await (first, second)
    #expect(refusals.0 == nil && refusals.1 == nil)
    #expect(await coordinator.launch(TestApp.standard()).outcome == .restored)
    #expect(!store.isMarked)
  }

  @Test func `A coordinator that is prepared again after a restore still saves`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    let app = TestApp.standard()
    await coordinator.launch(app)
    #expect(await coordinator.prepare() == nil)
    #expect(!store.isMarked)
    let report = try await coordinator.save(app)
    #expect(report.outcome == .saved)
  }

  // Row 37: unclaimed records of a state are discarded with it.
  @Test func `A state that is discarded after the restore leaves nothing for the next save`()
    async throws
  {
    try await saveState()
    let coordinator = try coordinator()
    let app = builtApp()
    let report = await coordinator.launch(app)
    #expect(report.diagnostics.map(\.code) == [.notFound], "the tab does not exist")
    try await coordinator.discard()
    let saved = try await coordinator.save(app)
    #expect(saved.diagnostics.isEmpty && saved.paths == [["box"], ["box", "a"]])
  }

  // Row 37: a state that is discarded before its restore is not restored from memory.
  @Test func `A state that is discarded before the restore is not restored`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    await coordinator.prepare()
    try await coordinator.discard()
    #expect(!store.isMarked && store.archive == nil)
    #expect(coordinator.restore(TestApp.standard()).outcome == .nothingSaved)
    let report = try await coordinator.save(TestApp.standard())
    #expect(report.outcome == .saved)
  }

  // Row 36: the mark of a good restore must not count against the state that is saved after it.
  @Test func `A save fails while the mark of the restore cannot be removed`() async throws {
    try await saveState()
    let coordinator = try coordinator()
    let app = TestApp.standard()
    let full = RestorationError(.storeUnavailable, "The disk is full; make room.")
    app.onFinish = { _ in store.failure = full }
    #expect(await coordinator.launch(app).diagnostics.map(\.code) == [.storeFailed])
    let before = store.archive
    let error = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
    #expect(error?.message == "The disk is full; make room.")
    store.failure = nil
    #expect(store.archive == before && store.isMarked)
    try await coordinator.save(app)
    #expect(!store.isMarked)
    let next = await (try self.coordinator()).launch(TestApp.standard())
    #expect(next.outcome == .restored)
  }

  // Row 8.
  @Test func `A report distinguishes a rescued object from a contained one`() async throws {
    let (page, pruned, rescued) = (Page("page"), Box(nil), Page("rescued"))
    pruned.setChildren([rescued])
    page.friend = rescued
    let box = Box("box")
    box.setChildren([page, pruned])
    let coordinator = try coordinator()
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: box))
    #expect(report.objects.map(\.disposition) == [.saved, .saved, .rescued])
    #expect(report.description.contains("Page#rescued: rescued"))
  }

  // A migration removes a record that the index refers to.
  @Test func `A restore uses the records that a migration has left`() async throws {
    try await saveState()
    let plan = try MigrationPlan(
      programVersion: try BundleVersion("2"),
      steps: [
        .init(
          from: try BundleVersion("1"), to: try BundleVersion("2"),
          edits: [
            .editDocument("take the first page away") { document in
              let pages = try document.objectIDs(ofType: "KeepsakeRestorationTests.Page")
              try document.remove(try #require(pages.first), replacingReferencesWith: nil)
            }
          ])
      ])
    let coordinator = RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(migration: plan))
    let app = TestApp.standard()
    let report = await coordinator.launch(app)
    #expect(report.outcome == .restored, "\(report)")
    #expect(app.root?.children.map(\.restorationIdentifier) == ["tab"])
    #expect((app.root?.children.first as? Page)?.note == "saved")
    #expect(report.diagnostics.map(\.code) == [.malformedRecord])
  }

  @Test(.timeLimit(.minutes(30)))
  func `An interface that contains itself does not keep a restore from ending`() async throws {
    try await saveState()
    let app = TestApp.standard()
    let stranger = Box(nil)
    app.onDecode = { _ in
      let root = try #require(app.root)
      stranger.setChildren([stranger, root])
      root.setChildren(root.children + [root, stranger, stranger])
    }
    let report = await (try coordinator()).launch(app)
    #expect(report.outcome == .restored && report.diagnostics.isEmpty, "\(report)")
    app.root?.setChildren([])
    stranger.setChildren([])
  }

  // A description of a path has a length that people can read.
  @Test func `A long path is shortened where it is shown`() async throws {
    var inner = Box(String(repeating: "x", count: 5_000))
    let root = inner
    for number in 0..<30 {
      let next = Box("box \(number)")
      inner.setChildren([next])
      inner = next
    }
    inner.setChildren([Page(nil)])
    let coordinator = try coordinator()
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: root))
    let first = try #require(report.objects.first?.path)
    #expect(first.identifier.count == 5_000 && first.description.count == 83)
    let last = try #require(report.objects.last?.path)
    #expect(last.count == 31 && last.components.count == 31)
    #expect(last.description.hasPrefix("[…, box 10, ") && last.description.hasSuffix("box 29]"))
  }
}
