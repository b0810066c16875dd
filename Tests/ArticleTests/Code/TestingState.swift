import Keepsake
import KeepsakeTesting
import Testing

final class TodoController: HeadlessViewController {
  @Saved var items: [String] = []
}

final class TodoApp: RestorationDelegate {
  let list = TodoController(restorationIdentifier: "List")
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] {
    [window]
  }

  func willFinishLaunching() {
    window.rootController = list
  }
  func shouldSaveState(
    with coder: inout RestorationEncoder
  ) -> Bool { true }
  func shouldRestoreState(
    with coder: borrowing RestorationDecoder
  ) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

@MainActor
@Suite struct `The to-do list` {
  private func configuration(_ version: String) throws
    -> RestorationConfiguration
  {
    RestorationConfiguration(
      bundleVersion: try BundleVersion(version))
  }

  private func makeApp() -> TodoApp {
    let app = TodoApp()
    app.willFinishLaunching()
    return app
  }

  @Test func `The list is restored after a relaunch`()
    async throws
  {
    let app = makeApp()
    app.list.items = ["Milk"]
    let relaunch = try await relaunch(
      app, configuration: configuration("1.0")
    ) { TodoApp() }
    #expect(relaunch.restoreReport.outcome == .restored)
    #expect(relaunch.app.list.items == ["Milk"])
  }

  @Test func `The list is empty in a later version`()
    async throws
  {
    let app = makeApp()
    app.list.items = ["Milk"]
    let relaunch = try await relaunch(
      app, configuration: configuration("1.0"),
      nextConfiguration: configuration("2.0")
    ) { TodoApp() }
    #expect(relaunch.app.list.items == [])
    let outcome = relaunch.restoreReport.outcome
    guard case .refused(.version(let error)) = outcome
    else {
      Issue.record(
        "The state of version 1.0 was not refused.")
      return
    }
    #expect(error.code == .stale)
  }

  @Test func `The list is not lost when the disk is full`()
    async throws
  {
    let store = InMemoryStateStore()
    let app = makeApp()
    let coordinator = RestorationCoordinator(
      store: store, configuration: try configuration("1.0"))
    await coordinator.prepare()

    store.failure = RestorationError(
      .storeUnavailable,
      "The disk is full; free some space.")
    await #expect(throws: RestorationError.self) {
      try await coordinator.save(app)
    }

    store.failure = nil
    app.list.items = ["Milk"]
    try await coordinator.save(app)
    #expect(store.archive != nil)
  }

  @Test func `The list is saved once a second at most`()
    async throws
  {
    let store = InMemoryStateStore()
    let clock = ManualClock()
    let app = makeApp()
    let coordinator = RestorationCoordinator(
      store: store, configuration: try configuration("1.0"))
    await coordinator.prepare()
    var saveCount = 0
    let saver = StateSaver(
      coordinator, of: app, clock: clock
    ) { event in
      if case .saved = event { saveCount += 1 }
    }

    app.list.items = ["Milk"]
    try await saver.save()
    #expect(saveCount == 1)

    app.list.items.append("Bread")
    #expect(!saver.isUpToDate)
    while clock.sleeperCount == 0 { await Task.yield() }

    clock.advance(by: .seconds(1))
    while !saver.isUpToDate { await Task.yield() }
    #expect(saveCount == 2)
    try await saver.shutDown()
  }
}
