import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Rows 25 and 27: saved positions and selections are applied once their content is there, and are written by
// each save until then.
@MainActor
@Suite struct `Content that arrives after the restore` {
  typealias Models = `Containers and views`.Models

  private final class Rows: HeadlessDataSource {
    var elementCounts: [Int]
    init(_ elementCounts: [Int]) { self.elementCounts = elementCounts }
  }

  private let store = InMemoryStateStore()
  private let identifiers = (0..<30).map { "id\($0)" }

  private func coordinator() throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version("1"))
  }

  private func app(_ views: HeadlessView...) -> TestApp {
    let page = Page("a")
    for view in views { page.addView(view) }
    return TestApp(root: page)
  }

  private func save(_ app: TestApp) async throws {
    let coordinator = try coordinator()
    await coordinator.launch(TestApp())
    try await coordinator.save(app)
  }

  /// Launches an app and saves it twice before its content arrives.
  private func launch(_ app: TestApp) async throws {
    for _ in 0..<2 {
      let coordinator = try coordinator()
      #expect(await coordinator.launch(app).diagnostics.isEmpty)
      try await coordinator.save(app)
    }
  }

  private func table(_ source: (any HeadlessDataSource)? = nil) -> HeadlessTableView {
    let table = HeadlessTableView(restorationIdentifier: "table", rowHeight: 10)
    table.visibleHeight = 50
    table.dataSource = source
    return table
  }

  private func row(_ row: Int) -> RestorationIndexPath { RestorationIndexPath(row: row) }

  /// Saves a table of thirty rows that is scrolled to 72 and has rows 3 and 9 selected.
  private func saveTable(_ source: any HeadlessDataSource) async throws {
    let saved = table(source)
    saved.scroll(to: 72)
    saved.select([row(3), row(9)])
    try await save(app(saved))
  }

  // Row 27.
  @Test(arguments: [true, false])
  func `A table whose rows arrive late gets its position and selection`(
    hasSource: Bool
  ) async throws {
    let source = Models(identifiers)
    try await saveTable(source)
    let late = Models([])
    let restored = table(hasSource ? late : nil)
    try await launch(app(restored))
    #expect(restored.selectedIndexPaths.isEmpty && restored.contentOffset.y == 0)
    late.identifiers = ["new"] + Array(identifiers.prefix(5))
    if hasSource { restored.reloadData() } else { restored.dataSource = late }
    #expect(restored.selectedIndexPaths == [row(4)])
    late.identifiers = ["new"] + identifiers
    restored.reloadData()
    #expect(restored.selectedIndexPaths == [row(4), row(10)])
    #expect(restored.contentOffset.y == 82)
    #expect(restored.firstVisibleIndexPath.map { late.identifiers[$0.row] } == "id7")
  }

  @Test
  func `A table without association gets position and selection as rows arrive`() async throws {
    let (source, late) = (Rows([30]), Rows([]))
    try await saveTable(source)
    let restored = table(late)
    try await launch(app(restored))
    late.elementCounts = [6]
    restored.reloadData()
    #expect(restored.selectedIndexPaths == [row(3)] && restored.contentOffset.y == 10)
    late.elementCounts = [30]
    restored.reloadData()
    #expect(restored.selectedIndexPaths == [row(3), row(9)] && restored.contentOffset.y == 72)
  }

  // Row 27.
  @Test func `Rows that arrive late do not undo what the user has done meanwhile`() async throws {
    let source = Models(identifiers)
    try await saveTable(source)
    let late = Models(Array(identifiers.prefix(6)))
    let restored = table(late)
    try await launch(app(restored))
    restored.select([row(0)])
    restored.scroll(to: 5)
    late.identifiers = identifiers
    restored.reloadData()
    #expect(restored.selectedIndexPaths == [row(0)] && restored.contentOffset.y == 5)
    try await save(app(restored))
    let next = table(late)
    try await launch(app(next))
    #expect(next.selectedIndexPaths == [row(0)] && next.contentOffset.y == 5)
  }

  // Row 25.
  @Test func `A scroll view scrolls to late content, with the zoom that was saved`() async throws {
    func view(_ range: ClosedRange<Double>) -> HeadlessScrollView {
      let view = HeadlessScrollView(restorationIdentifier: "scroll")
      view.zoomScaleRange = range
      return view
    }
    let saved = view(1...20)
    (saved.contentHeight, saved.contentWidth) = (1_000, 1_000)
    saved.zoom(to: 12)
    saved.scroll(to: HeadlessPoint(x: 30, y: 480))
    try await save(app(saved))
    let restored = view(1...2)
    try await launch(app(restored))
    #expect(restored.contentOffset == HeadlessPoint() && restored.zoomScale == 2)
    restored.zoomScaleRange = 1...20
    #expect(restored.zoomScale == 12)
    restored.contentHeight = 20
    #expect(restored.contentOffset == HeadlessPoint(x: 0, y: 240))
    (restored.contentHeight, restored.contentWidth) = (1_000, 1_000)
    #expect(restored.contentOffset == HeadlessPoint(x: 30, y: 480))
    restored.contentHeight = 10_000
    #expect(restored.contentOffset == HeadlessPoint(x: 30, y: 480))
  }

  @Test func `Late content scrolls nothing after the user has scrolled`() async throws {
    let saved = HeadlessScrollView(restorationIdentifier: "scroll")
    saved.contentHeight = 1_000
    saved.scroll(to: 480)
    try await save(app(saved))
    let restored = HeadlessScrollView(restorationIdentifier: "scroll")
    try await launch(app(restored))
    restored.scroll(to: 0)
    restored.contentHeight = 1_000
    #expect(restored.contentOffset.y == 0)
  }

  // Row 25.
  @Test
  func `A saved selection is restored in the first text that arrives, and in no later one`()
    async throws
  {
    let saved = (
      HeadlessTextField(restorationIdentifier: "field"),
      HeadlessTextView(restorationIdentifier: "view")
    )
    (saved.0.text, saved.1.text) = ("a text of 21 letters.", "a text of 21 letters.")
    saved.0.select(10..<20)
    saved.1.select(2..<6)
    saved.1.contentHeight = 500
    saved.1.scroll(to: 120)
    try await save(app(saved.0, saved.1))
    let (field, view) = (
      HeadlessTextField(restorationIdentifier: "field"),
      HeadlessTextView(restorationIdentifier: "view")
    )
    try await launch(app(field, view))
    #expect(field.selectedRange == nil && view.selectedRange == nil)
    field.text = "short"
    field.text = "a text of 21 letters."
    view.text = "a text of 21 letters."
    view.contentHeight = 500
    #expect(field.selectedRange == nil, "the first text was too short")
    #expect(view.selectedRange == 2..<6 && view.contentOffset.y == 120)
  }

  @Test(arguments: [true, false])
  func `A tab bar selects the saved tab when its tabs arrive`(isSameObject: Bool) async throws {
    let saved = HeadlessTabBarController(
      restorationIdentifier: "tabs", tabs: [Page("home"), Page("reminders")])
    saved.select(saved.children[1])
    try await save(TestApp(root: saved))
    let bar = HeadlessTabBarController(restorationIdentifier: "tabs")
    let app = TestApp(root: bar)
    let pages = [Page("home"), Page("reminders")]
    if isSameObject {
      app.make = { path in pages.first { $0.restorationIdentifier == path.identifier } }
    }
    let coordinator = try coordinator()
    await coordinator.launch(app)
    try await coordinator.save(app)
    bar.setChildren(pages)
    #expect(bar.selectedTab === pages[1])
    bar.select(pages[0])
    bar.setChildren([pages[1], pages[0]])
    #expect(bar.selectedTab === pages[0])
  }

  @Test
  func `A tab bar that is saved before its tabs arrive keeps the selected tab`() async throws {
    let saved = HeadlessTabBarController(
      restorationIdentifier: "tabs", tabs: [Page("home"), Page("reminders")])
    saved.select(saved.children[1])
    try await save(TestApp(root: saved))
    for _ in 0..<2 {
      let coordinator = try coordinator()
      let app = TestApp(root: HeadlessTabBarController(restorationIdentifier: "tabs"))
      await coordinator.launch(app)
      try await coordinator.save(app)
    }
    let bar = HeadlessTabBarController(restorationIdentifier: "tabs")
    await (try coordinator()).launch(TestApp(root: bar))
    bar.setChildren([Page("home"), Page("reminders")])
    #expect(bar.selectedTab?.restorationIdentifier == "reminders")
  }

  // A row that is lower today is itself at the top, not the row after it.
  @Test func `The first visible row stays the same where rows have another height`() async throws {
    let source = Models(identifiers)
    let saved = HeadlessTableView(restorationIdentifier: "table", rowHeight: 40)
    saved.dataSource = source
    saved.scroll(to: 315)
    #expect(saved.firstVisibleIndexPath == row(7))
    try await save(app(saved))
    for height in [35.0, 36, 40, 80] {
      let restored = HeadlessTableView(restorationIdentifier: "table", rowHeight: height)
      restored.dataSource = source
      let coordinator = try coordinator()
      await coordinator.launch(app(restored))
      #expect(restored.firstVisibleIndexPath == row(7), "\(height)")
      #expect(restored.contentOffset.y == 7 * height + (height > 35 ? 35 : 0))
    }
  }

  // The data source of an app may index an array.
  @Test func `A save does not look up a selected row that no longer exists`() async throws {
    let source = Models(identifiers)
    let saved = table(source)
    saved.select([row(3), row(29)])
    source.identifiers = Array(identifiers.prefix(5))
    try await save(app(saved))
    let restored = table(source)
    try await launch(app(restored))
    #expect(restored.selectedIndexPaths == [row(3)])
  }
}
