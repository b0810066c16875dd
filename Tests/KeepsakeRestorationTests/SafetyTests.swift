import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `Budgets, aliases and other precautions` {
  private let store = InMemoryStateStore()

  private func save(
    _ app: TestApp, budget: RestorationBudget = RestorationBudget()
  ) async throws -> SaveReport {
    let coordinator = RestorationCoordinator(
      store: store, gate: try .version("1"), budget: budget)
    await coordinator.prepare()
    if store.archive != nil { _ = coordinator.restore(TestApp()) }
    return try await coordinator.save(app)
  }

  private func box(_ identifier: String, note: String, _ children: Page...) -> Box {
    let box = Box(identifier, note: note)
    box.setChildren(children)
    return box
  }

  // Row 48.
  @Test func `An object that is too large loses its state and keeps its place`() async throws {
    let large = String(repeating: "x", count: 5_000)
    let root = box("box", note: "kept", box("box", note: large, Page("c", note: "kept")))
    let report = try await save(
      TestApp(root: root), budget: RestorationBudget(objectByteCount: 1_000))
    #expect(report.diagnostics.map(\.code) == [.shed])
    #expect(report.diagnostics.first?.path?.components == ["box", "box"])
    let app = TestApp.standard()
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.launch(app)
    let inner = try #require(app.root?.children.first as? Box)
    #expect((app.root as? Box)?.note == "kept" && inner.note == "")
    #expect((inner.children.first as? Page)?.note == "kept")
    #expect(try #require(store.archive).count < 5_000)
  }

  // Row 48.
  @Test func `The deepest and last objects are shed first, the same ones each time`() async throws {
    let text = String(repeating: "x", count: 1_000)
    let pages = ["a", "b", "c"].map { Page($0, note: text) }
    let root = Box("box", note: text)
    root.setChildren(pages)
    let full = try await save(TestApp(root: root)).archiveByteCount
    var archives: [[UInt8]?] = []
    for _ in 0..<2 {
      let report = try await save(
        TestApp(root: root), budget: RestorationBudget(totalByteCount: full - 1_100))
      let shed = report.diagnostics.filter { $0.code == .shed }.compactMap(\.path?.identifier)
      #expect(shed == ["c", "b"])
      #expect(report.archiveByteCount <= full - 1_100)
      archives.append(store.archive)
    }
    #expect(archives[0] == archives[1])
  }

  @Test func `An object that is as large as its budget allows keeps its state`() async throws {
    let text = String(repeating: "x", count: 500)
    let root = box("box", note: "small", Page("large", note: text))
    let full = try await save(TestApp(root: root))
    let largest = try #require(full.objects.map(\.byteCount).max())
    func shed(_ budget: RestorationBudget) async throws -> [String?] {
      let report = try await save(TestApp(root: root), budget: budget)
      return report.diagnostics.filter { $0.code == .shed }.map(\.path?.identifier)
    }
    for more in 0...1 {
      #expect(try await shed(RestorationBudget(objectByteCount: largest + more)).isEmpty)
      let total = full.archiveByteCount + more
      #expect(try await shed(RestorationBudget(totalByteCount: total)).isEmpty)
    }
    #expect(try await shed(RestorationBudget(objectByteCount: largest - 1)) == ["large"])
    let total = full.archiveByteCount - 1
    #expect(try await shed(RestorationBudget(totalByteCount: total)) == ["large"])
  }

  @Test func `An object above its own budget is shed, and then all others fit`() async throws {
    let large = Page("large", note: String(repeating: "x", count: 500))
    let root = box("box", note: "small", large, Page("small", note: "small"))
    let full = try await save(TestApp(root: root))
    let largest = try #require(full.objects.map(\.byteCount).max())
    let budget = RestorationBudget(
      objectByteCount: largest - 1, totalByteCount: full.archiveByteCount - 1)
    let report = try await save(TestApp(root: root), budget: budget)
    let shed = report.diagnostics.filter { $0.code == .shed }
    #expect(shed.map(\.path?.identifier) == ["large"], "\(report)")
  }

  // Row 19, scenario 36.
  @Test func `A report names an override that does not call super`() async throws {
    final class Forgetful: HeadlessScrollView {
      override class var restorationTypeName: String { "Forgetful" }
      override func encodeRestorableState(with coder: inout RestorationEncoder) throws {}
      override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {}
    }
    func page() -> Page {
      let page = Page("a")
      page.addView(Forgetful(restorationIdentifier: "scroll"))
      return page
    }
    let relaunch = try await relaunch(TestApp(root: page())) {
      let app = TestApp()
      app.make = { _ in page() }
      return app
    }
    for diagnostics in [relaunch.saveReport.diagnostics, relaunch.restoreReport.diagnostics] {
      #expect(diagnostics.map(\.code) == [.missingSuperclassCall])
      #expect(diagnostics.first?.message.contains("Forgetful") == true)
    }
  }

  // Row 40, scenario 70.
  @Test(arguments: [true, false])
  func `A snapshot is not shown when an object has excluded it`(isAsked: Bool) async throws {
    let page = Page("a")
    if isAsked { page.onEncode = { $0.ignoreSnapshotOnNextLaunch() } }
    #expect(try await save(TestApp(root: page)).ignoresSnapshot == isAsked)
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.prepare()
    #expect(coordinator.ignoresSnapshot == isAsked)
    #expect(coordinator.restore(TestApp.standard()).diagnostics.isEmpty)
  }

  // Row 40.
  @Test func `A snapshot of a topmost screen that is not saved is not shown`() async throws {
    let page = Page("a")
    page.present(Page(nil))
    #expect(try await save(TestApp(root: page)).ignoresSnapshot)
  }

  // Row 46.
  @Test func `A renamed or moved object is found under its alias`() async throws {
    let old = box("box", note: "", Page("renamed", note: "1"), Page("moved", note: "2"))
    _ = try await save(TestApp(root: old))
    var registry = RestorationRegistry()
    try registry.register(formerPath: ["box", "renamed"], for: ["box", "new"])
    try registry.register(formerPath: ["box", "moved"], for: ["box", "other", "moved"])
    let coordinator = RestorationCoordinator(
      store: store, gate: try .version("1"), registry: registry)
    let (new, moved) = (Page("new"), Page("moved"))
    let other = box("other", note: "", moved)
    let app = TestApp(root: nil)
    let root = Box("box")
    root.setChildren([new, other])
    app.root = root
    let report = await coordinator.launch(app)
    #expect((new.note, moved.note) == ("1", "2"), "\(report)")
    #expect(moved.parent === other)
  }

  // Row 46.
  @Test func `An alias needs two whole paths, and a former path has one alias`() throws {
    var registry = RestorationRegistry()
    try registry.register(formerPath: ["a"], for: ["b"])
    try registry.register(formerPath: ["a"], for: ["b"])
    for (former, path) in [([], ["a"]), (["a", ""], ["b"]), (["c"], []), (["a"], ["c"])] {
      let error = #expect(throws: RestorationError.self) {
        try registry.register(formerPath: former, for: path)
      }
      #expect(error?.code == .invalidRegistration)
    }
  }

  // Row 33.
  @Test func `A state whose key was locked is restored when the key is there later`() async throws {
    _ = try await save(TestApp(root: Page("a", note: "saved")))
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    let app = TestApp.standard()
    store.failure = RestorationError(.keyUnavailable, "The device is locked; unlock it.")
    let locked = await coordinator.launch(app)
    #expect(locked.outcome == .refused(.keyUnavailable("The device is locked; unlock it.")))
    store.failure = nil
    #expect(await coordinator.prepare() == nil)
    #expect(coordinator.restore(app).outcome == .restored)
    #expect((app.root as? Page)?.note == "saved")
  }

  // Row 44: a second launch that does not claim it drops it.
  @Test func `An unclaimed record is kept for one more launch`() async throws {
    let tab = Page("tab", note: "saved")
    let friend = Page("friend")
    tab.friend = friend
    // A page puts no children back: the app builds them, as it builds those of a tab bar.
    let root = Page("box")
    root.setChildren([tab, friend])
    _ = try await save(TestApp(root: root))
    func launch(withTab: Bool) async throws -> (RestoreReport, SaveReport, Page) {
      let (tab, friend) = (Page("tab"), Page("friend"))
      let root = Page("box")
      root.setChildren(withTab ? [tab, friend] : [friend])
      let app = TestApp(root: root)
      let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
      let report = await coordinator.launch(app)
      return (report, try await coordinator.save(app), tab)
    }
    let (without, keeping, _) = try await launch(withTab: false)
    #expect(without.diagnostics.map(\.code) == [.notFound])
    #expect(keeping.diagnostics.map(\.code) == [.unclaimed])
    let (again, _, found) = try await launch(withTab: true)
    #expect(again.diagnostics.isEmpty, "\(again)")
    #expect(found.note == "saved" && found.friend?.restorationIdentifier == "friend")

    _ = try await launch(withTab: false)
    let (second, dropping, _) = try await launch(withTab: false)
    #expect(second.diagnostics.map(\.code) == [.notFound] && dropping.diagnostics.isEmpty)
    let (third, _, lost) = try await launch(withTab: true)
    #expect(third.diagnostics.isEmpty && lost.note == "")
  }

  // Row 44: when the budget is exceeded, unclaimed records are dropped before any state is shed.
  @Test func `An unclaimed record is dropped first when the state is too large`() async throws {
    _ = try await save(TestApp(root: box("box", note: "", Page("tab", note: "saved"))))
    let coordinator = RestorationCoordinator(
      store: store, gate: try .version("1"), budget: RestorationBudget(totalByteCount: 1))
    let app = TestApp(root: Box("box"))
    await coordinator.launch(app)
    let report = try await coordinator.save(app)
    #expect(report.diagnostics.filter { $0.code == .shed }.map(\.path?.identifier) == ["box"])
    let next = RestorationCoordinator(store: store, gate: try .version("1"))
    #expect(await next.launch(TestApp(root: Box("box"))).objects.count == 1)
  }

  @Test func `An unclaimed record stays in a state that is as large as its budget`() async throws {
    _ = try await save(TestApp(root: box("box", note: "", Page("tab", note: "saved"))))
    let archive = store.archive
    func saved(within total: Int) async throws -> (size: Int, count: Int?) {
      let store = InMemoryStateStore(archive: archive)
      let coordinator = RestorationCoordinator(
        store: store, gate: try .version("1"), budget: RestorationBudget(totalByteCount: total))
      let app = TestApp(root: Box("box"))
      await coordinator.launch(app)
      let size = try await coordinator.save(app).archiveByteCount
      let saved = try Archive(try #require(store.archive))
      return (size, SavedStateOutline(saved)?.entries.count)
    }
    let whole = try await saved(within: .max)
    #expect(whole.count == 2)
    #expect(try await saved(within: whole.size).count == 2)
    #expect(try await saved(within: whole.size - 1).count == 1)
  }

  // Decision 8 of section 6.
  @Test func `A link that opens the program wins over the saved state`() async throws {
    _ = try await save(TestApp(root: Page("a")))
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await CallLog.record { log in
      let report = await coordinator.launch(TestApp.standard(), opensLink: true)
      #expect(report.outcome == .refused(.linkOpened))
      #expect(log.calls == ["willFinishLaunching", "didFinishLaunching"])
    }
    #expect(!store.isMarked && store.archive != nil)
  }

  // Row 21, scenario 34.
  @Test func `An array that two objects own is restored as two values`() async throws {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    let tags = ["swift", "linux"]
    let pages = ["a", "b"].map { Page($0) }
    pages.forEach { page in page.onEncode = { $0.encode(tags, forKey: "tags") } }
    navigation.setChildren(pages)
    var read: [[String]] = []
    _ = try await relaunch(TestApp(root: navigation)) {
      let app = TestApp()
      app.make = { path in
        guard path.identifier != "n" else { return HeadlessNavigationController() }
        let page = Page()
        page.onDecode = { read.append(try $0.decode([String].self, forKey: "tags")) }
        return page
      }
      return app
    }
    #expect(read == [tags, tags])
  }

  // Row 4, scenarios 7 and 37.
  @Test
  func `A number is converted if it fits, and a number that does not fit affects no other`()
    async throws
  {
    let page = Page("a", note: "kept")
    page.onEncode = { coder in
      coder.encode(Int32(2), forKey: "small")
      coder.encode(Int64(1) << 40, forKey: "large")
      coder.encode(nil as String?, forKey: "none")
    }
    var codes: [ArchiveError.Code?] = []
    _ = try await relaunch(TestApp(root: page)) {
      let app = TestApp()
      app.make = { _ in
        let page = Page()
        page.onDecode = { coder in
          let small = try coder.decode(Int.self, forKey: "small")
          codes = [
            failure(Int32.self, "large", coder), failure(String.self, "small", coder),
            failure(Int.self, "absent", coder),
          ]
          let presence = (coder.contains("absent"), coder.contains("none"))
          let absent = try coder.decodeIfPresent(Int.self, forKey: "absent")
          let none = try coder.decodeIfPresent(String.self, forKey: "none")
          let note = try coder.decode(String.self, forKey: "note")
          #expect((small, note) == (2, "kept") && presence == (false, true))
          #expect(absent == nil && none == nil)
        }
        return page
      }
      return app
    }
    #expect(codes == [.valueOutOfRange, .typeMismatch, .absentKey])
  }

  private func failure<T: ArchiveValue>(
    _ type: T.Type, _ key: ArchiveKey, _ coder: borrowing RestorationDecoder
  ) -> ArchiveError.Code? {
    do throws(ArchiveError) {
      _ = try coder.decode(type, forKey: key)
      return nil
    } catch {
      return error.code
    }
  }
}
