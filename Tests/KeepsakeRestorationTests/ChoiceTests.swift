import Foundation
import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// An app decides whether it saves and restores, and a state stays until the next save: rows 1 to 3, 31, 32, 34, 35,
// 37, 43 and 47; scenarios 1 to 6, 62 and 67.
@MainActor
@Suite struct `An app's own decision` {
  private let store = InMemoryStateStore()

  private func coordinator(_ version: String = "1") throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version(version))
  }

  /// Saves a page of an app that may add its own version to its coder.
  private func saveState(_ shouldSave: @escaping (inout RestorationEncoder) throws -> Bool)
    async throws
  {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let app = TestApp(root: Page("a", note: "saved"))
    app.shouldSave = shouldSave
    try await coordinator.save(app)
  }

  /// An app that builds a default page at the end of a launch that restored nothing.
  private func defaultingApp() -> TestApp {
    let app = TestApp.standard()
    app.onFinish = { app in
      if app.root == nil { app.root = Page("default") }
    }
    return app
  }

  // Row 1, scenario 1.
  @Test func `An app that saves nothing leaves no state, and is not asked whether to restore`()
    async throws
  {
    try await saveState { _ in false }
    #expect(store.archive == nil)
    let app = defaultingApp()
    let coordinator = try coordinator()
    await CallLog.record { log in
      let report = await coordinator.launch(app)
      #expect(report.outcome == .nothingSaved)
      #expect(log.calls == ["willFinishLaunching", "didFinishLaunching"])
    }
    #expect(app.root?.restorationIdentifier == "default")
  }

  // Row 1, scenario 2.
  // A program that answers only one of the questions does not compile.
  @Test func `The two questions to the delegate have no default answers`() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: package.appending(
        path: "Sources/KeepsakeRestoration/Participants/RestorationDelegate.swift"),
      encoding: .utf8)
    let parts = source.components(separatedBy: "extension RestorationDelegate {")
    #expect(parts.count == 2)
    for question in ["shouldSaveState", "shouldRestoreState"] {
      #expect(parts.first?.contains("func \(question)(") == true)
      #expect(parts.last?.contains("func \(question)(") == false)
    }
  }

  // Row 2.
  // Two calls write to the app's coder and two others read it; objects have coders of their own.
  @Test func `The app has a coder that is separate from those of objects`() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let app = TestApp(root: Page("a", note: "of the page"))
    app.shouldSave = { coder in
      coder.encode(1, forKey: "first")
      return true
    }
    app.willEncode = { coder in
      coder.encode(2, forKey: "second")
      coder.encode("of the app", forKey: "note")
    }
    try await coordinator.save(app)

    var read: [[Int]] = []
    var notes: [String] = []
    let next = TestApp()
    next.shouldRestore = { coder in
      read.append([
        try coder.decode(forKey: "first"), try coder.decode(forKey: "second"),
      ])
      return true
    }
    next.onDecode = { coder in
      read.append([try coder.decode(forKey: "first"), try coder.decode(forKey: "second")])
      notes.append(try coder.decode(forKey: "note"))
    }
    next.make = { _ in
      let page = Page()
      page.onDecode = { coder in
        let isShared = coder.contains("first") || coder.contains("second")
        #expect(!isShared)
        notes.append(try coder.decode(forKey: "note"))
      }
      return page
    }
    let report = await (try self.coordinator()).launch(next)
    #expect(read == [[1, 2], [1, 2]] && notes == ["of the page", "of the app"], "\(report)")
  }

  // Row 3, scenario 5.
  // The version number of source document S1, read by a later program.
  @Test
  func `An app that declines a state makes and decodes nothing, and leaves the state as it is`()
    async throws
  {
    try await saveState { coder in
      coder.encode(11.0, forKey: "MyAppVersion")
      return true
    }
    let before = store.archive
    let app = defaultingApp()
    app.shouldRestore = { try $0.decode(Float.self, forKey: "MyAppVersion") == 12 }
    let coordinator = try coordinator()
    await CallLog.record { log in
      let report = await coordinator.launch(app)
      #expect(
        report.outcome
          == .refused(.declined("Nothing was restored, because the application declined.")))
      #expect(report.objects.isEmpty)
      #expect(log.calls == ["willFinishLaunching", "shouldRestore", "didFinishLaunching"])
    }
    #expect(app.root?.restorationIdentifier == "default")
    #expect(store.archive == before && !store.isMarked)
  }

  // Scenario 67.
  @Test func `An app is not asked about a state that a later version wrote`() async throws {
    let later = try coordinator("3")
    await later.prepare()
    try await later.save(TestApp(root: Page("a")))
    let before = store.archive
    let earlier = try coordinator("1")
    await CallLog.record { log in
      let report = await earlier.launch(TestApp.standard())
      guard case .refused(.version(let error)) = report.outcome else {
        Issue.record("\(report)")
        return
      }
      #expect(error.code == .fromTheFuture)
      #expect(log.calls == ["willFinishLaunching", "didFinishLaunching"])
    }
    #expect(store.archive == before)
  }

  // Row 34.
  // A state may be purged at any time; nothing else is lost.
  @Test func `A purged state is reported like one that was never saved`() async throws {
    try await saveState { _ in true }
    try await store.remove()
    let app = defaultingApp()
    let report = await (try coordinator()).launch(app)
    #expect(report.outcome == .nothingSaved)
    #expect(app.root?.restorationIdentifier == "default")
  }

  // Row 35.
  // A restored state stays until the next save, without a mark.
  @Test func `A restored state is found again until the next save`() async throws {
    try await saveState { _ in true }
    for _ in 0..<2 {
      let app = TestApp.standard()
      let report = await (try coordinator()).launch(app)
      #expect(report.outcome == .restored)
      #expect((app.root as? Page)?.note == "saved" && !store.isMarked)
    }
  }

  // Row 37, scenario 62.
  // The user quits, or logs out.
  @Test func `An app that discards its state starts the next launch fresh`() async throws {
    try await saveState { _ in true }
    let coordinator = try coordinator()
    await coordinator.launch(TestApp.standard())
    try await coordinator.discard()
    #expect(store.archive == nil)
    let report = await (try self.coordinator()).launch(TestApp.standard())
    #expect(report.outcome == .nothingSaved)
  }

  // Row 47.
  @Test func `Each object has either its default or its restored value`() async throws {
    let box = Box("box")
    box.setChildren([Page("a", note: "saved a"), Page("b", note: "saved b")])
    let relaunch = try await relaunch(TestApp(root: box)) {
      let app = TestApp()
      app.make = { path in
        if path.identifier == "box" { return Box() }
        let page = Page(nil, note: "default")
        if path.identifier == "b" { page.onDecode = { _ in throw TestFailure() } }
        return page
      }
      return app
    }
    #expect(relaunch.app.root?.children.map { ($0 as? Page)?.note } == ["saved a", "default"])
    #expect(
      relaunch.restoreReport.objects.map(\.disposition) == [.restored, .restored, .inDefaultState])
  }
}
