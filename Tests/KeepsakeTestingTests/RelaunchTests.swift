import KeepsakeTesting
import Testing

import Keepsake

@MainActor
@Suite struct `The relaunch helper` {
  final class CounterController: HeadlessViewController {
    var count = 0

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(count, forKey: "count")
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      count = try coder.decode(Int.self, forKey: "count")
    }
  }

  final class CounterApp: RestorationDelegate {
    let window = HeadlessWindow()
    var counter: CounterController? { window.rootController as? CounterController }
    var restorationWindows: [any RestorationWindow] { [window] }

    func willFinishLaunching() {
      window.rootController = CounterController(restorationIdentifier: "Counter")
    }

    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
    func didFinishLaunching(_ report: RestoreReport) {}
  }

  private let store = InMemoryStateStore()

  private func gate(_ version: String) throws -> VersionGate {
    VersionGate(programVersion: try BundleVersion(version), policy: .exactly)
  }

  @Test func `carries an app's state over to a new app, again and again`() async throws {
    var app = CounterApp()
    app.willFinishLaunching()
    for count in 1...3 {
      app.counter?.count += 1
      let relaunch = try await relaunch(app, store: store, gate: try gate("1")) { CounterApp() }
      #expect(relaunch.saveReport.outcome == .saved && relaunch.restoreReport.outcome == .restored)
      #expect(relaunch.app !== app)
      app = relaunch.app
      #expect(app.counter?.count == count)
    }
  }

  @Test func `throws what the store is told to fail with`() async throws {
    let failure = RestorationError(.storeUnavailable, "The disk is full; free some space.")
    store.failure = failure
    let app = CounterApp()
    app.willFinishLaunching()
    await #expect(throws: failure) {
      try await relaunch(app, store: store, gate: try gate("1")) { CounterApp() }
    }
  }
}
