import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The presenting controller, and the screen that the user sees last: source document S2, rows 9 and 40.
@MainActor
@Suite struct `Presentation` {
  private func stack(_ identifier: String?, _ pages: HeadlessViewController...)
    -> HeadlessNavigationController
  {
    let navigation = HeadlessNavigationController(restorationIdentifier: identifier)
    navigation.setChildren(pages)
    return navigation
  }

  private func save(_ app: TestApp) async throws -> SaveReport {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(),
      configuration: RestorationConfiguration(gate: try .version("1")))
    await coordinator.prepare()
    return try await coordinator.save(app)
  }

  // Row 9: a table presents, and the path of the detail has three components, as in source document S2.
  @Test func `A controller is presented by the root of its presenter's containers`() async throws {
    let table = Page("table")
    let navigation = stack("n", table)
    let modal = stack("m", Page("detail"))
    table.present(modal)
    #expect(navigation.presentedController === modal && modal.presentingController === navigation)
    #expect(table.presentedController == nil)
    let relaunch = try await relaunch(TestApp(root: navigation))
    #expect(
      relaunch.saveReport.paths == [["n"], ["n", "table"], ["n", "m"], ["n", "m", "detail"]])
    #expect(relaunch.app.root?.presentedController?.restorationIdentifier == "m")
    #expect(relaunch.restoreReport.diagnostics.isEmpty)

    table.dismissPresentedController()
    #expect(navigation.presentedController == nil && modal.presentingController == nil)
  }

  @Test
  func `A presented controller stays with a presenter that joins a container later`() async throws {
    let page = Page("page")
    page.present(Page("own"))
    let navigation = stack("n", page)
    navigation.present(Page("outer"))
    let relaunch = try await relaunch(TestApp(root: navigation))
    let root = try #require(relaunch.app.root)
    #expect(root.presentedController?.restorationIdentifier == "outer")
    #expect(root.children.first?.presentedController?.restorationIdentifier == "own")
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }

  // Row 40.
  @Test func `The selected tab decides whether the snapshot is shown`() async throws {
    let (home, secret) = (Page("home"), Page(nil))
    let bar = HeadlessTabBarController(restorationIdentifier: "tabs", tabs: [home, secret])
    #expect(try await !save(TestApp(root: bar)).ignoresSnapshot)
    bar.select(secret)
    #expect(try await save(TestApp(root: bar)).ignoresSnapshot)
    bar.present(Page("cover"))
    #expect(try await !save(TestApp(root: bar)).ignoresSnapshot)
  }

  // Row 40.
  @Test func `The last pushed controller decides whether the snapshot is shown`() async throws {
    #expect(try await !save(TestApp(root: stack("n", Page(nil), Page("b")))).ignoresSnapshot)
    #expect(try await save(TestApp(root: stack("n", Page("a"), Page(nil)))).ignoresSnapshot)
    // A page with an identifier that was left out for another reason is not saved either.
    let box = Box("box")
    box.setChildren([Page("x"), Page("x")])
    #expect(try await save(TestApp(root: box)).ignoresSnapshot)
  }

  // Row 40.
  @Test func `Every visible column decides whether the snapshot is shown`() async throws {
    let split = HeadlessSplitController(
      restorationIdentifier: "split", columns: [Page(nil), Page("b")])
    #expect(try await save(TestApp(root: split)).ignoresSnapshot)
    split.isPrimaryHidden = true
    #expect(try await !save(TestApp(root: split)).ignoresSnapshot)
    split[.secondary] = Page(nil)
    #expect(try await save(TestApp(root: split)).ignoresSnapshot)
  }

  // Row 40.
  @Test(arguments: [0, 1, 2])
  func `Every window decides whether the snapshot is shown`(secret: Int) async throws {
    let app = TestApp(windowCount: 3)
    for (position, window) in app.windows.enumerated() {
      window.rootController = stack("n\(position)", Page(position == secret ? nil : "a"))
    }
    #expect(try await save(app).ignoresSnapshot)
    // A snapshot of empty windows shows nothing that was not saved.
    #expect(try await !save(TestApp(windowCount: 3)).ignoresSnapshot)
  }

  // Row 40: a reference rescues a screen that the walk does not reach.
  @Test func `A snapshot may show a screen that a reference saves`() async throws {
    let rescued = Page("rescued")
    let app = TestApp(root: stack(nil, rescued))
    #expect(try await save(app).ignoresSnapshot)
    app.willEncode = { $0.encodeReference(rescued, forKey: "top") }
    #expect(try await !save(app).ignoresSnapshot)
  }
}
