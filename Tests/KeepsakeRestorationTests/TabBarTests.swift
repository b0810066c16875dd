import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Row 29, scenarios 43 to 46, and the application of source document S4: its tab bar is blank when the
// restore makes it, and whole when the app has built its tabs before.
@MainActor
@Suite struct `A tab bar` {
  /// An app that builds its tabs in willFinishLaunching, in an order of its choice.
  private func app(tabs identifiers: [String?], selecting: String? = nil) -> TestApp {
    let app = TestApp()
    let build = { (app: TestApp) in
      let pages = identifiers.map { Page($0) }
      let bar = HeadlessTabBarController(restorationIdentifier: "tabs", tabs: pages)
      pages.first { $0.restorationIdentifier == selecting }.map { bar.select($0) }
      app.root = bar
    }
    app.onLaunch = build
    if selecting != nil { build(app) }
    return app
  }

  private func bar(_ app: TestApp) throws -> HeadlessTabBarController {
    try #require(app.root as? HeadlessTabBarController)
  }

  private func note(_ identifier: String, in app: TestApp) -> String? {
    app.root?.children.compactMap { $0 as? Page }
      .first { $0.restorationIdentifier == identifier }?.note
  }

  private func saved() throws -> TestApp {
    let saved = app(tabs: ["home", "reminders"], selecting: "reminders")
    for case let page as Page in try bar(saved).children {
      page.note = "of \(page.restorationIdentifier ?? "")"
    }
    return saved
  }

  // Row 29, scenarios 43 and 44.
  @Test(arguments: [["home", "reminders"], ["reminders", "home"], ["new", "reminders", "home"]])
  func `A tab bar selects the saved tab at its position of today`(order: [String]) async throws {
    let relaunch = try await relaunch(try saved()) { app(tabs: order) }
    let bar = try bar(relaunch.app)
    #expect(bar.children.map(\.restorationIdentifier) == order)
    #expect(bar.selectedTab?.restorationIdentifier == "reminders")
    #expect(note("home", in: relaunch.app) == "of home")
    #expect(note("reminders", in: relaunch.app) == "of reminders")
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }

  // Row 29.
  @Test func `A tab bar falls back to its first tab when the selected one is gone`() async throws {
    let relaunch = try await relaunch(try saved()) { app(tabs: ["home", "other"]) }
    #expect(try bar(relaunch.app).selectedTab?.restorationIdentifier == "home")
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.notFound])
  }

  // Row 29.
  @Test func `A tab bar selects a late tab even after a second launch without it`() async throws {
    let first = try await relaunch(try saved()) { app(tabs: ["home"]) }
    let home = Page()
    let second = try await relaunch(first.app) {
      let app = TestApp()
      app.make = { $0.count == 1 ? HeadlessTabBarController() : home }
      return app
    }
    let bar = try bar(second.app)
    bar.setChildren([home, Page("reminders")])
    #expect(bar.selectedTab?.restorationIdentifier == "reminders")
  }

  // Scenario 46.
  @Test func `A tab without an identifier keeps its default state`() async throws {
    let first = app(tabs: [nil, "reminders"], selecting: "reminders")
    (first.root?.children.last as? Page)?.note = "saved"
    let relaunch = try await relaunch(first) { app(tabs: [nil, "reminders"]) }
    #expect(relaunch.app.root?.children.map { ($0 as? Page)?.note } == ["", "saved"])
    #expect(try bar(relaunch.app).selectedTab?.restorationIdentifier == "reminders")
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.pruned])

    let unnamed = app(tabs: [nil, "reminders"], selecting: "none of them")
    let second = try await KeepsakeRestorationTests.relaunch(unnamed) {
      app(tabs: [nil, "reminders"])
    }
    #expect(try bar(second.app).selectedTab === second.app.root?.children.first)
    #expect(second.saveReport.diagnostics.map(\.code) == [.pruned])
  }

  // Scenario 45.
  // The trap of S4: the delegate makes an empty tab bar, and the tabs are never put into it.
  @Test func `A tab bar that the restore makes is blank, and the report says so`() async throws {
    let relaunch = try await relaunch(try saved()) {
      let app = TestApp()
      app.make = { $0.count == 1 ? HeadlessTabBarController() : Page() }
      return app
    }
    #expect(try bar(relaunch.app).children.isEmpty && bar(relaunch.app).selectedTab == nil)
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.unattached, .unattached])
  }

  // Scenario 45.
  @Test func `A tab bar puts its tabs back if attachesRestoredTabs is set`() async throws {
    let relaunch = try await relaunch(try saved()) {
      let app = TestApp()
      app.make = { path in
        guard path.count == 1 else { return Page() }
        let bar = HeadlessTabBarController()
        bar.attachesRestoredTabs = true
        return bar
      }
      return app
    }
    let bar = try bar(relaunch.app)
    #expect(bar.children.map(\.restorationIdentifier) == ["home", "reminders"])
    #expect(bar.selectedTab?.restorationIdentifier == "reminders")
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }

  /// The trap of S3 and S4: a class that makes new pages beside those that the app has built.
  @Test func `Second copies of tabs are reported`() async throws {
    let first = app(tabs: [], selecting: "none")
    try bar(first).setChildren(["home", "reminders"].map { ClassPage(restorationIdentifier: $0) })
    let relaunch = try await relaunch(first) { app(tabs: ["home", "reminders"]) }
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.unattached, .unattached])
  }

  /// The page of a tab; its restoration class returns the one that the app has built.
  final class BuiltPage: Page, RestorationClass {
    @TaskLocal static var app: TestApp?

    static func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableNode)? {
      app?.root?.children.first { $0.restorationIdentifier == path.identifier }
    }
  }

  // Row 29.
  // The fix of S4: the restoration class of a tab returns the tab that the app has built.
  @Test func `A tab bar takes the tabs that their restoration class finds`() async throws {
    func build(_ identifiers: [String], note: String) -> TestApp {
      let pages = identifiers.map { BuiltPage($0, note: note) }
      pages.forEach { $0.restorationClass = BuiltPage.self }
      return TestApp(root: HeadlessTabBarController(restorationIdentifier: "tabs", tabs: pages))
    }
    let first = build(["home", "reminders"], note: "saved")
    try bar(first).select(try #require(bar(first).children.last))
    let second = build(["reminders", "home"], note: "built")
    let relaunch = try await BuiltPage.$app.withValue(second) {
      try await KeepsakeRestorationTests.relaunch(first, registering: [BuiltPage.self]) { second }
    }
    #expect(try bar(second).selectedTab?.restorationIdentifier == "reminders")
    #expect(second.root?.children.allSatisfy { ($0 as? Page)?.note == "saved" } == true)
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }
}
