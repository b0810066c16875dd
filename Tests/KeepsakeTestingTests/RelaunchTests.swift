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

  private func configuration(_ version: String) throws -> RestorationConfiguration {
    RestorationConfiguration(bundleVersion: try BundleVersion(version))
  }

  @Test func `The state of an app is restored in a new app, again and again`() async throws {
    var app = CounterApp()
    app.willFinishLaunching()
    for count in 1...3 {
      app.counter?.count += 1
      let relaunch = try await relaunch(
        app, store: store, configuration: try configuration("1")
      ) { CounterApp() }
      #expect(relaunch.saveReport.outcome == .saved && relaunch.restoreReport.outcome == .restored)
      #expect(relaunch.app !== app)
      app = relaunch.app
      #expect(app.counter?.count == count)
    }
  }

  @Test func `A relaunch throws the failure of the store`() async throws {
    let failure = RestorationError(.storeUnavailable, "The disk is full; free some space.")
    store.failure = failure
    let app = CounterApp()
    app.willFinishLaunching()
    await #expect(throws: failure) {
      try await relaunch(
        app, store: store, configuration: try configuration("1")
      ) { CounterApp() }
    }
  }

  /// A note that an app keeps beside its interface.
  final class Note: RestorableObject {
    var restorationIdentifier: String?
    var restorationParent: (any RestorableObject)? { nil }
    var text = ""

    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      coder.encode(text, forKey: "text")
    }

    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      text = try coder.decode(String.self, forKey: "text")
    }
  }

  /// An app that has a note, and registers it when it is asked whether to restore.
  final class NoteApp: RestorationDelegate {
    let note = Note()
    var restorationWindows: [any RestorationWindow] { [] }
    func willFinishLaunching() {}
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool {
      try coder.register(note, identifier: "note")
      return true
    }
    func didFinishLaunching(_ report: RestoreReport) {}
  }

  @Test func `A relaunch restores registered objects`() async throws {
    let app = NoteApp()
    app.note.text = "saved"
    let relaunch = try await relaunch(
      app, configuration: try configuration("1"),
      registering: { coordinator throws(RestorationError) in
        try coordinator.register(app.note, identifier: "note")
      }
    ) { NoteApp() }
    #expect(relaunch.saveReport.objects.map(\.path.components) == [["note"]])
    #expect(relaunch.app.note.text == "saved")
  }

  @Test
  func `A relaunch registers objects with a coordinator that has found no state`() async throws {
    let app = NoteApp()
    _ = try await relaunch(
      app, store: store, configuration: try configuration("1"), registering: { _ in }
    ) { NoteApp() }
    _ = try await relaunch(
      app, store: store, configuration: try configuration("1"),
      registering: { coordinator in
        #expect(coordinator.restore(app).outcome == .nothingSaved)
      }
    ) { NoteApp() }
  }

  @Test func `A relaunch throws the error of a registration`() async throws {
    let app = NoteApp()
    let error = await #expect(throws: RestorationError.self) {
      try await relaunch(
        app, configuration: try configuration("1"),
        registering: { coordinator throws(RestorationError) in
          try coordinator.register(app.note, identifier: "")
        }
      ) { NoteApp() }
    }
    #expect(error?.code == .invalidRegistration)
  }

  @Test func `A relaunch saves within the budget of its configuration`() async throws {
    let app = CounterApp()
    app.willFinishLaunching()
    var configuration = try configuration("1")
    configuration.budget = RestorationBudget(objectByteCount: 1)
    let relaunch = try await relaunch(app, configuration: configuration) { CounterApp() }
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.shed])
  }

  @Test(arguments: [true, false])
  func `A relaunch opens the state by the policy of the next version`(isOpen: Bool) async throws {
    let app = CounterApp()
    app.willFinishLaunching()
    app.counter?.count = 7
    let next = RestorationConfiguration(
      bundleVersion: try BundleVersion("2"),
      versionPolicy: isOpen ? .atLeast(try BundleVersion("1")) : .exactly)
    let relaunch = try await relaunch(
      app, configuration: try configuration("1"), nextConfiguration: next
    ) { CounterApp() }
    #expect(relaunch.app.counter?.count == (isOpen ? 7 : 0))
    if !isOpen {
      guard case .refused(.version(let error)) = relaunch.restoreReport.outcome else {
        Issue.record("\(relaunch.restoreReport)")
        return
      }
      #expect(error.code == .stale)
    }
  }
}
