import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Row 44: unclaimed records are distinguished by path, ordinal and kind, as all objects are.
@MainActor
@Suite struct `Unclaimed records that have one path` {
  private let store = InMemoryStateStore()

  /// Launches an app and saves it.
  @discardableResult
  private func launch(
    _ app: TestApp
  ) async throws -> (restored: RestoreReport, saved: SaveReport) {
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    let report = await coordinator.launch(app)
    return (report, try await coordinator.save(app))
  }

  private func page(_ identifier: String, _ note: String, child: String? = nil) -> Box {
    let page = Box(identifier, note: note)
    if let child { page.setChildren([Page("inner", note: child)]) }
    return page
  }

  private func stack(_ pages: HeadlessViewController...) -> TestApp {
    let stack = HeadlessNavigationController(restorationIdentifier: "n")
    stack.setChildren(pages)
    return TestApp(root: stack)
  }

  private func notes(_ app: TestApp) -> [String] {
    (app.root?.children ?? []).flatMap { child in
      [child] + child.children
    }.compactMap { ($0 as? Page)?.note }
  }

  // Row 44.
  @Test func `Unclaimed twins on a stack are all kept, with their children`() async throws {
    try await launch(
      stack(page("x", "first", child: "in first"), page("x", "second", child: "in second")))
    let (_, saved) = try await launch(stack())
    #expect(saved.diagnostics.map(\.code) == Array(repeating: .unclaimed, count: 4))
    let again = stack(page("x", "", child: ""), page("x", "", child: ""))
    #expect(try await launch(again).restored.diagnostics.isEmpty)
    #expect(notes(again) == ["first", "in first", "second", "in second"])
  }

  @Test func `An unclaimed record is kept in addition to an existing twin`() async throws {
    try await launch(stack(page("x", "first"), page("x", "second")))
    let (_, saved) = try await launch(stack(page("x", "")))
    #expect(saved.diagnostics.map(\.code) == [.unclaimed])
    let (first, second) = (page("x", ""), page("x", ""))
    try await launch(stack(first, second))
    #expect(first.note == "first" && second.note == "second")
  }

  // Row 44.
  @Test(arguments: [true, false])
  func `Unclaimed twins are kept where one is a view and the other a child`(
    isChildThere: Bool
  ) async throws {
    func app(hasChild: Bool, hasView: Bool, text: String = "") -> (TestApp, HeadlessTextField) {
      let root = Box("r")
      let field = HeadlessTextField(restorationIdentifier: "x")
      field.text = "a text of 21 letters."
      if hasView { root.addView(field) }
      if hasChild { root.setChildren([Page("x", note: text)]) }
      return (TestApp(root: root), field)
    }
    let (first, field) = app(hasChild: true, hasView: true, text: "of the child")
    field.select(3..<6)
    try await launch(first)
    let (_, saved) = try await launch(app(hasChild: isChildThere, hasView: false).0)
    #expect(
      saved.diagnostics.map(\.code) == Array(repeating: .unclaimed, count: isChildThere ? 1 : 2))
    let (again, restored) = app(hasChild: true, hasView: true)
    #expect(try await launch(again).restored.diagnostics.isEmpty)
    #expect(restored.selectedRange == 3..<6 && notes(again) == ["of the child"])
  }

  @Test func `A reference of a kept record leads to the same twin as before`() async throws {
    let first = stack(page("x", "first"), page("x", "second"), page("y", "third"))
    (first.root?.children.last as? Page)?.friend = first.root?.children[1]
    try await launch(first)
    try await launch(stack())
    let again = stack(page("x", ""), page("x", ""), page("y", ""))
    #expect(try await launch(again).restored.diagnostics.isEmpty)
    let third = try #require(again.root?.children.last as? Page)
    #expect(third.friend === again.root?.children[1])
  }
}
