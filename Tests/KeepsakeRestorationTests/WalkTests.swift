import KeepsakeArchive
import KeepsakeTesting
import Testing

import KeepsakeHeadless
@testable import KeepsakeRestoration

// How walks of an interface treat objects that they reach twice, and where they end.
@MainActor
@Suite struct `A walk of the interface` {
  private let store = InMemoryStateStore()

  private func coordinator() throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version("1"))
  }

  private func save(_ app: TestApp) async throws -> SaveReport {
    let coordinator = try coordinator()
    await coordinator.prepare()
    return try await coordinator.save(app)
  }

  private func box(_ identifier: String?, _ children: [HeadlessViewController]) -> Box {
    let box = Box(identifier)
    box.setChildren(children)
    return box
  }

  /// Three windows, the last two with the same root: a walk reaches it twice before it reaches the first root.
  private func app(
    first: HeadlessViewController, twice: HeadlessViewController
  ) -> TestApp {
    let app = TestApp(windowCount: 3)
    for (window, root) in zip(app.windows, [first, twice, twice]) { window.rootController = root }
    return app
  }

  // Row 40.
  @Test func `A screen that is not saved is found beside one that two windows show`() async throws {
    #expect(try await save(app(first: Page(nil), twice: Page("a"))).ignoresSnapshot)
  }

  @Test func `A pruned node names its lost objects without those that a reference rescued`()
    async throws
  {
    let rescued = Page("rescued")
    let root = box("r", [box(nil, [rescued, Page("lost")])])
    root.friend = rescued
    let messages = try await save(TestApp(root: root)).diagnostics.map(\.message)
    #expect(messages.count == 1)
    #expect(messages.first?.hasSuffix(" Lost with it: Page#lost.") == true, "\(messages)")
  }

  @Test(arguments: [1, 9, 10, 11, 9_998, 9_999, 10_000])
  func `A pruned node names ten lost objects, and counts ten thousand`(count: Int) async throws {
    let hidden = box(nil, (0..<count).map { Page("\($0)") })
    let messages = try await save(TestApp(root: box("r", [hidden]))).diagnostics.map(\.message)
    #expect(messages.count == 1)
    // The node itself is one of ten thousand.
    let more = min(count, 9_999) - 10
    #expect(
      messages.first?.hasSuffix(
        more > 0 ? ", Page#9 and \(more) more." : "Page#\(count - 1).") == true, "\(messages)")
  }

  @Test func `A pruned node counts its views among the ten thousand objects`() async throws {
    let hidden = box(nil, (0..<10_000).map { Page("\($0)") })
    for number in 0..<100 { hidden.addView(HeadlessTextField(restorationIdentifier: "\(number)")) }
    let messages = try await save(TestApp(root: box("r", [hidden]))).diagnostics.map(\.message)
    #expect(messages.count == 1)
    // The node itself is one of them, and ten are named.
    #expect(messages.first?.hasSuffix(" and 9989 more.") == true, "\(messages)")
  }

  /// Saves a page that a reference rescued from below a node without an identifier, and restores it
  /// below others.
  private func isFound(below hidden: (Page) -> [HeadlessViewController]) async throws -> Bool {
    let saved = Page("target")
    let root = box("r", [box(nil, [saved])])
    root.friend = saved
    _ = try await save(TestApp(root: root))
    let target = Page("target")
    let next = box("r", hidden(target))
    _ = await (try coordinator()).launch(TestApp(root: next))
    return next.friend === target
  }

  @Test(arguments: [1, 9_999, 10_000, 10_001])
  func `A restore searches at most ten thousand nodes for a rescued object`(count: Int) async throws
  {
    let isFound = try await isFound { target in
      (1..<count).map { _ in Box() } + [box(nil, [target])]
    }
    #expect(isFound == (count <= 10_000))
  }

  @Test
  func `A restore looks for a rescued object beside a node that is contained twice`() async throws {
    let isFound = try await isFound { target in
      let twice = Box()
      return [twice, twice, box(nil, [target])]
    }
    #expect(isFound)
  }

  @Test func `A restore looks for a rescued object at any depth`() async throws {
    #expect(try await isFound { target in [box(nil, [box(nil, [Page("other"), target])])] })
  }

  @Test func `A restore does not look for a rescued object below a node with an identifier`()
    async throws
  {
    #expect(try await !isFound { target in [box("named", [box(nil, [target])])] })
  }

  // MARK: Saved properties

  private final class Draft: HeadlessViewController {
    override class var restorationTypeName: String { "Draft" }
    @Saved var text = ""
  }

  private final class DraftView: HeadlessView {
    override class var restorationTypeName: String { "DraftView" }
    @Saved var text = ""
  }

  private final class Changes: StateChangeObserver {
    var count = 0
    func noteStateChange() { count += 1 }
    func findSavedProperties() {}
  }

  @Test func `Saved properties are found in every kind of object`() {
    let (root, child, registered) = (
      Draft(restorationIdentifier: "root"), Draft(restorationIdentifier: "child"),
      Draft(restorationIdentifier: "registered")
    )
    let view = DraftView(restorationIdentifier: "view")
    child.addView(view)
    root.setChildren([child])
    let app = app(first: root, twice: Page("a"))
    let places: [() -> Void] = [
      { root.text += "1" }, { child.text += "1" }, { view.text += "1" }, { registered.text += "1" },
    ]
    for set in places {
      let (properties, changes) = (SavedProperties(registry: RestorationRegistry()), Changes())
      properties.changes.add(changes)
      set()
      properties.find(in: app, [registered])
      #expect(changes.count == 1, "the search found a property that was set")
      properties.find(in: app, [registered])
      #expect(changes.count == 1, "no property was set since")
      for set in places { set() }
      #expect(changes.count == 5, "the search has found all properties")
    }
  }

  /// The modules that this test declares; other tests declare others in the same process.
  private var unfoundModules: Set<String> {
    SavedProperty.modulesOfUnfound.filter { $0.hasPrefix("Declaring") }
  }

  @Test func `The modules of properties that were not found are known`() {
    var properties = ["DeclaringA/1", "DeclaringB/1", "DeclaringA/1", "DeclaringA/2"].map {
      SavedProperty(key: nil, file: $0, line: 1)
    }
    #expect(unfoundModules == ["DeclaringA", "DeclaringB"])
    properties.removeLast(2)
    #expect(unfoundModules == ["DeclaringA", "DeclaringB"])
    properties.removeFirst()
    #expect(unfoundModules == ["DeclaringB"])
    #expect(!properties[0].join(StateChanges()))
    #expect(unfoundModules.isEmpty, "its declaration was found")
    properties = []
    #expect(unfoundModules.isEmpty)
    _ = SavedProperty(key: nil, file: "DeclaringB/1", line: 1)
    #expect(unfoundModules.isEmpty)
  }

  // MARK: Reports

  @Test
  func `A report has the type of each object, whatever happened to those before it`() async throws {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n", root: Page("top"))
    let saved: [HeadlessViewController] = [ClassPage(restorationIdentifier: "lost"), navigation]
    _ = try await save(TestApp(root: box("r", saved)))
    let next = box(
      "r", [HeadlessNavigationController(restorationIdentifier: "n", root: Page("top"))])
    let report = await (try coordinator()).launch(TestApp(root: next))
    let types = Dictionary(
      uniqueKeysWithValues: report.objects.map { ($0.path.identifier, $0.typeName) })
    #expect(
      types == [
        "r": Box.restorationTypeName, "lost": ClassPage.restorationTypeName,
        "n": HeadlessNavigationController.restorationTypeName, "top": Page.restorationTypeName,
      ])
    #expect(report.disposition(of: "r", "lost") == .dropped)
  }
}
