import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Several windows: rows 6, 42 and 45, and their one first responder.
@MainActor
@Suite struct `Several windows` {
  private func saved(_ identifiers: [String?]) -> TestApp {
    let app = TestApp(windowCount: identifiers.count)
    for (window, identifier) in zip(app.windows, identifiers) {
      window.rootController = Page(identifier, note: "of \(identifier ?? "nobody")")
    }
    return app
  }

  private func notes(_ app: TestApp) -> [String?] {
    app.windows.map { ($0.rootController as? Page)?.note }
  }

  // Row 42.
  @Test
  func `Windows are made by the app in their number and order, and get their roots`() async throws {
    try await CallLog.record { log in
      let relaunch = try await relaunch(saved(["a", "b", nil, "d"])) {
        let app = TestApp.standard()
        app.makesWindows = true
        return app
      }
      #expect(notes(relaunch.app) == ["of a", "of b", nil, "of d"])
      #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
      let calls = log.calls.drop { $0 != "shouldRestore" }
      #expect(
        calls.prefix(5) == ["shouldRestore", "window 1", "window 2", "window 3", "make [a]"])
    }
  }

  // Row 42.
  @Test func `Windows that the app does not make are reported once`() async throws {
    let relaunch = try await relaunch(saved(["a", "b", "c"]))
    #expect(notes(relaunch.app) == ["of a"])
    let codes = relaunch.restoreReport.diagnostics.map(\.code)
    #expect(codes == [.windowNotRestored, .unattached, .unattached])
    #expect(relaunch.restoreReport.diagnostics.first?.message.contains("2 of 3") == true)
  }

  @Test func `Windows beyond those that were saved stay as the app has built them`() async throws {
    let relaunch = try await relaunch(saved(["a"])) {
      let app = TestApp(windowCount: 2)
      app.make = { _ in Page() }
      app.windows[1].rootController = Page("other", note: "built")
      return app
    }
    #expect(notes(relaunch.app) == ["of a", "built"])
  }

  // Row 45.
  @Test func `A second window whose root has the same identifier is reported and not saved`()
    async throws
  {
    let app = saved(["a", "a"])
    let report = try await relaunch(app).saveReport
    #expect(report.paths == [["a"]])
    #expect(report.diagnostics.map(\.code) == [.duplicatePath])
    #expect(report.diagnostics.first?.path?.components == ["a"])
    let message = report.diagnostics.first?.message ?? ""
    #expect(message.contains("The root of window 2") && message.contains("StateSessions"))
  }

  // Row 45.
  @Test func `A second window with the same root is reported, and is empty after the restore`()
    async throws
  {
    let app = saved(["a", "b"])
    app.windows[1].rootController = app.windows[0].rootController
    let relaunch = try await relaunch(app) {
      let app = TestApp.standard()
      app.makesWindows = true
      return app
    }
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.duplicatePath])
    #expect(notes(relaunch.app) == ["of a", nil])
  }

  @Test func `A new first responder makes one that is 512 controllers away resign`() {
    let pages = (0...512).map { _ in Page() }
    for (outer, inner) in zip(pages, pages.dropFirst()) { outer.present(inner) }
    let app = TestApp()
    app.windows[0].rootController = pages[0]
    let views = [HeadlessTextField(), HeadlessTextField()]
    for (page, view) in zip([pages[0], pages[512]], views) { page.addView(view) }
    for view in views { view.becomeFirstResponder() }
    #expect(views.map(\.isFirstResponder) == [false, true])
  }

  @Test func `All windows have one first responder`() {
    let app = TestApp(windowCount: 2)
    let views = [HeadlessTextField(), HeadlessTextField(), HeadlessTextView()]
    let (page, presented, other) = (Page("a"), Page("b"), Page("c"))
    for (page, view) in zip([page, presented, other], views) { page.addView(view) }
    app.windows[0].rootController = HeadlessNavigationController(root: page)
    app.windows[1].rootController = other
    page.present(presented)
    for view in views {
      view.becomeFirstResponder()
      #expect(
        views.filter(\.isFirstResponder).map(ObjectIdentifier.init) == [ObjectIdentifier(view)])
    }
    views[0].resignFirstResponder()
    #expect(views[2].isFirstResponder, "another view did not resign")
    views[2].resignFirstResponder()
    #expect(views.allSatisfy { !$0.isFirstResponder })

    // A view that joins the windows while it is first responder becomes the only one.
    let joining = HeadlessTextField()
    let pushed = Page("pushed")
    pushed.addView(joining)
    views[2].becomeFirstResponder()
    joining.becomeFirstResponder()
    #expect(
      views[2].isFirstResponder && joining.isFirstResponder, "the new view is in no window yet")
    (app.windows[0].rootController as? HeadlessNavigationController)?.push(pushed)
    #expect(!views[2].isFirstResponder && joining.isFirstResponder)

    let stranger = HeadlessTextField()
    let elsewhere = TestApp(root: Page("stranger"))
    elsewhere.root?.addView(stranger)
    views[0].becomeFirstResponder()
    stranger.becomeFirstResponder()
    #expect(views[0].isFirstResponder, "another app has a first responder of its own")
  }

  @Test func `A page that is contained twice does not hide the first responder before it`() {
    let pages = ["a", "b"].map { Page($0) }
    let fields = pages.map { page in
      let field = HeadlessTextField()
      page.addView(field)
      return field
    }
    let root = Box("box")
    root.setChildren([pages[0], pages[1], pages[1]])
    let app = TestApp()
    app.root = root
    fields[0].becomeFirstResponder()
    fields[1].becomeFirstResponder()
    #expect(fields.map(\.isFirstResponder) == [false, true])
  }

  @Test func `A view that cannot be first responder does not become first responder`() {
    let page = Page("a")
    let (scroll, text) = (HeadlessScrollView(), HeadlessTextView())
    page.addView(scroll)
    page.addView(text)
    #expect(!scroll.becomeFirstResponder() && !scroll.isFirstResponder)
    #expect(text.becomeFirstResponder() && text.isFirstResponder)
    text.isEditable = false
    #expect(!text.becomeFirstResponder())
  }

  @Test func `A root that was replaced belongs to no window, unless another has taken it`() {
    let windows = [HeadlessWindow()]
    let second = HeadlessWindow(beside: windows[0])
    let pages = ["old", "new"].map { Page($0) }
    let fields = pages.map { page in
      let field = HeadlessTextField(restorationIdentifier: "field")
      page.addView(field)
      return field
    }
    /// True when the fields of both pages share one first responder.
    func areOfOneApp() -> Bool {
      fields[1].becomeFirstResponder()
      fields[0].becomeFirstResponder()
      return !fields[1].isFirstResponder
    }
    windows[0].rootController = pages[0]
    windows[0].rootController = pages[1]
    #expect(!areOfOneApp(), "the old root is in no window")
    windows[0].rootController = pages[0]
    second.rootController = pages[0]
    windows[0].rootController = pages[1]
    #expect(areOfOneApp(), "the second window has the old root")
  }
}
