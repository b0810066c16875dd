import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Row 44: an unclaimed record is kept for one more launch, and then refers to the same objects.
@MainActor
@Suite struct `Unclaimed state` {
  private let store = InMemoryStateStore()

  /// Restores and saves an app that has built a stack of these pages.
  private func launch(_ pages: [Page]) async throws -> SaveReport {
    let stack = HeadlessNavigationController(restorationIdentifier: "stack")
    stack.setChildren(pages)
    let app = TestApp(root: stack)
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    _ = await coordinator.launch(app)
    return try await coordinator.save(app)
  }

  private func pages(_ identifiers: String...) -> [Page] { identifiers.map { Page($0) } }

  @Test func `A kept reference leads to the same object at its new position`() async throws {
    let first = pages("a", "b", "c", "album")
    first[3].friend = first[1]
    _ = try await launch(first)
    // The album is not built this time, and all other pages have other positions.
    let kept = try await launch(pages("new", "c", "newer", "b", "a"))
    #expect(kept.diagnostics.map(\.code) == [.unclaimed])
    let last = pages("newest", "album", "c", "a", "b")
    _ = try await launch(last)
    #expect(last[1].friend === last[4])
  }

  @Test func `Kept references within values lead to the same objects`() async throws {
    let first = pages("a", "b", "album")
    first[2].onEncode = { coder in
      let places = [first[1], first[0], nil].map {
        DynamicValue.reference(coder.reference(to: $0).objectID)
      }
      let fields = [DynamicRecord.Field(key: "page", value: places[0])]
      let values: [DynamicValue] = [
        .enumeration("at", DynamicRecord(fields: fields)), .record(DynamicRecord(fields: fields)),
        .dictionary([DynamicEntry(key: .string("x"), value: .array(places))]), .string("b"),
      ]
      coder.encode(values, forKey: "places")
    }
    _ = try await launch(first)
    // "a" is not built this time either, so that it is kept in another place than before.
    _ = try await launch(pages("new", "b"))
    let last = pages("album", "b", "newest", "a")
    var found: [[Page?]] = []
    last[0].onDecode = { coder in
      let values = try coder.decode([DynamicValue].self, forKey: "places")
      found = try values.map { value in
        try DynamicRecord(fields: [DynamicRecord.Field(key: "value", value: value)]).references
          .map { try coder.object(for: ArchiveReference($0), as: Page.self) }
      }
      #expect(values.count == 4 && values.last == .string("b"))
    }
    _ = try await launch(last)
    #expect(found.map { $0.map { $0?.restorationIdentifier } } == [["b"], ["b"], ["b", "a"], []])
  }
}

// Row 22: the answers of a restoration class of registered objects.
@MainActor
@Suite struct `A restoration class of objects` {
  typealias Filter = `Registered objects`.Filter
  typealias FilterPage = `Registered objects`.FilterPage

  /// A class with the name of the class that saved; it makes no object.
  enum Declining: ObjectRestorationClass {
    static var restorationClassName: String { Filter.restorationClassName }

    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? {
      #expect(try coder.decode(String.self, forKey: "term") == "swift")
      return nil
    }
  }

  enum Failing: ObjectRestorationClass {
    static var restorationClassName: String { Filter.restorationClassName }

    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? {
      throw TestFailure()
    }
  }

  private let store = InMemoryStateStore()

  private func coordinator(
    _ restorationClass: any ObjectRestorationClass.Type
  ) throws -> RestorationCoordinator {
    var registry = RestorationRegistry()
    try registry.register(objectRestorationClass: restorationClass)
    return RestorationCoordinator(store: store, gate: try .version("1"), registry: registry)
  }

  /// Saves a page with a filter, and restores it with another restoration class for the filter.
  private func restore(
    by restorationClass: any ObjectRestorationClass.Type
  ) async throws -> (page: FilterPage, report: RestoreReport) {
    let (page, filter) = (FilterPage("page", note: "kept"), Filter("swift", hasClass: true))
    page.filter = filter
    let saving = try coordinator(Filter.self)
    await saving.prepare()
    try saving.register(filter, identifier: "filter")
    _ = try await saving.save(TestApp(root: page))
    let again = FilterPage("page")
    let report = await (try coordinator(restorationClass)).launch(TestApp(root: again))
    // The page that refers to the object is restored in any case.
    #expect(again.note == "kept")
    return (again, report)
  }

  @Test func `A restoration class makes a registered object`() async throws {
    let (page, report) = try await restore(by: Filter.self)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(page.filter?.term == "swift")
  }

  @Test func `A restoration class may make no object, and the report says so`() async throws {
    let (page, report) = try await restore(by: Declining.self)
    #expect(page.filter == nil)
    #expect(report.diagnostics.map(\.code) == [.declined])
    #expect(report.diagnostics.map(\.path?.components) == [["filter"]])
  }

  @Test func `A restoration class may fail, and the report says why`() async throws {
    let (page, report) = try await restore(by: Failing.self)
    #expect(page.filter == nil)
    #expect(report.diagnostics.map(\.code) == [.factoryFailed])
    #expect(report.diagnostics.map(\.path?.components) == [["filter"]])
    #expect(report.diagnostics.first?.message.contains("test failure") == true)
  }
}
