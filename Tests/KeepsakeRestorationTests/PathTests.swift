import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Identifiers, paths and pruning: rows 5 to 7, 9, 10, 28, 30 and 45; scenarios 11, 12, 15, 16, 18, 19
// and 48.
@MainActor
@Suite struct `Paths and pruning` {
  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  // Row 5, scenario 11.
  @Test func `An unidentified page of a stack is left out, and the others keep their order`()
    async throws
  {
    let relaunch = try await relaunch(
      TestApp(root: stack(Page(nil), Page("b"), Page(""), Page("c"))))
    #expect(relaunch.saveReport.paths == [["n"], ["n", "b"], ["n", "c"]])
    #expect(relaunch.app.root?.children.map(\.restorationIdentifier) == ["b", "c"])
  }

  // Row 6, scenarios 12 and 15.
  @Test func `A pruned node is reported, and left out with all that it contains and presents`()
    async throws
  {
    let (root, middle, sibling) = (Box("r"), Box(nil), Page("s"))
    middle.setChildren([Page("leaf")])
    let presented = Box("p")
    presented.setChildren([Page("deep")])
    middle.present(presented)
    root.setChildren([middle, sibling])
    let relaunch = try await relaunch(TestApp(root: root))
    #expect(relaunch.saveReport.paths == [["r"], ["r", "s"]])
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.pruned])
    #expect(relaunch.saveReport.diagnostics.first?.message.contains("A Box below [r]") == true)
  }

  // Row 42, scenario 16.
  @Test func `Each window is restored independently of the others`() async throws {
    let app = TestApp(windowCount: 3)
    app.windows[0].rootController = Page("a", note: "of a")
    app.windows[1].rootController = Page(nil, note: "lost")
    app.windows[2].rootController = Page("c", note: "of c")
    let relaunch = try await relaunch(app) {
      let app = TestApp(windowCount: 3)
      app.make = { _ in Page() }
      return app
    }
    let notes = relaunch.app.windows.map { ($0.rootController as? Page)?.note }
    #expect(notes == ["of a", nil, "of c"])
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }

  // Row 10, scenario 19.
  // The calls have the order of the stack.
  @Test func `The delegate makes two pages with one identifier by two calls with the same path`()
    async throws
  {
    try await CallLog.record { log in
      let relaunch = try await relaunch(
        TestApp(root: stack(Page("x", note: "lower"), Page("y"), Page("x", note: "upper"))))
      #expect(
        log.calls.filter { $0.hasPrefix("make") } == [
          "make [n]", "make [n, x]", "make [n, y]", "make [n, x]",
        ])
      #expect(
        relaunch.app.root?.children.map { ($0 as? Page)?.note } == ["lower", "", "upper"])
    }
  }

  // Row 45.
  // The first and the last child share an identifier.
  @Test(arguments: [3, 40])
  func `Two children with one identifier are found in a container of any width`(count: Int)
    async throws
  {
    let box = Box("box")
    box.setChildren((0..<count).map { Page($0 == count - 1 ? "0" : "\($0)") })
    let report = try await relaunch(TestApp(root: box)).saveReport
    #expect(report.objects.count == count)
    #expect(report.diagnostics.map(\.code) == [.duplicatePath])
    #expect(report.diagnostics.first?.path?.components == ["box", "0"])
  }

  // Row 10.
  @Test
  func `Tabs need different identifiers, but children of different parents do not`() async throws {
    let tabs = HeadlessTabBarController(
      restorationIdentifier: "tabs", tabs: [Page("x"), Page("x"), Box("y")])
    tabs.children[2].setChildren([Page("x")])
    let report = try await relaunch(TestApp(root: tabs)).saveReport
    #expect(report.paths == [["tabs"], ["tabs", "x"], ["tabs", "y"], ["tabs", "y", "x"]])
    #expect(report.diagnostics.map(\.code).contains(.duplicatePath))
  }

  // Row 10: a node and a view are looked up separately, so they may share an identifier.
  @Test func `A child is distinguished from a view with the same identifier`() async throws {
    let box = Box("box")
    box.setChildren([Page("x", note: "child")])
    let view = HeadlessTextField(restorationIdentifier: "x")
    view.text = "text"
    view.select(1..<3)
    box.addView(view)
    let restored = HeadlessTextField(restorationIdentifier: "x")
    restored.text = "text"
    let relaunch = try await relaunch(TestApp(root: box)) {
      let app = TestApp()
      app.make = { path in
        guard path.identifier == "box" else { return Page() }
        let box = Box()
        box.addView(restored)
        return box
      }
      return app
    }
    #expect(relaunch.saveReport.diagnostics.isEmpty && relaunch.restoreReport.diagnostics.isEmpty)
    #expect((relaunch.app.root?.children.first as? Page)?.note == "child")
    #expect(restored.selectedRange == 1..<3)
  }

  // Rows 10 and 45.
  @Test
  func `A second object with one path is found when only a reference reaches it`() async throws {
    // Paths leave the pruned box out, so its child and a child of the outer box have one path.
    for count in [1, 30] {
      let (box, pruned) = (Box("box"), Box(nil))
      let twin = Page("x")
      pruned.setChildren([twin])
      let first = Page("first")
      first.friend = twin
      box.setChildren([pruned, first, Page("x")] + (1..<count).map { Page("\($0)") })
      let report = try await relaunch(TestApp(root: box)).saveReport
      #expect(report.objects.count == count + 2)
      #expect(report.diagnostics.map(\.code) == [.pruned, .duplicatePath])
    }
  }

  // Row 10.
  @Test(arguments: [true, false], [2, 20])
  func `A child that is listed twice is saved once`(isStack: Bool, count: Int) async throws {
    let pages = (0..<count).map { Page("\($0)") }
    let container =
      isStack ? HeadlessNavigationController(restorationIdentifier: "c") : Box("c")
    container.setChildren(pages + [pages[0]])
    container.present(pages[0])
    try await CallLog.record { log in
      let report = try await relaunch(TestApp(root: container)).saveReport
      #expect(report.objects.count == count + 1 && report.diagnostics.isEmpty, "\(report)")
      #expect(log.calls.count { $0 == "encode 0" } == 1)
    }
  }

  // Row 30, scenario 48.
  // The walk finds the children, and the restore reports a container that does not put them back.
  @Test func `The children of a container that encodes none of them are saved`() async throws {
    let careless = Page("box")
    careless.setChildren([Page("child", note: "saved")])
    let relaunch = try await relaunch(TestApp(root: careless)) {
      let app = TestApp()
      app.make = { _ in Page() }
      return app
    }
    #expect(relaunch.saveReport.paths == [["box"], ["box", "child"]])
    #expect(relaunch.restoreReport.disposition(of: "box", "child") == .restored)
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.unattached])
  }

  // Row 9.
  // A path is not a joined string, so an identifier may contain any character.
  @Test func `Paths whose joined identifiers are equal stay distinct`() async throws {
    let (one, two) = (Box("a"), Box("a/b"))
    one.setChildren([Page("b/c", note: "1")])
    two.setChildren([Page("c", note: "2")])
    let box = Box("box")
    box.setChildren([one, two])
    let relaunch = try await relaunch(TestApp(root: box)) {
      let app = TestApp()
      app.make = { ["a", "a/b", "box"].contains($0.identifier) ? Box() : Page() }
      return app
    }
    let notes = relaunch.app.root?.children.flatMap(\.children).map { ($0 as? Page)?.note }
    #expect(notes == ["1", "2"])
    #expect(relaunch.saveReport.diagnostics.isEmpty)
  }

  // Row 9: two spellings of one letter are two identifiers, as they are two keys.
  @Test(arguments: [1, 20])
  func `Identifiers are compared by their bytes`(count: Int) async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed, "Swift compares them as equal")
    let box = Box("box")
    let friend = Page(composed, note: "friend")
    let pages = [Page(composed, note: "composed"), Page(decomposed, note: "decomposed")]
    box.setChildren(pages + (1..<count).map { Page("\($0)") })
    pages[0].friend = friend
    let built = Box("box")
    let existing = [Page(decomposed), Page(composed)]
    built.setChildren(existing + (1..<count).map { Page("\($0)") })
    let relaunch = try await relaunch(TestApp(root: box)) {
      let app = TestApp(root: built)
      app.make = { $0.identifier == composed && $0.count == 1 ? Page() : nil }
      return app
    }
    #expect(relaunch.saveReport.diagnostics.isEmpty, "\(relaunch.saveReport)")
    #expect(existing.map(\.note) == ["decomposed", "composed"])
    let paths = relaunch.saveReport.objects.map(\.path)
    #expect(Set(paths).count == count + 3)

    var registry = RestorationRegistry()
    try registry.register(formerPath: [composed], for: ["a"])
    try registry.register(formerPath: [decomposed], for: ["b"])
    try registry.register(template: composed) { _ in nil }
    try registry.register(template: decomposed) { _ in nil }
  }
}
