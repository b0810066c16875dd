import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The order of calls (Spec/restoration.md, section 3) by logs, with its edge cases; scenarios 9, 31, 32
// and 59.
@MainActor
@Suite struct `The order of calls` {
  /// A stack that logs its calls.
  final class LoggedStack: HeadlessNavigationController {
    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      CallLog.add("encode \(restorationIdentifier ?? "-")")
      try super.encodeRestorableState(with: &coder)
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      CallLog.add("decode \(restorationIdentifier ?? "-")")
      try super.decodeRestorableState(with: coder)
    }

    override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
      CallLog.add(
        "attach \(children.map { $0?.restorationIdentifier ?? "-" }.joined(separator: " "))")
      super.attachRestoredChildren(children)
    }

    override func present(_ controller: HeadlessViewController) {
      CallLog.add("present \(controller.restorationIdentifier ?? "-")")
      super.present(controller)
    }

    override func applicationFinishedRestoringState() {
      CallLog.add("finished \(restorationIdentifier ?? "-")")
    }
  }

  final class LoggedView: HeadlessView {
    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      CallLog.add("encode \(restorationIdentifier ?? "-")")
      try super.encodeRestorableState(with: &coder)
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      CallLog.add("decode \(restorationIdentifier ?? "-")")
      try super.decodeRestorableState(with: coder)
    }

    override func applicationFinishedRestoringState() {
      CallLog.add("finished \(restorationIdentifier ?? "-")")
    }
  }

  final class LoggedObject: RestorableObject {
    var restorationIdentifier: String?
    var restorationParent: (any RestorableObject)? { nil }
    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      CallLog.add("encode \(restorationIdentifier ?? "-")")
    }
    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      CallLog.add("decode \(restorationIdentifier ?? "-")")
    }
    func applicationFinishedRestoringState() {
      CallLog.add("finished \(restorationIdentifier ?? "-")")
    }
  }

  private let store = InMemoryStateStore()
  private let object = LoggedObject()

  private func coordinator() throws -> RestorationCoordinator {
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    try coordinator.register(object, identifier: "object")
    return coordinator
  }

  /// Two windows: a stack of two pages that presents another stack, and a page.
  private func wholeApp() -> TestApp {
    let navigation = LoggedStack(restorationIdentifier: "n")
    let (a, b) = (Page("a"), Page("b"))
    a.addView(LoggedView(restorationIdentifier: "view"))
    navigation.setChildren([a, b])
    navigation.present(LoggedStack(restorationIdentifier: "m", root: Page("c")))
    let app = TestApp(windowCount: 2)
    app.windows[0].rootController = navigation
    app.windows[1].rootController = Page("second")
    return app
  }

  private func restoringApp() -> TestApp {
    let app = TestApp(windowCount: 2)
    app.make = { path in
      if ["n", "m"].contains(path.identifier) { return LoggedStack() }
      let page = Page()
      if path.identifier == "a" { page.addView(LoggedView(restorationIdentifier: "view")) }
      return page
    }
    return app
  }

  // Scenario 9.
  @Test
  func `A save encodes each object once, and containers before their contents`() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let app = wholeApp()
    try await CallLog.record { log in
      try await coordinator.save(app)
      #expect(
        log.calls == [
          "shouldSave", "willEncode", "encode n", "encode second", "encode a", "encode b",
          "encode m", "encode view", "encode c", "encode object",
        ])
    }
  }

  // Row 32, scenario 59.
  // The app has an object of every kind.
  @Test
  func `A restore makes all objects, then decodes them, and then calls their finish methods`()
    async throws
  {
    let saving = try coordinator()
    await saving.prepare()
    try await saving.save(wholeApp())
    let restoring = try coordinator()
    await CallLog.record { log in
      let report = await restoring.launch(restoringApp())
      #expect(report.diagnostics.isEmpty, "\(report)")
      #expect(
        log.calls == [
          "willFinishLaunching", "shouldRestore",
          "make [n]", "make [second]", "make [n, a]", "make [n, b]", "make [n, m]",
          "make [n, m, c]",
          "attach a b", "present m", "decode n", "decode second", "decode a", "decode b",
          "attach c", "decode m", "decode view", "decode c", "decode object", "didDecode",
          "finished n", "finished second", "finished a", "finished b", "finished m",
          "finished view", "finished c", "finished object", "didFinishLaunching",
        ])
    }
  }

  // Row 20, scenarios 31 and 32.
  @Test func `An object that is referred to before its container is encoded once`() async throws {
    let navigation = LoggedStack(restorationIdentifier: "n")
    let pages = ["a", "b", "c"].map { Page($0) }
    navigation.setChildren(pages)
    (pages[0].friend, pages[1].friend, pages[2].friend) = (pages[2], pages[2], pages[0])
    let app = TestApp(root: navigation)
    app.willEncode = { $0.encodeReference(pages[2], forKey: "last") }
    let coordinator = try coordinator()
    await coordinator.prepare()
    try await CallLog.record { log in
      let report = try await coordinator.save(app)
      #expect(report.paths == [["n"], ["n", "c"], ["n", "a"], ["n", "b"], ["object"]])
      #expect(
        log.calls.dropFirst(2) == ["encode n", "encode c", "encode a", "encode b", "encode object"])
    }
    // The order on the stack is another one than that of the rows.
    let next = restoringApp()
    await (try self.coordinator()).launch(next)
    #expect(next.root?.children.map(\.restorationIdentifier) == ["a", "b", "c"])
    let restored = try #require(next.root?.children as? [Page])
    #expect(restored[0].friend === restored[2] && restored[1].friend === restored[2])
    #expect(restored[2].friend === restored[0])
  }

  @Test func `A save that is declined or fails makes no further calls`() async throws {
    for (answer, calls) in [(false, ["shouldSave"]), (nil, ["shouldSave"])] as [(Bool?, [String])] {
      let coordinator = try coordinator()
      await coordinator.prepare()
      let app = TestApp(root: Page("a"))
      app.shouldSave = { _ in
        guard let answer else { throw TestFailure() }
        return answer
      }
      await CallLog.record { log in
        _ = try? await coordinator.save(app)
        #expect(log.calls == calls)
      }
    }
    let app = TestApp(root: Page("a"))
    app.willEncode = { _ in throw TestFailure() }
    let coordinator = try coordinator()
    await coordinator.prepare()
    await CallLog.record { log in
      let error = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
      #expect(error?.code == .callbackFailed)
      #expect(log.calls == ["shouldSave", "willEncode"])
    }
    #expect(store.archive == nil)
  }

  // A container of another class decodes nothing, so its children are not put back.
  @Test func `The children of a container of another class stay unattached`() async throws {
    let saving = try coordinator()
    await saving.prepare()
    try await saving.save(TestApp(root: LoggedStack(restorationIdentifier: "n", root: Page("a"))))
    let app = TestApp()
    app.make = { $0.identifier == "n" ? Box() : Page() }
    let restoring = try coordinator()
    await CallLog.record { log in
      let report = await restoring.launch(app)
      #expect(report.diagnostics.map(\.code) == [.classMismatch, .unattached])
      #expect(log.calls.contains("decode a") && !log.calls.contains("decode n"))
      #expect(!log.calls.contains("finished n") && log.calls.contains("finished a"))
    }
    #expect(app.root is Box && app.root?.children.isEmpty == true)
  }

  // A view that was never loaded is not loaded for a save: the engine asks only for existing views.
  @Test func `A save does not load a view that is not loaded yet`() async throws {
    final class LazyPage: Page {
      override class var restorationTypeName: String { "LazyPage" }
      lazy var table: HeadlessTableView = {
        isLoaded = true
        return HeadlessTableView(restorationIdentifier: "table")
      }()
      var isLoaded = false
    }
    let page = LazyPage("a")
    let coordinator = try coordinator()
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.paths == [["a"], ["object"]])
    #expect(!page.isLoaded)
  }

  // Row 14.
  // A delegate may insert a missing object into the interface and return nil; the search then finds the object.
  @Test func `A restore finds an object that the delegate built when it was asked`() async throws {
    let saving = try coordinator()
    await saving.prepare()
    let box = Box("box")
    box.setChildren(["a", "b", "c"].map { Page($0, note: "saved") })
    try await saving.save(TestApp(root: box))
    let root = Box("box")
    let app = TestApp(root: root)
    app.make = { path in
      if path.count == 2 { root.setChildren(root.children + [Page(path.identifier)]) }
      return nil
    }
    let report = await (try coordinator()).launch(app)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(root.children.map { ($0 as? Page)?.note } == ["saved", "saved", "saved"])
  }
}
