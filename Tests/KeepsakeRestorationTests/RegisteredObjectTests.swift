import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Row 22; scenarios 55, 57 and 58 of the restoration rules (Spec/restoration.md, section 8).
@MainActor
@Suite struct `Registered objects` {
  final class Filter: RestorableObject, ObjectRestorationClass {
    var restorationIdentifier: String?
    weak var parent: (any RestorableObject)?
    var term: String
    var isFinished = false
    var restorationParent: (any RestorableObject)? { parent }
    var objectRestorationClass: (any ObjectRestorationClass.Type)?

    init(_ term: String = "", hasClass: Bool = false) {
      self.term = term
      objectRestorationClass = hasClass ? Filter.self : nil
    }

    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      coder.encode(term, forKey: "term")
    }

    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      term = try coder.decode(String.self, forKey: "term")
    }

    func applicationFinishedRestoringState() { isFinished = true }

    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? {
      CallLog.add("object \(path)")
      return Filter(hasClass: true)
    }
  }

  /// A page with a reference to a filter.
  final class FilterPage: Page {
    var filter: Filter?

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encodeReference(filter, forKey: "filter")
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      filter = try coder.decodeReference(Filter.self, forKey: "filter")
    }
  }

  private let store = InMemoryStateStore()

  private func coordinator(registersClass: Bool = true) throws -> RestorationCoordinator {
    var registry = RestorationRegistry()
    if registersClass { try registry.register(objectRestorationClass: Filter.self) }
    return RestorationCoordinator(store: store, gate: try .version("1"), registry: registry)
  }

  private func pagesApp() -> TestApp {
    let app = TestApp()
    app.make = { $0.identifier == "n" ? HeadlessNavigationController() : FilterPage() }
    return app
  }

  private func saveTwoPages(sharing filter: Filter) async throws -> SaveReport {
    let pages = ["a", "b"].map { FilterPage($0) }
    pages.forEach { $0.filter = filter }
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    let coordinator = try coordinator()
    await coordinator.prepare()
    try coordinator.register(filter, identifier: "filter")
    return try await coordinator.save(TestApp(root: navigation))
  }

  // Row 22, scenario 55.
  @Test
  func `A registered object is made once by its class, for all references to it`() async throws {
    let report = try await saveTwoPages(sharing: Filter("swift", hasClass: true))
    #expect(report.objects.map(\.path.components).contains(["filter"]))
    try await CallLog.record { log in
      let app = pagesApp()
      let restored = await (try coordinator()).launch(app)
      #expect(restored.diagnostics.isEmpty, "\(restored)")
      #expect(log.calls.filter { $0 == "object [filter]" }.count == 1)
      let pages = try #require(app.root?.children as? [FilterPage])
      let filter = try #require(pages[0].filter)
      #expect(pages[1].filter === filter)
      #expect(filter.term == "swift" && filter.isFinished)
    }
  }

  // Row 22.
  @Test func `An object that was registered again is found, and not made again`() async throws {
    _ = try await saveTwoPages(sharing: Filter("swift", hasClass: true))
    try await CallLog.record { log in
      let again = Filter()
      let coordinator = try coordinator()
      try coordinator.register(again, identifier: "filter")
      let app = pagesApp()
      let report = await coordinator.launch(app)
      #expect(report.objects.first { $0.kind == .object }?.source == .registration)
      #expect(again.term == "swift" && !log.calls.contains("object [filter]"))
      #expect((app.root?.children.first as? FilterPage)?.filter === again)
    }
  }

  @Test(arguments: [true, false])
  func `A registered object that cannot be made is left out`(hasClass: Bool) async throws {
    _ = try await saveTwoPages(sharing: Filter("swift", hasClass: hasClass))
    let app = pagesApp()
    let report = await (try coordinator(registersClass: false)).launch(app)
    #expect(report.diagnostics.map(\.code) == [hasClass ? .unregisteredClass : .notFound])
    #expect((app.root?.children.first as? FilterPage)?.filter == nil)
  }

  // Row 22, scenario 57.
  @Test
  func `A registered object is saved without references to it, below its parent`() async throws {
    let coordinator = try coordinator()
    await coordinator.prepare()
    let page = Page("a")
    let (filter, free) = (Filter("scoped"), Filter("free"))
    filter.parent = page
    try coordinator.register(filter, identifier: "filter")
    try coordinator.register(free, identifier: "filter")
    var gone: Filter? = Filter("gone")
    try coordinator.register(try #require(gone), identifier: "gone")
    gone = nil
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.paths == [["a"], ["a", "filter"], ["filter"]])
    withExtendedLifetime((filter, free)) {}
  }

  // Row 22, scenario 58.
  @Test func `An object is not registered without an identifier or under a second one`() throws {
    let coordinator = try coordinator()
    let filter = Filter()
    let empty = #expect(throws: RestorationError.self) {
      try coordinator.register(filter, identifier: "")
    }
    #expect(empty?.code == .invalidRegistration)
    try coordinator.register(filter, identifier: "filter")
    try coordinator.register(filter, identifier: "filter")
    let error = #expect(throws: RestorationError.self) {
      try coordinator.register(filter, identifier: "other")
    }
    #expect(error?.message.contains("\"filter\"") == true)
  }

  @Test func `A reference to an object that was not registered is not written`() async throws {
    let page = FilterPage("a")
    let filter = Filter()
    filter.restorationIdentifier = "filter"
    page.filter = filter
    let coordinator = try coordinator()
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.diagnostics.map(\.code) == [.unsavedReference])
  }

  /// A page that has its own filter, and registers it through its coder when it decodes.
  final class OwningPage: Page {
    let own = Filter()
    var registersEarly = false

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      if !registersEarly { try coder.register(own, identifier: "own") }
    }
  }

  // Row 22: the restore makes the parent, so its path is not known before.
  @Test(arguments: [true, false])
  func `A registered object is found below a parent that the restore makes`(registersEarly: Bool)
    async throws
  {
    let page = OwningPage("page")
    page.own.term = "saved"
    page.own.parent = page
    let navigation = HeadlessNavigationController(restorationIdentifier: "n", root: page)
    let saving = try coordinator()
    await saving.prepare()
    try saving.register(page.own, identifier: "own")
    let saved = try await saving.save(TestApp(root: navigation))
    #expect(saved.paths == [["n"], ["n", "page"], ["n", "page", "own"]])

    let restoring = try coordinator()
    let app = TestApp()
    var made: OwningPage?
    app.makeReading = { path, coder in
      if path.identifier == "n" { return HeadlessNavigationController() }
      let page = OwningPage()
      page.own.parent = page
      page.registersEarly = registersEarly
      if registersEarly { try coder.register(page.own, identifier: "own") }
      made = page
      return page
    }
    let report = await restoring.launch(app)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(made?.own.term == "saved" && made?.own.isFinished == true)
    #expect(try await restoring.save(app).paths == saved.paths)
  }

  /// A class whose filters do not name it as their restoration class.
  enum Maker: ObjectRestorationClass {
    static var made: [Filter] = []

    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? {
      made.append(Filter())
      return made.last
    }
  }

  // Rows 16 and 22: identifier, parent and class are kept for the next save.
  @Test
  func `An object that its class made is saved again with its path and its class`() async throws {
    Maker.made = []
    var registry = RestorationRegistry()
    try registry.register(objectRestorationClass: Maker.self)
    let configuration = RestorationConfiguration(gate: try .version("1"), registry: registry)
    let page = Page("page")
    let filter = Filter("saved")
    filter.objectRestorationClass = Maker.self
    filter.parent = page
    let first = RestorationCoordinator(store: store, configuration: configuration)
    await first.prepare()
    try first.register(filter, identifier: "filter")
    try await first.save(TestApp(root: page))
    for launch in 1...3 {
      let coordinator = RestorationCoordinator(store: store, configuration: configuration)
      let app = TestApp.standard()
      let report = await coordinator.launch(app)
      #expect(report.diagnostics.isEmpty, "\(launch): \(report)")
      #expect(Maker.made.count == launch && Maker.made.last?.term == "saved")
      let saved = try await coordinator.save(app)
      #expect(saved.paths == [["page"], ["page", "filter"]] && saved.diagnostics.isEmpty)
    }
    Maker.made = []
  }

  /// The rows of a table, which are restored like any other object.
  final class Rows: RestorableObject, HeadlessDataSource, RestorationModelAssociation {
    var restorationIdentifier: String?
    var restorationParent: (any RestorableObject)? { nil }
    var names: [String] = []
    var elementCounts: [Int] { [names.count] }

    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      coder.encode(names, forKey: "names")
    }

    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      names = try coder.decode([String].self, forKey: "names")
    }

    func modelIdentifier(
      forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
    ) -> String? { names[indexPath.row] }

    func indexPath(
      forModelIdentifier identifier: String, in view: any RestorableView
    ) -> RestorationIndexPath? {
      names.firstIndex(of: identifier).map { RestorationIndexPath(row: $0) }
    }
  }

  // Rows 22 and 27: the rows are restored after the table has decoded.
  @Test func `A table whose rows are a registered object keeps its selection and position`()
    async throws
  {
    func app(_ rows: Rows) -> (TestApp, HeadlessTableView) {
      let table = HeadlessTableView(restorationIdentifier: "table", rowHeight: 10)
      table.visibleHeight = 30
      table.dataSource = rows
      let page = Page("page")
      page.addView(table)
      return (TestApp(root: page), table)
    }
    let rows = Rows()
    rows.names = (0..<40).map { "row \($0)" }
    let (first, table) = app(rows)
    table.scroll(to: 125)
    table.select([RestorationIndexPath(row: 14)])
    let saving = try coordinator()
    await saving.prepare()
    try saving.register(rows, identifier: "rows")
    try await saving.save(first)

    let again = Rows()
    let (second, restored) = app(again)
    let restoring = try coordinator()
    try restoring.register(again, identifier: "rows")
    let report = await restoring.launch(second)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(restored.selectedIndexPaths == [RestorationIndexPath(row: 14)])
    #expect(restored.contentOffset.y == 125)
  }

  // Row 38.
  @Test func `A restore is extended through a coder`() async throws {
    _ = try await saveTwoPages(sharing: Filter("swift"))
    let coordinator = try coordinator()
    let filter = Filter()
    try coordinator.register(filter, identifier: "filter")
    let app = pagesApp()
    app.onDecode = { $0.extendRestoration() }
    await coordinator.launch(app)
    #expect(store.isMarked)
    let error = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
    #expect(error?.code == .restorationInProgress)
    try coordinator.completeRestoration()
    #expect(!store.isMarked)
  }

  @Test func `A delegate registers objects when it is asked to restore and before it encodes`()
    async throws
  {
    _ = try await saveTwoPages(sharing: Filter("swift"))
    let filter = Filter()
    let app = pagesApp()
    app.shouldRestore = { coder in
      try coder.register(filter, identifier: "filter")
      return true
    }
    let coordinator = try coordinator()
    await coordinator.launch(app)
    #expect(filter.term == "swift")
    let late = Filter("late")
    app.willEncode = { try $0.register(late, identifier: "late") }
    #expect(try await coordinator.save(app).paths.contains(["late"]))
  }
}
