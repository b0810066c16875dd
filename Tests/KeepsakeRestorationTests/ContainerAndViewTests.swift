import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `Containers and views` {
  final class Rows: HeadlessDataSource {
    let elementCounts: [Int]
    init(_ elementCounts: [Int]) { self.elementCounts = elementCounts }
  }

  final class Models: HeadlessDataSource, RestorationModelAssociation {
    var identifiers: [String]
    init(_ identifiers: [String]) { self.identifiers = identifiers }

    var elementCounts: [Int] { [identifiers.count] }

    func modelIdentifier(
      forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
    ) -> String? { identifiers[indexPath.row] }

    func indexPath(
      forModelIdentifier identifier: String, in view: any RestorableView
    ) -> RestorationIndexPath? {
      identifiers.firstIndex(of: identifier).map { RestorationIndexPath(row: $0) }
    }
  }

  @Test
  func `The stored name of a headless class has the module KeepsakeRestoration`() {
    let names = [HeadlessView.self, HeadlessScrollView.self, HeadlessTableView.self].map {
      (type: HeadlessView.Type) in type.restorationTypeName
    }
    #expect(
      names == [
        "KeepsakeRestoration.HeadlessView", "KeepsakeRestoration.HeadlessScrollView",
        "KeepsakeRestoration.HeadlessTableView",
      ])
    #expect(
      HeadlessSplitController.restorationTypeName == "KeepsakeRestoration.HeadlessSplitController")
    #expect(Page.restorationTypeName == "KeepsakeRestorationTests.Page")
  }

  /// Saves a view in a page and restores it into another, in an app that was prepared for it.
  private func relaunchView(
    _ saved: HeadlessView, into restored: HeadlessView,
    preparing prepare: @MainActor (TestApp) -> Void = { _ in }
  ) async throws {
    let page = Page("a")
    page.addView(saved)
    let report = try await relaunch(TestApp(root: page)) {
      let app = TestApp()
      app.make = { _ in
        let page = Page()
        page.addView(restored)
        return page
      }
      prepare(app)
      return app
    }.restoreReport
    #expect(report.diagnostics.isEmpty, "\(report)")
  }

  private func scrollView(contentHeight: Double) -> HeadlessScrollView {
    let view = HeadlessScrollView(restorationIdentifier: "scroll")
    (view.contentHeight, view.visibleHeight) = (contentHeight, 100)
    return view
  }

  // Row 25, scenario 49.
  @Test func `A scroll view keeps offset, inset and zoom, within today's content`() async throws {
    let saved = scrollView(contentHeight: 1_000)
    saved.contentInset = 10
    saved.zoom(to: 2)
    saved.scroll(to: 480)
    let same = scrollView(contentHeight: 1_000)
    try await relaunchView(saved, into: same)
    #expect((same.contentOffset.y, same.contentInset, same.zoomScale) == (480, 10, 2))
    let shorter = scrollView(contentHeight: 100)
    try await relaunchView(saved, into: shorter)
    #expect(shorter.contentOffset.y == 110)
  }

  @Test func `A scroll view ignores NaN and infinite offsets, and limits an infinite zoom`() {
    let view = scrollView(contentHeight: 1_000)
    for offset in [Double.nan, .infinity, -.infinity] {
      view.scroll(to: offset)
      #expect(view.contentOffset.y == 0)
    }
    view.zoom(to: .nan)
    #expect(view.zoomScale == 1)
    view.zoom(to: .infinity)
    #expect(view.zoomScale == 10)
    view.zoom(to: -1)
    #expect(view.zoomScale == 0.1)
  }

  private func table(_ source: any HeadlessDataSource) -> HeadlessTableView {
    let table = HeadlessTableView(restorationIdentifier: "table", rowHeight: 10)
    table.visibleHeight = 50
    table.dataSource = source
    return table
  }

  /// A table that writes a position that no table can have.
  private final class OddTable: HeadlessView {
    override class var restorationTypeName: String { HeadlessTableView.restorationTypeName }
    var offset: [Double]? = []
    var zoomScale = 1.0
    var firstModel: String?

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      try coder.withScope("ScrollView") { coder in
        if let offset { coder.encode(offset, forKey: "contentOffset") }
        coder.encode(0.0, forKey: "contentInset")
        coder.encode(zoomScale, forKey: "zoomScale")
      }
      try coder.withScope("ElementView") { coder in
        coder.encode([0], forKey: "selectedSections")
        coder.encode([4], forKey: "selectedRows")
        if let firstModel { coder.encode(firstModel, forKey: "firstVisibleModel") }
      }
    }
  }

  @Test(arguments: [[], [20], [20, 30, 40]] as [[Double]])
  func `A table ignores an offset that does not have two dimensions`(
    offset: [Double]
  ) async throws {
    let saved = OddTable(restorationIdentifier: "table")
    saved.offset = offset
    let source = Rows([30])
    let restored = table(source)
    try await relaunchView(saved, into: restored)
    #expect(restored.contentOffset == HeadlessPoint(x: 0, y: 0))
    #expect(restored.selectedIndexPaths == [RestorationIndexPath(row: 4)])
  }

  @Test(arguments: [nil, "id7"])
  func `A table restores the finite part of a position, and the nearest allowed zoom`(
    firstModel: String?
  ) async throws {
    let saved = OddTable(restorationIdentifier: "table")
    (saved.offset, saved.zoomScale, saved.firstModel) = ([20, .infinity], .infinity, firstModel)
    let source = Models((0..<30).map { "id\($0)" })
    let restored = table(source)
    (restored.contentWidth, restored.visibleWidth) = (100, 50)
    try await relaunchView(saved, into: restored)
    #expect(restored.contentOffset == HeadlessPoint(x: 20, y: 0))
    #expect(restored.zoomScale == 10)
  }

  @Test func `A table whose position cannot be read keeps its selection`() async throws {
    let source = Rows([30])
    let (saved, restored) = (OddTable(restorationIdentifier: "table"), table(source))
    saved.offset = nil
    restored.select([RestorationIndexPath(row: 1)])
    let (page, newPage) = (Page("a"), Page())
    page.addView(saved)
    newPage.addView(restored)
    let report = try await relaunch(TestApp(root: page)) {
      let app = TestApp()
      app.make = { _ in newPage }
      return app
    }.restoreReport
    #expect(report.diagnostics.map(\.code) == [.decodingFailed])
    #expect(restored.selectedIndexPaths == [RestorationIndexPath(row: 1)])
  }

  // Row 27, scenario 51.
  @Test func `A table finds its rows again by model identifier`() async throws {
    let source = Models((0..<30).map { "id\($0)" })
    let saved = table(source)
    saved.scroll(to: 72)
    saved.select([RestorationIndexPath(row: 3), RestorationIndexPath(row: 9)])
    let sorted = Models((0..<30).reversed().map { "id\($0)" }.filter { $0 != "id9" })
    let restored = table(sorted)
    try await relaunchView(saved, into: restored)
    #expect(restored.selectedIndexPaths.map { sorted.identifiers[$0.row] } == ["id3"])
    #expect(restored.firstVisibleIndexPath.map { sorted.identifiers[$0.row] } == "id7")
    #expect(
      restored.contentOffset.y == Double(sorted.identifiers.firstIndex(of: "id7") ?? 0) * 10 + 2)
  }

  /// Saves a table of thirty rows, and restores it where only the first few exist until the application
  /// decodes its own state.
  private func relaunchTable(
    havingFirst count: Int, _ use: (HeadlessTableView) -> Void
  ) async throws -> HeadlessTableView {
    let identifiers = (0..<30).map { "id\($0)" }
    let (source, later) = (Models(identifiers), Models(Array(identifiers.prefix(count))))
    let (saved, restored) = (table(source), table(later))
    use(saved)
    try await relaunchView(saved, into: restored) { app in
      app.onDecode = { _ in later.identifiers = identifiers }
    }
    #expect(source.identifiers == later.identifiers)
    return restored
  }

  // Row 27.
  @Test func `A table waits for its first visible row when nothing is selected`() async throws {
    let restored = try await relaunchTable(havingFirst: 0) { $0.scroll(to: 72) }
    #expect(restored.contentOffset.y == 72)
  }

  // Row 27.
  @Test func `A table waits for each of its selected rows`() async throws {
    let rows = [3, 9].map { RestorationIndexPath(row: $0) }
    let restored = try await relaunchTable(havingFirst: 5) { $0.select(rows) }
    #expect(restored.selectedIndexPaths == rows)
  }

  // Row 27, scenario 53.
  @Test func `A table without association keeps index paths and offset`() async throws {
    let (source, shorter) = (Rows([2, 10]), Rows([2, 4]))
    let saved = table(source)
    saved.scroll(to: 45)
    saved.select([
      RestorationIndexPath(section: 1, row: 3), RestorationIndexPath(section: 1, row: 8),
    ])
    let restored = table(source)
    try await relaunchView(saved, into: restored)
    #expect(restored.selectedIndexPaths == saved.selectedIndexPaths)
    #expect(restored.contentOffset.y == 45)
    #expect(restored.firstVisibleIndexPath == RestorationIndexPath(section: 1, row: 2))

    let cut = table(shorter)
    try await relaunchView(saved, into: cut)
    #expect(cut.selectedIndexPaths == [RestorationIndexPath(section: 1, row: 3)])
    #expect(cut.contentOffset.y == 10)
  }

  @Test func `An empty table has no first row and selects nothing`() async throws {
    let source = Rows([])
    let saved = table(source)
    saved.select([RestorationIndexPath(row: 0), RestorationIndexPath(section: -1, row: 0)])
    #expect(saved.firstVisibleIndexPath == nil && saved.selectedIndexPaths.isEmpty)
    try await relaunchView(saved, into: table(source))
  }

  // Row 25, scenario 54.
  @Test func `A text field drops a selection that no longer fits`() async throws {
    let saved = HeadlessTextField(restorationIdentifier: "field")
    saved.text = "a text of 21 letters."
    saved.select(10..<20)
    for (length, expected) in [(24, 10..<20), (20, 10..<20), (19, nil), (5, nil)] {
      let text = String(repeating: "x", count: length)
      let restored = HeadlessTextField(restorationIdentifier: "field")
      restored.text = text
      try await relaunchView(saved, into: restored)
      #expect(restored.selectedRange == expected)
    }
  }

  // Row 25.
  @Test func `A text view keeps scroll position, selection and editability`() async throws {
    let saved = HeadlessTextView(restorationIdentifier: "text")
    (saved.contentHeight, saved.visibleHeight, saved.isEditable) = (500, 100, false)
    saved.text = "a text of 21 letters."
    saved.scroll(to: 120)
    saved.select(2..<6)
    for (text, expected) in [("another text of 24 chars", 2..<6), ("a", nil)] {
      let restored = HeadlessTextView(restorationIdentifier: "text")
      (restored.contentHeight, restored.visibleHeight) = (500, 100)
      restored.text = text
      try await relaunchView(saved, into: restored)
      #expect((restored.contentOffset.y, restored.isEditable) == (120, false))
      #expect(restored.selectedRange == expected)
    }
  }

  // Row 25.
  @Test func `A collection counts its elements line by line`() async throws {
    let source = Models((0..<10).map { "id\($0)" })
    func collection(_ source: any HeadlessDataSource) -> HeadlessCollectionView {
      let view = HeadlessCollectionView(
        restorationIdentifier: "grid", lineHeight: 10, elementsPerLine: 3)
      view.visibleHeight = 10
      view.dataSource = source
      return view
    }
    let saved = collection(source)
    #expect(saved.contentHeight == 40)
    saved.scroll(to: 15)
    saved.select([RestorationIndexPath(row: 7)])
    #expect(saved.firstVisibleIndexPath == RestorationIndexPath(row: 3))
    let moved = Models(["new", "newer"] + source.identifiers)
    let restored = collection(moved)
    try await relaunchView(saved, into: restored)
    #expect(restored.selectedIndexPaths == [RestorationIndexPath(row: 9)])
    #expect(restored.contentOffset.y == 15, "id3 is in row 5, and this row is in the second line")
  }

  // Row 10.
  @Test func `A split controller keeps its columns in their places`() async throws {
    func columns(_ first: String?, _ second: String?, _ note: String) -> HeadlessSplitController {
      HeadlessSplitController(
        restorationIdentifier: "split",
        columns: [Page(first, note: note + "1"), Page(second, note: note + "2")])
    }
    let saved = columns("x", "x", "saved")
    saved.isPrimaryHidden = true
    let same = try await relaunch(TestApp(root: saved)) {
      let app = TestApp()
      app.make = { $0.count == 1 ? HeadlessSplitController() : Page() }
      return app
    }
    #expect(same.app.root?.children.map { ($0 as? Page)?.note } == ["saved1", "saved2"])
    #expect((same.app.root as? HeadlessSplitController)?.isPrimaryHidden == true)
    #expect(same.restoreReport.diagnostics.isEmpty)

    let built = columns(nil, "y", "built")
    let half = try await relaunch(TestApp(root: columns(nil, "y", "saved"))) {
      let app = TestApp(root: built)
      app.make = { $0.count == 1 ? built : Page() }
      return app
    }
    #expect(half.app.root?.children.map { ($0 as? Page)?.note } == ["built1", "saved2"])
  }

  @Test func `One field of a controller is first responder at a time`() {
    let page = Page("a")
    let fields = [HeadlessTextField(), HeadlessTextField()]
    fields.forEach(page.addView)
    fields[0].becomeFirstResponder()
    fields[1].becomeFirstResponder()
    #expect(fields.map(\.isFirstResponder) == [false, true])
    fields[1].resignFirstResponder()
    #expect(fields.allSatisfy { !$0.isFirstResponder })
  }

  @Test func `A restore finds each of a hundred views of a node`() async throws {
    func page(selecting length: Int) -> Page {
      let page = Page("a")
      for number in 0..<100 {
        let field = HeadlessTextField(restorationIdentifier: "field \(number)")
        field.text = "text"
        field.select(0..<length)
        page.addView(field)
      }
      return page
    }
    let relaunch = try await relaunch(TestApp(root: page(selecting: 3))) {
      let app = TestApp()
      app.make = { _ in page(selecting: 1) }
      return app
    }
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
    let fields = try #require(relaunch.app.root?.views as? [HeadlessTextField])
    #expect(fields.count == 100 && fields.allSatisfy { $0.selectedRange == 0..<3 })
  }

  @Test func `A view that its node no longer has is reported`() async throws {
    let page = Page("a")
    page.addView(scrollView(contentHeight: 10))
    let relaunch = try await relaunch(TestApp(root: page))
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.notFound])
    #expect(relaunch.restoreReport.disposition(of: "a") == .restored)
  }

  @Test func `A stack pops down to its root, and a controller presents one at a time`() {
    let navigation = HeadlessNavigationController(root: Page("a"))
    navigation.push(Page("b"))
    #expect(navigation.pop()?.restorationIdentifier == "b")
    #expect(navigation.pop() == nil && navigation.topController?.restorationIdentifier == "a")
    let first = Page("p")
    navigation.present(first)
    navigation.present(Page("q"))
    #expect(first.presentingController == nil)
    #expect(navigation.presentedController?.restorationIdentifier == "q")
  }

  // Rows 10 and 12: a column that is not restored leaves its place empty.
  @Test func `A split keeps its secondary column in its place when the primary is declined`()
    async throws
  {
    let saved = HeadlessSplitController(
      restorationIdentifier: "split",
      columns: [ClassPage(restorationIdentifier: "gone"), Page("b", note: "saved")])
    let relaunch = try await relaunch(TestApp(root: saved)) {
      let app = TestApp()
      app.make = { $0.count == 1 ? HeadlessSplitController() : Page() }
      return app
    }
    let split = try #require(relaunch.app.root as? HeadlessSplitController)
    #expect(split[.primary] == nil)
    #expect((split[.secondary] as? Page)?.note == "saved")
    #expect(split.children.count == 1)
    split[.primary] = Page("new")
    #expect(split.children.map(\.restorationIdentifier) == ["new", "b"])
  }

  // Row 10.
  @Test func `A split without a primary column keeps the others in their places`() async throws {
    let saved = HeadlessSplitController(restorationIdentifier: "split")
    saved[.secondary] = Page("b", note: "second")
    saved[.tertiary] = Page("c", note: "third")
    let relaunch = try await relaunch(TestApp(root: saved)) {
      let app = TestApp()
      app.make = { $0.count == 1 ? HeadlessSplitController() : Page() }
      return app
    }
    let split = try #require(relaunch.app.root as? HeadlessSplitController)
    let notes = HeadlessSplitController.Column.allCases.map {
      (split[$0] as? Page)?.note
    }
    #expect(notes == [nil, "second", "third"])
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }

  // Row 25: a map, for example, scrolls in both directions.
  @Test func `A scroll view keeps its offset in both directions`() async throws {
    func view(_ width: Double) -> HeadlessScrollView {
      let view = scrollView(contentHeight: 1_000)
      (view.contentWidth, view.visibleWidth) = (width, 50)
      return view
    }
    let saved = view(400)
    saved.scroll(to: HeadlessPoint(x: 120, y: 480))
    #expect(saved.contentOffset == HeadlessPoint(x: 120, y: 480))
    let (same, narrower) = (view(400), view(90))
    try await relaunchView(saved, into: same)
    try await relaunchView(saved, into: narrower)
    #expect(same.contentOffset == HeadlessPoint(x: 120, y: 480))
    #expect(narrower.contentOffset == HeadlessPoint(x: 40, y: 480))
    same.scroll(to: HeadlessPoint(x: .nan, y: 10))
    #expect(same.contentOffset == HeadlessPoint(x: 0, y: 10))
  }
}
