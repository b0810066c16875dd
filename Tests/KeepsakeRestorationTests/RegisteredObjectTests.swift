import KeepsakeArchive
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

  /// A page that holds on to a filter.
  final class FilterPage: Page {
    var filter: Filter?

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(reference: filter, forKey: "filter")
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
  @Test func `is made once by its class, for all that refer to it`() async throws {
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
  @Test func `is found when it was registered again, and not made anew`() async throws {
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
  func `is left out when nobody can make it`(hasClass: Bool) async throws {
    _ = try await saveTwoPages(sharing: Filter("swift", hasClass: hasClass))
    let app = pagesApp()
    let report = await (try coordinator(registersClass: false)).launch(app)
    #expect(report.diagnostics.map(\.code) == [hasClass ? .unregisteredClass : .notFound])
    #expect((app.root?.children.first as? FilterPage)?.filter == nil)
  }

  // Row 22, scenario 57.
  @Test func `is saved though nothing refers to it, with its parent in its path`() async throws {
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
  @Test func `is refused without identifier, and under a second one`() throws {
    let coordinator = try coordinator()
    let filter = Filter()
    #expect(throws: RestorationError.self) { try coordinator.register(filter, identifier: "") }
    try coordinator.register(filter, identifier: "filter")
    try coordinator.register(filter, identifier: "filter")
    let error = #expect(throws: RestorationError.self) {
      try coordinator.register(filter, identifier: "other")
    }
    #expect(error?.message.contains("\"filter\"") == true)
  }

  @Test func `is no reference when it was not registered`() async throws {
    let page = FilterPage("a")
    let filter = Filter()
    filter.restorationIdentifier = "filter"
    page.filter = filter
    let coordinator = try coordinator()
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.diagnostics.map(\.code) == [.unsavedReference])
  }
}
