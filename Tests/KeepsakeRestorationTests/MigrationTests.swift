import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `A state that an older version saved` {
  private let store = InMemoryStateStore()

  /// Version 11 saves a stack of pages; one page holds a box with a page that refers to another page.
  private func saveState() async throws -> SaveReport {
    let coordinator = RestorationCoordinator(store: store, gate: try .version("11.0"))
    await coordinator.prepare()
    let (first, inner) = (Page("first", note: "one"), Page("inner", note: "two"))
    inner.friend = first
    first.friend = inner
    let box = Box("box", note: "box")
    box.setChildren([inner])
    let stack = HeadlessNavigationController(restorationIdentifier: "n")
    stack.setChildren([first, box])
    return try await coordinator.save(TestApp(root: stack))
  }

  private func coordinator(_ edits: MigrationEdit...) throws -> RestorationCoordinator {
    let plan = try MigrationPlan(
      programVersion: try BundleVersion("12"),
      steps: [.init(from: try BundleVersion("11"), to: try BundleVersion("12"), edits: edits)])
    return RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(migration: plan))
  }

  @Test func `A migrated state is restored in the order in which it was saved`() async throws {
    let saved = try await saveState()
    let before = store.archive
    let coordinator = try coordinator(
      .editObjects("shout") { record in
        record.convertValue(forKey: "note") { _ in .string("LOUD") }
      },
      .editDocument("add a number to each page") { document in
        for id in try document.objectIDs(ofType: "Page") {
          let extra = try document.insert(DynamicRecord(typeName: "Extra"))
          try document.update(id) { $0["extra"] = .reference(extra) }
        }
      })
    let app = TestApp.standard()
    let report = await coordinator.launch(app)
    #expect(report.outcome == .restored, "\(report)")
    let restored = report.objects.filter { $0.disposition == .restored }.map(\.path.components)
    #expect(restored == saved.paths)
    let stack = try #require(app.root)
    let box = try #require(stack.children.last as? Box)
    let inner = try #require(box.children.first as? Page)
    #expect(inner.note == "LOUD" && box.note == "LOUD")
    #expect(inner.friend === stack.children.first)
    #expect(coordinator.migrationReport?.steps[0].changedCount ?? 0 > 0)
    #expect(store.archive == before)
    try await coordinator.save(app)
    let bytes = try #require(store.archive)
    #expect(try Archive(bytes).reserved.bundleVersion == "12")
    #expect(store.setAside.isEmpty)
  }

  /// Fails to write the mark of a restore.
  private final class UnmarkedStore: RestorationStore {
    private let archive: [UInt8]

    init(_ archive: [UInt8]) { self.archive = archive }

    nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
      .archive(archive, failedLaunchCount: 0)
    }

    func beginRestoration(attempt: Int) throws(RestorationError) {
      throw RestorationError(.storeUnavailable, "The mark was not left; try again.")
    }

    nonisolated(nonsending) func save(
      _ archive: [UInt8], previous: PreviousState
    ) async throws(RestorationError) {}
    nonisolated(nonsending) func remove() async throws(RestorationError) {}
    nonisolated(nonsending) func setAside() async throws(RestorationError) -> String { "nowhere" }
    func endRestoration() throws(RestorationError) {}
  }

  @Test func `A migration is not reported when its state is refused afterwards`() async throws {
    _ = try await saveState()
    let plan = try MigrationPlan(
      programVersion: try BundleVersion("12"),
      steps: [.init(from: try BundleVersion("11"), to: try BundleVersion("12"), edits: [])])
    let coordinator = RestorationCoordinator(
      store: UnmarkedStore(try #require(store.archive)),
      configuration: RestorationConfiguration(migration: plan))
    guard case .storeUnavailable = await coordinator.prepare() else {
      Issue.record("a store without a mark was used")
      return
    }
    #expect(coordinator.migrationReport == nil)
  }

  @Test func `A state is not restored when a step fails, and is set aside by the next save`()
    async throws
  {
    _ = try await saveState()
    let before = try #require(store.archive)
    let coordinator = try coordinator(.editObjects("fail") { _ in throw TestFailure() })
    let (report, calls) = await CallLog.record { log in
      (await coordinator.launch(TestApp.standard()), log.calls)
    }
    guard case .refused(.version(let error)) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(error.code == .stepFailed && error.message == "test failure")
    #expect(calls == ["willFinishLaunching", "didFinishLaunching"])
    #expect(store.archive == before && coordinator.migrationReport == nil)
    try await coordinator.save(TestApp(root: Page("a")))
    #expect(store.setAside == [before])
  }

  @Test(arguments: [true, false])
  func `The next save keeps a refused state only if the configuration says so`(isKept: Bool)
    async throws
  {
    _ = try await saveState()
    let before = try #require(store.archive)
    var configuration = RestorationConfiguration(gate: try .version("12"))
    configuration.keepsRefusedState = isKept
    let coordinator = RestorationCoordinator(store: store, configuration: configuration)
    _ = await coordinator.launch(TestApp.standard())
    #expect(store.archive == before)
    try await coordinator.save(TestApp(root: Page("a")))
    try await coordinator.save(TestApp(root: Page("a")))
    #expect(store.setAside == (isKept ? [before] : []))
  }
}
