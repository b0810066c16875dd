import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `Restoring an interface` {
  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  // Row 39.
  @Test func `A restore makes its calls in the promised order`() async throws {
    try await CallLog.record { log in
      let app = TestApp(root: stack(Page("a"), Page("b")))
      _ = try await relaunch(app)
      let launch = log.calls.drop { $0 != "willFinishLaunching" }
      #expect(
        Array(launch) == [
          "willFinishLaunching", "shouldRestore", "make [n]", "make [n, a]", "make [n, b]",
          "decode a", "decode b", "didDecode", "finished a", "finished b", "didFinishLaunching",
        ])
    }
  }

  // Row 28.
  @Test
  func `A restore keeps stack order, presentation, and each object's own values`() async throws {
    let navigation = stack(Page("a", note: "first"), Page("b", note: "second"))
    navigation.present(
      HeadlessNavigationController(restorationIdentifier: "m", root: Page("a", note: "third")))
    let relaunch = try await relaunch(TestApp(root: navigation))
    let root = try #require(relaunch.app.root)
    #expect(root.children.map { ($0 as? Page)?.note } == ["first", "second"])
    let modal = try #require(root.presentedController)
    #expect(modal.children.map { ($0 as? Page)?.note } == ["third"])
    #expect(relaunch.restoreReport.outcome == .restored)
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }

  // Row 10.
  @Test func `Children with the same identifier are distinguished by their order`() async throws {
    let relaunch = try await relaunch(
      TestApp(root: stack(Page("x", note: "lower"), Page("x", note: "upper"))))
    #expect(relaunch.app.root?.children.map { ($0 as? Page)?.note } == ["lower", "upper"])
  }

  // Row 20.
  @Test func `All references lead to one instance, and cycles are closed`() async throws {
    let (a, b, c) = (Page("a"), Page("b"), Page("c"))
    (a.friend, b.friend, c.friend) = (c, c, a)
    let relaunch = try await relaunch(TestApp(root: stack(a, b, c)))
    let pages = try #require(relaunch.app.root?.children as? [Page])
    #expect(pages[0].friend === pages[2] && pages[1].friend === pages[2])
    #expect(pages[2].friend === pages[0])
  }

  @Test func `An object keeps a reference to itself`() async throws {
    let page = Page("a")
    page.friend = page
    let relaunch = try await relaunch(TestApp(root: page))
    let root = try #require(relaunch.app.root as? Page)
    #expect(root.friend === root)
    root.friend = nil
  }

  // Row 4, scenario 4.
  @Test func `The version of the source document is written as a Double and read as a Float`()
    async throws
  {
    for (expected, restored) in [(Float(11), true), (Float(12), false)] {
      try await CallLog.record { log in
        let app = TestApp(root: Page("a", note: "saved"))
        app.shouldSave = { coder in
          coder.encode(11.0, forKey: "MyAppVersion")
          return true
        }
        let relaunch = try await relaunch(app) {
          let app = TestApp.standard()
          app.shouldRestore = { try $0.decode(Float.self, forKey: "MyAppVersion") == expected }
          return app
        }
        #expect((relaunch.app.root != nil) == restored)
        let calls = log.calls.drop { $0 != "shouldRestore" }.dropFirst()
        #expect(restored || Array(calls) == ["didFinishLaunching"])
      }
    }
  }

  // Row 3, scenario 6.
  @Test func `An absent version is not taken for zero`() async throws {
    let relaunch = try await relaunch(TestApp(root: Page("a"))) {
      let app = TestApp.standard()
      app.shouldRestore = { try $0.decode(Float.self, forKey: "MyAppVersion") == 0 }
      return app
    }
    #expect(relaunch.app.root == nil)
    guard case .refused(.declined(let message)) = relaunch.restoreReport.outcome else {
      Issue.record("\(relaunch.restoreReport.outcome)")
      return
    }
    #expect(message.contains("MyAppVersion"))
  }

  @Test func `Every coder reads the reserved values of the archive`() async throws {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: ClassPage.self)
    let store = InMemoryStateStore()
    let timestamp = ArchiveDate(secondsSinceReferenceDate: 700_000_000)
    let values = ReservedValues(
      userInterfaceIdiom: 5, timestamp: timestamp, systemVersion: "Linux 6")
    let coordinator = RestorationCoordinator(
      store: store, gate: try .version("1"), registry: registry, reservedValues: { values })
    await coordinator.prepare()
    try await coordinator.save(TestApp(root: stack(Page("a"))))

    let next = RestorationCoordinator(store: store, gate: try .version("1"), registry: registry)
    let app = TestApp()
    var versions: [String] = []
    app.shouldRestore = { coder in
      versions.append(try coder.decode(String.self, forKey: .bundleVersion))
      return true
    }
    app.make = { path in
      let page = path.identifier == "n" ? HeadlessNavigationController() : Page()
      (page as? Page)?.onDecode = { coder in
        versions.append(try coder.decode(String.self, forKey: .bundleVersion))
        let idiom = try coder.decode(Int.self, forKey: .userInterfaceIdiom)
        let date = try coder.decode(ArchiveDate.self, forKey: .timestamp)
        let system = try coder.decode(String.self, forKey: .systemVersion)
        #expect((idiom, date, system) == (5, timestamp, "Linux 6"))
      }
      return page
    }
    await next.launch(app)
    #expect(versions == ["1", "1"])
  }

  @Test func `A decoding error affects only its object`() async throws {
    let relaunch = try await relaunch(TestApp(root: stack(Page("a"), Page("b", note: "kept")))) {
      let app = TestApp()
      app.make = { path in
        guard path.identifier != "n" else { return HeadlessNavigationController() }
        let page = Page()
        if path.identifier == "a" {
          page.onDecode = { _ = try $0.decode(Int.self, forKey: "note") }
        }
        return page
      }
      return app
    }
    #expect(relaunch.restoreReport.disposition(of: "n", "a") == .inDefaultState)
    #expect(relaunch.restoreReport.disposition(of: "n", "b") == .restored)
    #expect((relaunch.app.root?.children.last as? Page)?.note == "kept")
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.decodingFailed])
  }

  // Row 41, scenario 38.
  @Test func `A reference to another type is refused, and the next key is read`() async throws {
    let (a, b) = (Page("a"), Page("b"))
    a.friend = b
    var caught: RestorationError.Code?
    _ = try await relaunch(TestApp(root: stack(a, b))) {
      let app = TestApp()
      app.make = { path in
        guard path.identifier != "n" else { return HeadlessNavigationController() }
        let page = Page()
        page.onDecode = { coder in
          guard coder.contains("friend") else { return }
          do throws(RestorationError) {
            _ = try coder.decodeReference(Box.self, forKey: "friend")
          } catch {
            caught = error.code
          }
          let note = try coder.decode(String.self, forKey: "note")
          #expect(note == "")
        }
        return page
      }
      return app
    }
    #expect(caught == .typeMismatch)
  }

  // Row 23, scenario 42.
  @Test func `A renamed type decodes under its alias`() async throws {
    var registry = RestorationRegistry()
    try registry.register(type: HeadlessNavigationController.self, alias: Page.restorationTypeName)
    let relaunch = try await KeepsakeTesting.relaunch(
      TestApp(root: Page("a")),
      configuration: RestorationConfiguration(gate: try .version("1"), registry: registry)
    ) {
      let app = TestApp()
      app.make = { _ in HeadlessNavigationController() }
      return app
    }
    #expect(relaunch.restoreReport.disposition(of: "a") == .restored)
  }
}
