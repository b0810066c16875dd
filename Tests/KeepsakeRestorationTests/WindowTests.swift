import KeepsakeArchive
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Several windows: rows 6, 42 and 45, and the first responder, of which there is one.
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
  @Test func `are made by the app in their number and order, and get their roots`() async throws {
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
  @Test func `that the app does not make are reported, each once`() async throws {
    let relaunch = try await relaunch(saved(["a", "b", "c"]))
    #expect(notes(relaunch.app) == ["of a"])
    let codes = relaunch.restoreReport.diagnostics.map(\.code)
    #expect(codes == [.windowNotRestored, .unattached, .unattached])
    #expect(relaunch.restoreReport.diagnostics.first?.message.contains("2 of 3") == true)
  }

  @Test func `more than were saved stay as the app has built them`() async throws {
    let relaunch = try await relaunch(saved(["a"])) {
      let app = TestApp(windowCount: 2)
      app.make = { _ in Page() }
      app.windows[1].rootController = Page("other", note: "built")
      return app
    }
    #expect(notes(relaunch.app) == ["of a", "built"])
  }

  // Row 45.
  @Test func `with roots of one identifier are reported, and the second one is not saved`()
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
  @Test func `that show one root are reported, and the second one is empty afterwards`()
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

  @Test func `have one first responder`() {
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
    #expect(views[2].isFirstResponder, "only the first responder itself resigns")
    views[2].resignFirstResponder()
    #expect(views.allSatisfy { !$0.isFirstResponder })

    // Who joins the windows as first responder is the only one.
    let joining = HeadlessTextField()
    let pushed = Page("pushed")
    pushed.addView(joining)
    views[2].becomeFirstResponder()
    joining.becomeFirstResponder()
    #expect(views[2].isFirstResponder && joining.isFirstResponder, "not one interface yet")
    (app.windows[0].rootController as? HeadlessNavigationController)?.push(pushed)
    #expect(!views[2].isFirstResponder && joining.isFirstResponder)

    let stranger = HeadlessTextField()
    let elsewhere = TestApp(root: Page("stranger"))
    elsewhere.root?.addView(stranger)
    views[0].becomeFirstResponder()
    stranger.becomeFirstResponder()
    #expect(views[0].isFirstResponder, "another app has a first responder of its own")
  }

  // What an app lists twice by mistake hides nothing of what comes before it.
  @Test func `have one first responder, beside a page that is contained twice`() {
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

  @Test func `have no first responder that cannot be one`() {
    let page = Page("a")
    let (scroll, text) = (HeadlessScrollView(), HeadlessTextView())
    page.addView(scroll)
    page.addView(text)
    #expect(!scroll.becomeFirstResponder() && !scroll.isFirstResponder)
    #expect(text.becomeFirstResponder() && text.isFirstResponder)
    text.isEditable = false
    #expect(!text.becomeFirstResponder())
  }

  @Test func `a root that was replaced belongs to no window, unless another has taken it`() {
    let windows = [HeadlessWindow()]
    let second = HeadlessWindow(beside: windows[0])
    let pages = ["old", "new"].map { Page($0) }
    let fields = pages.map { page in
      let field = HeadlessTextField(restorationIdentifier: "field")
      page.addView(field)
      return field
    }
    /// Whether the fields of both pages have one first responder together.
    func areOfOneApp() -> Bool {
      fields[1].becomeFirstResponder()
      fields[0].becomeFirstResponder()
      return !fields[1].isFirstResponder
    }
    windows[0].rootController = pages[0]
    windows[0].rootController = pages[1]
    #expect(!areOfOneApp(), "the old one is gone")
    windows[0].rootController = pages[0]
    second.rootController = pages[0]
    windows[0].rootController = pages[1]
    #expect(areOfOneApp(), "the second window has it")
  }
}
