import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `Searching for a node` {
  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  private func classPage(_ identifier: String) -> ClassPage {
    ClassPage(restorationIdentifier: identifier)
  }

  // Row 11, scenario 20.
  @Test func `A restore calls only the restoration class of an object that has one`() async throws {
    try await CallLog.record { log in
      let relaunch = try await relaunch(TestApp(root: classPage("a"))) {
        let app = TestApp.standard()
        app.onLaunch = { $0.root = Page("a") }
        return app
      }
      #expect(log.calls.contains("class [a]") && !log.calls.contains("make [a]"))
      #expect(relaunch.restoreReport.objects.first?.source == .restorationClass)
    }
  }

  // Row 12, scenario 21.
  @Test func `A stack ends below a node that its class declines`() async throws {
    try await CallLog.record { log in
      let gone = classPage("gone")
      gone.setChildren([classPage("below gone")])
      let relaunch = try await relaunch(
        TestApp(root: stack(classPage("a"), gone, classPage("c"))))
      let root = try #require(relaunch.app.root as? HeadlessNavigationController)
      #expect(root.children.map(\.restorationIdentifier) == ["a"])
      #expect(!log.calls.contains("decode gone") && !log.calls.contains("make [n, gone]"))
      #expect(!log.calls.contains("class [n, gone, below gone]"))
      let codes = relaunch.restoreReport.diagnostics.map(\.code)
      #expect(codes == [.declined, .ancestorNotRestored, .unattached])
    }
  }

  // Row 12, scenario 22.
  @Test func `A presented node that its class declines is not presented`() async throws {
    let page = classPage("a")
    page.present(classPage("gone"))
    let relaunch = try await relaunch(TestApp(root: page))
    #expect(relaunch.restoreReport.disposition(of: "a") == .restored)
    #expect(relaunch.app.root?.presentedController == nil)
  }

  // Row 14, scenario 23.
  @Test(arguments: [true, false])
  func `An existing node at exactly the same path is taken, without a second instance`(
    delegateAgrees: Bool
  ) async throws {
    let existing = Page("b")
    let relaunch = try await relaunch(TestApp(root: stack(Page("b", note: "saved")))) {
      let app = TestApp(root: stack(existing))
      if delegateAgrees { app.make = { $0.identifier == "b" ? existing : nil } }
      return app
    }
    #expect(existing.note == "saved")
    let source: ReportedObject.Source = delegateAgrees ? .delegate : .existing
    #expect(relaunch.restoreReport.objects.last?.source == source)
    let children = relaunch.app.root?.children
    #expect(children?.count == 1 && children?.first === existing)
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }

  // Row 14, scenario 24.
  @Test func `A node with the same identifier at another path is not taken`() async throws {
    let elsewhere = Page("b")
    let relaunch = try await relaunch(TestApp(root: stack(Page("b", note: "saved")))) {
      let other = Box("other")
      other.setChildren([elsewhere])
      return TestApp(root: stack(other))
    }
    #expect(elsewhere.note == "")
    #expect(relaunch.restoreReport.disposition(of: "n", "b") == .dropped)
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.notFound])
  }

  // Scenario 27.
  @Test func `A second instance of an existing object is reported`() async throws {
    let relaunch = try await relaunch(TestApp(root: Page("a"))) {
      let app = TestApp.standard()
      app.onLaunch = { $0.root = Page("a") }
      return app
    }
    let codes = relaunch.restoreReport.diagnostics.map(\.code)
    #expect(codes == [.duplicateInstance, .unattached])
  }

  @Test func `One instance is restored for one path only`() async throws {
    let single = Page()
    let relaunch = try await relaunch(TestApp(root: stack(Page("a"), Page("b")))) {
      let app = TestApp()
      app.make = { $0.identifier == "n" ? HeadlessNavigationController() : single }
      return app
    }
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.sameInstance])
    #expect(relaunch.app.root?.children.count == 1)
  }

  // Row 15, scenario 25.
  @Test(arguments: [true, false])
  func `A template is used last, and a missing one is reported`(isRegistered: Bool) async throws {
    let page = Page("a", note: "saved")
    page.restorationTemplate = "Page"
    let store = InMemoryStateStore()
    var registry = RestorationRegistry()
    if isRegistered { try registry.register(template: "Page") { _ in Page() } }
    let relaunch = try await KeepsakeTesting.relaunch(
      TestApp(root: page), store: store,
      configuration: RestorationConfiguration(gate: try .version("1"), registry: registry)
    ) { TestApp() }
    #expect((relaunch.app.root as? Page)?.note == (isRegistered ? "saved" : nil))
    #expect(
      relaunch.restoreReport.diagnostics.map(\.code) == (isRegistered ? [] : [.unregisteredClass]))
  }

  @Test func `An object that its class cannot make is left out, and the others are restored`()
    async throws
  {
    let box = Box("box")
    box.setChildren([classPage("throws"), classPage("b")])
    let relaunch = try await relaunch(TestApp(root: box))
    #expect(relaunch.app.root?.children.map(\.restorationIdentifier) == ["b"])
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.factoryFailed])

    let unregistered = try await KeepsakeRestorationTests.relaunch(
      TestApp(root: classPage("a")), registering: [])
    #expect(unregistered.restoreReport.diagnostics.map(\.code) == [.unregisteredClass])
  }

  // Row 16.
  @Test func `A restored object gets back its identifier and its restoration class`() async throws {
    let page = Page("a")
    page.restorationClass = ClassPage.self
    let relaunch = try await relaunch(TestApp(root: page))
    #expect(relaunch.app.root?.restorationIdentifier == "a")
    #expect(relaunch.app.root?.restorationClass == ClassPage.self)
  }

  // Rows 8 and 14: in both launches, the rescued node is below a node without an identifier.
  @Test(arguments: [true, false])
  func `A restore takes the existing node at the path of a rescued one`(hasRoot: Bool) async throws
  {
    func interface(_ note: String) -> (root: HeadlessViewController, rescued: Page) {
      let (rescued, twin) = (Page("rescued", note: note), Page("rescued"))
      let (hidden, deeper) = (Box(nil), Box(nil))
      let named = Box("named")
      named.setChildren([twin])
      deeper.setChildren([Page("other"), rescued])
      hidden.setChildren([named, deeper])
      guard hasRoot else { return (hidden, rescued) }
      let root = Box("root")
      root.setChildren([hidden])
      return (root, rescued)
    }
    let (root, rescued) = interface("saved")
    let app = TestApp(root: root)
    app.willEncode = { $0.encodeReference(rescued, forKey: "rescued") }
    let (newRoot, existing) = interface("built")
    var found: Page?
    let relaunch = try await relaunch(app) {
      let app = TestApp(root: newRoot)
      app.onDecode = { found = try $0.decodeReference(forKey: "rescued") }
      return app
    }
    #expect(existing.note == "saved" && found === existing, "\(relaunch.restoreReport)")
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }
}
