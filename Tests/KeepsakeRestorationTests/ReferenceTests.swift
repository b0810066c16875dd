import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Coders, references and classes: rows 17 to 23 and 41; scenarios 8, 29, 31, 34 and 38 to 40.
@MainActor
@Suite struct `Coders and references` {
  /// An object that has no state: it uses every default implementation.
  final class Stateless: RestorableObject {
    var restorationIdentifier: String?
    weak var restorationParent: (any RestorableObject)?
    init(_ parent: (any RestorableObject)? = nil) { restorationParent = parent }
  }

  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  /// Restores with pages that read by a closure.
  private func relaunch(
    _ root: HeadlessViewController,
    reading onDecode: @escaping (String, borrowing RestorationDecoder) throws -> Void
  ) async throws -> Relaunch<TestApp> {
    try await KeepsakeRestorationTests.relaunch(TestApp(root: root)) {
      let app = TestApp()
      app.make = { path in
        if path.identifier == "n" { return HeadlessNavigationController() }
        let page = Page()
        page.onDecode = { try onDecode(path.identifier, $0) }
        return page
      }
      return app
    }
  }

  // Row 19.
  @Test func `An object that writes nothing is saved, restored and referred to`() async throws {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.prepare()
    let object = Stateless()
    try coordinator.register(object, identifier: "stateless")
    let page = Page("a")
    page.friend = object
    try await coordinator.save(TestApp(root: page))

    let next = RestorationCoordinator(store: store, gate: try .version("1"))
    let again = Stateless()
    try next.register(again, identifier: "stateless")
    var found: Stateless?
    let app = TestApp()
    app.make = { _ in
      let page = Page()
      page.onDecode = { found = try $0.decodeReference(forKey: "friend") }
      return page
    }
    let report = await next.launch(app)
    #expect(report.disposition(of: "stateless") == .restored)
    #expect(found === again)
  }

  // Row 20, scenario 31.
  @Test func `References in dictionaries and arrays lead to the same instances`() async throws {
    let (a, b, c) = (Page("a"), Page("b"), Page("c"))
    a.onEncode = { coder in
      coder.encodeNamedReferences(["left": b, "right": c, "again": b], forKey: "named")
      coder.encodeReferences([c, b, c], forKey: "listed")
    }
    var named: [String: Page] = [:]
    var listed: [Page] = []
    let relaunch = try await relaunch(stack(a, b, c)) { identifier, coder in
      guard identifier == "a" else { return }
      named = try coder.decodeNamedReferences(forKey: "named")
      listed = try coder.decodeReferences(forKey: "listed")
      let absent: [String: Page] = try coder.decodeNamedReferences(forKey: "absent")
      #expect(absent.isEmpty)
    }
    let pages = try #require(relaunch.app.root?.children as? [Page])
    #expect(named.keys.sorted() == ["again", "left", "right"])
    #expect(
      named["left"] === pages[1] && named["again"] === pages[1] && named["right"] === pages[2])
    #expect(listed.count == 3 && listed[0] === pages[2] && listed[1] === pages[1])
  }

  // Row 20: a dictionary has no order of its own, but the order in an archive must not change.
  @Test func `The objects that a dictionary refers to are saved in the order of their names`()
    async throws
  {
    let page = Page("a")
    let pages = (0..<20).map { Page("p\($0)") }
    page.onEncode = { coder in
      let named = pages.enumerated().map {
        ("\(99 - $0.offset)", $0.element as any RestorableObject)
      }
      coder.encodeNamedReferences(Dictionary(uniqueKeysWithValues: named), forKey: "named")
    }
    let coordinator = RestorationCoordinator(store: InMemoryStateStore(), gate: try .version("1"))
    await coordinator.prepare()
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.paths.dropFirst().map { $0[0] } == pages.reversed().map(\.restorationIdentifier))
  }

  // Row 21, scenario 34.
  @Test func `A value that two objects own is restored as two copies`() async throws {
    final class Tag: ArchiveRecord {
      let name: String
      init(_ name: String) { self.name = name }
      func encode(to coder: inout ObjectEncoder) { coder.encode(name, forKey: "name") }
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        name = try coder.decode(forKey: "name")
      }
    }
    let shared = Tag("shared")
    let pages = ["a", "b"].map { Page($0) }
    pages.forEach { page in page.onEncode = { $0.encode(shared, forKey: "tag") } }
    var tags: [Tag] = []
    _ = try await relaunch(stack(pages[0], pages[1])) { _, coder in
      tags.append(try coder.decode(Tag.self, forKey: "tag"))
    }
    #expect(tags.map(\.name) == ["shared", "shared"] && tags[0] !== tags[1])
  }

  // Row 17, scenario 29.
  @Test func `Two objects may use one key for values of two types`() async throws {
    let (a, b) = (Page("a"), Page("b"))
    a.onEncode = { $0.encode("text", forKey: "k") }
    b.onEncode = { $0.encode(7, forKey: "k") }
    var read: [String] = []
    _ = try await relaunch(stack(a, b)) { identifier, coder in
      if identifier == "a" { read.append(try coder.decode(String.self, forKey: "k")) }
      if identifier == "b" { read.append("\(try coder.decode(Int.self, forKey: "k"))") }
    }
    #expect(read == ["text", "7"])
  }

  // Row 18, scenario 8.
  // The application, its factories and every object read them.
  @Test func `Every coder reads the same reserved values`() async throws {
    let store = InMemoryStateStore()
    var saves = 0
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1")) {
      saves += 1
      return ReservedValues(
        userInterfaceIdiom: 5, timestamp: ArchiveDate(secondsSinceReferenceDate: Double(saves)),
        systemVersion: "Linux 6")
    }
    await coordinator.prepare()
    let page = Page("a")
    page.restorationTemplate = "Template"
    for _ in 0..<2 { try await coordinator.save(TestApp(root: stack(page, Page("b")))) }

    let app = TestApp()
    var read: [String] = []
    let readAll = { (coder: borrowing RestorationDecoder) in
      let version = try coder.decode(String.self, forKey: .bundleVersion)
      let idiom = try coder.decode(Int.self, forKey: .userInterfaceIdiom)
      let date = try coder.decode(ArchiveDate.self, forKey: .timestamp)
      let system = try coder.decode(String.self, forKey: .systemVersion)
      let template = try coder.decodeIfPresent(String.self, forKey: .template) ?? "none"
      let seconds = Int(date.secondsSinceReferenceDate)
      read.append("\(version) \(idiom) \(seconds) \(system) \(template)")
    }
    app.shouldRestore = { coder in
      try readAll(coder)
      return true
    }
    app.onDecode = { try readAll($0) }
    app.makeReading = { path, coder in
      try readAll(coder)
      if path.identifier == "n" { return HeadlessNavigationController() }
      let page = Page()
      page.onDecode = { try readAll($0) }
      return page
    }
    let next = RestorationCoordinator(store: store, gate: try .version("1"))
    let report = await next.launch(app)
    #expect(report.diagnostics.isEmpty, "\(report)")
    let (plain, templated) = ("1 5 2 Linux 6 none", "1 5 2 Linux 6 Template")
    #expect(
      read == [
        plain, plain, templated, plain, templated, plain, plain,
      ], "the application, three factories, two pages, the application")
  }

  // Row 22.
  // A parent that is not saved is not in the path.
  @Test func `The path of a registered object skips a parent without an identifier`() async throws {
    let (page, pruned) = (Page("a"), Page(nil))
    let (scoped, free) = (Stateless(page), Stateless(pruned))
    let coordinator = RestorationCoordinator(store: InMemoryStateStore(), gate: try .version("1"))
    await coordinator.prepare()
    try coordinator.register(scoped, identifier: "o")
    try coordinator.register(free, identifier: "o")
    let report = try await coordinator.save(TestApp(root: page))
    #expect(report.paths == [["a"], ["a", "o"], ["o"]])
  }

  // Row 23, scenario 40.
  @Test func `An unrelated object stays in the interface and decodes nothing`() async throws {
    try await CallLog.record { log in
      let relaunch = try await KeepsakeRestorationTests.relaunch(
        TestApp(root: stack(Second.Inner("a", note: "saved"), Page("b", note: "saved")))
      ) {
        let app = TestApp()
        app.make = { path in
          switch path.identifier {
          case "n": HeadlessNavigationController()
          case "a": First.Inner()
          default: Page()
          }
        }
        return app
      }
      #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.classMismatch])
      #expect(relaunch.app.root?.children.first is First.Inner)
      #expect(relaunch.app.root?.children.map { ($0 as? Page)?.note } == ["", "saved"])
      #expect(!log.calls.contains("decode a") && !log.calls.contains("finished a"))
      #expect(log.calls.contains("finished b"))
    }
  }

  /// A value that refers to a page, as a part of larger values.
  struct Bookmark: ArchiveRecord {
    var title: String
    var page: ArchiveReference

    init(_ title: String, _ page: ArchiveReference) {
      self.title = title
      self.page = page
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(title, forKey: "title")
      coder.encode(page, forKey: "page")
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      title = try coder.decode(forKey: "title")
      page = try coder.decode(forKey: "page")
    }
  }

  // Row 20: a reference is a value, and can be part of other values.
  @Test func `References in nested values lead to the same instances`() async throws {
    let (a, b, c) = (Page("a"), Page("b"), Page("c"))
    a.onEncode = { coder in
      let (first, second) = (coder.reference(to: b), coder.reference(to: c))
      coder.encode([[first], [], [second, first]], forKey: "rows")
      coder.encode(["x": [second]], forKey: "named")
      coder.encode(
        [Bookmark("one", first), Bookmark("two", coder.reference(to: nil))], forKey: "marks")
    }
    var found: [Page?] = []
    let relaunch = try await relaunch(stack(a, b, c)) { identifier, coder in
      guard identifier == "a" else { return }
      let rows = try coder.decode([[ArchiveReference]].self, forKey: "rows")
      let named = try coder.decode([String: [ArchiveReference]].self, forKey: "named")
      let marks = try coder.decode([Bookmark].self, forKey: "marks")
      let references = rows.flatMap { $0 } + (named["x"] ?? []) + marks.map(\.page)
      for reference in references { found.append(try coder.object(for: reference)) }
      let error = #expect(throws: RestorationError.self) {
        _ = try coder.object(for: rows[0][0], as: Box.self)
      }
      #expect(error?.code == .typeMismatch)
    }
    let pages = try #require(relaunch.app.root?.children as? [Page])
    let expected: [Page?] = [pages[1], pages[2], pages[1], pages[2], pages[1], nil]
    #expect(
      found.map { $0.map(ObjectIdentifier.init) } == expected.map { $0.map(ObjectIdentifier.init) })
  }

  // Row 20: the place of an object that was not restored is nil.
  @Test func `References in an array keep their places`() async throws {
    let (a, gone, c) = (Page("a"), ClassPage(restorationIdentifier: "gone"), Page("c"))
    a.onEncode = { $0.encodeReferences([gone, Page(nil), c], forKey: "listed") }
    var (places, compact): ([Page?], [Page]) = ([], [])
    let relaunch = try await relaunch(stack(a, c, gone)) { identifier, coder in
      guard identifier == "a" else { return }
      places = try coder.decodeOptionalReferences(forKey: "listed")
      compact = try coder.decodeReferences(forKey: "listed")
      let absent = try coder.decodeOptionalReferences(Page.self, forKey: "absent")
      #expect(absent.isEmpty)
    }
    let last = try #require(relaunch.app.root?.children.last as? Page)
    #expect(places.count == 3 && places[0] == nil && places[1] == nil && places[2] === last)
    #expect(compact.count == 1 && compact.first === last)
  }
}
