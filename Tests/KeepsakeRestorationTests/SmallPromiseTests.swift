import KeepsakeArchive
import KeepsakeTesting
import Testing

import KeepsakeHeadless
@testable import KeepsakeRestoration

// Details that are easily off by one, or wrong in a name or an order.
@MainActor
@Suite struct `Small promises` {
  private let store = InMemoryStateStore()

  private func coordinator(failedLaunchLimit: Int = 1) throws -> RestorationCoordinator {
    RestorationCoordinator(
      store: store, gate: try .version("1"), failedLaunchLimit: failedLaunchLimit)
  }

  private func save(_ app: TestApp) async throws -> SaveReport {
    let coordinator = try coordinator()
    await coordinator.prepare()
    return try await coordinator.save(app)
  }

  @Test func `A duration is shown in milliseconds, to the microsecond`() {
    #expect((Duration.seconds(61) + .microseconds(1_500)).shown == "61001.500 ms")
    #expect((Duration.microseconds(7) + .nanoseconds(999)).shown == "0.007 ms")
  }

  @Test func `Paths differ by the bytes of each of their components`() throws {
    let paths = try [["\u{E9}", "x"], ["e\u{301}", "x"], ["x", "x"]].map {
      try #require(RestorationPath($0))
    }
    #expect(paths[0] != paths[1] && paths[0] != paths[2] && Set(paths).count == 3)
    #expect(RestorationPath(["\u{E9}", "x"]) == paths[0])
  }

  @Test func `A budget is one mebibyte for an object and 64 for all`() {
    #expect(RestorationBudget().objectByteCount == 1_048_576)
    #expect(RestorationBudget().totalByteCount == 67_108_864)
  }

  @Test func `Zooming keeps the offset within the content`() {
    let view = HeadlessScrollView()
    view.contentHeight = 100
    view.visibleHeight = 10
    view.zoom(to: 2)
    view.scroll(to: 190)
    #expect(view.contentOffset.y == 190)
    view.zoom(to: 1)
    #expect(view.contentOffset.y == 90)
  }

  private final class Counts: HeadlessDataSource {
    let elementCounts = [0, 2, -1]
  }

  @Test func `A section without elements has no row to select`() {
    let (source, view) = (Counts(), HeadlessTableView())
    view.dataSource = source
    let paths = (0..<4).flatMap { section in
      (0..<3).map { RestorationIndexPath(section: section, row: $0) }
    }
    view.select(paths)
    #expect(view.selectedIndexPaths.map(\.section) == [1, 1])
  }

  @Test func `A height that is not finite and positive counts as one`() {
    for height in [Double.infinity, -.infinity, .nan, 0, -2] {
      #expect(HeadlessTableView(rowHeight: height).lineHeight == 1, "\(height)")
      let collection = HeadlessCollectionView(lineHeight: height, elementsPerLine: 2)
      #expect(collection.lineHeight == 1, "\(height)")
    }
  }

  @Test func `Reports of equal objects are equal`() {
    func reported(_ identifiers: [String]) -> ReportedObjects {
      ReportedObjects {
        identifiers.map { identifier in
          ReportedObject(
            path: RestorationPath(identifier, below: nil), typeName: "A", kind: .node,
            disposition: .saved, source: nil, byteCount: 1)
        }
      }
    }
    #expect(reported(["a", "b"]) == reported(["a", "b"]))
    #expect(reported(["a", "b"]) != reported(["a", "c"]))
  }

  // Row 33: the built-in classes call super themselves.
  @Test func `A split controller calls the methods of its superclass`() async throws {
    let split = HeadlessSplitController(restorationIdentifier: "split")
    split[.primary] = Page("list")
    let report = try await save(TestApp(root: split))
    #expect(report.diagnostics.isEmpty, "\(report)")
  }

  @Test(arguments: [1, 2])
  func `The launches that failed are counted in words`(count: Int) async throws {
    _ = try await save(TestApp(root: Page("a")))
    for _ in 0..<count { await (try coordinator(failedLaunchLimit: count)).prepare() }
    let last = try coordinator(failedLaunchLimit: count)
    guard case .interrupted(let message)? = await last.prepare() else {
      Issue.record("the state was not refused")
      return
    }
    #expect(
      message.hasPrefix(
        count == 1 ? "The last launch ended while" : "The last 2 launches ended while"))
  }

  @Test func `The notice on each node that is left out names the objects lost with this node`()
    async throws
  {
    let root = Box("r")
    let second = Box()
    second.setChildren([Page("lost")])
    root.setChildren([Page(nil), second])
    let messages = try await save(TestApp(root: root)).diagnostics.map(\.message)
    try #require(messages.count == 2)
    #expect(!messages[0].contains("Lost with it"))
    #expect(messages[1].hasSuffix(" Lost with it: Page#lost."))
  }

  private enum Maker: ObjectRestorationClass {
    static var restorationClassName: String { "Maker" }
    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? { nil }
  }

  private enum Other: ObjectRestorationClass {
    static var restorationClassName: String { "Maker" }
    static func restorableObject(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableObject)? { nil }
  }

  @Test func `An object class has a name of its own, and is found by an alias too`() throws {
    var registry = RestorationRegistry()
    try registry.register(objectRestorationClass: Maker.self)
    try registry.register(objectRestorationClass: Maker.self)
    let error = #expect(throws: RestorationError.self) {
      try registry.register(objectRestorationClass: Other.self)
    }
    #expect(error?.code == .invalidRegistration)
    #expect(error?.message.contains("another object restoration class") == true)
    try registry.register(objectRestorationClass: Other.self, alias: "Former")
    #expect(registry.objectRestorationClass(named: "Maker") == Maker.self)
    #expect(registry.objectRestorationClass(named: "Former") == Other.self)
    #expect(registry.objectRestorationClass(named: "Else") == nil)
  }

  // Row 44.
  @Test
  func `Unclaimed records are kept below an unclaimed parent and below one that was replaced`()
    async throws
  {
    let (lost, kept) = (Box("lost"), Box("kept"))
    lost.setChildren([Page("below")])
    kept.setChildren([Page("page")])
    let tabs = Box("tabs")
    tabs.setChildren([lost, kept])
    _ = try await save(TestApp(root: tabs))
    // The second box exists without its page, and the first no longer exists.
    let coordinator = try coordinator()
    let next = Box("tabs")
    next.setChildren([Box("kept")])
    let app = TestApp(root: next)
    _ = await coordinator.launch(app)
    next.setChildren([Box("kept")])
    let report = try await coordinator.save(app)
    let unclaimed = report.diagnostics.filter { $0.code == .unclaimed }
    #expect(
      unclaimed.map(\.path?.components) == [
        ["tabs", "lost"], ["tabs", "lost", "below"], ["tabs", "kept", "page"],
      ])
  }

  @Test
  func `Unclaimed records are dropped with a parent that goes before the save`() async throws {
    func tabs(_ children: [Box]) -> Box {
      let tabs = Box("tabs")
      tabs.setChildren(children)
      return tabs
    }
    let saved = ["going", "staying"].map { Box($0) }
    for box in saved { box.setChildren([Page("page")]) }
    _ = try await save(TestApp(root: tabs(saved)))
    let coordinator = try coordinator()
    let root = tabs([Box("going"), Box("staying")])
    let app = TestApp(root: root)
    _ = await coordinator.launch(app)
    root.setChildren([Box("staying")])
    let unclaimed = try await coordinator.save(app).diagnostics.filter { $0.code == .unclaimed }
    #expect(unclaimed.map(\.path?.components) == [["tabs", "staying", "page"]])
  }

  @Test func `The top of a stack is the controller that was pushed last`() {
    let pages = ["a", "b", "c"].map { Page($0) }
    let navigation = HeadlessNavigationController(root: pages[0])
    #expect(navigation.topController === pages[0] && navigation.pop() == nil)
    navigation.push(pages[1])
    navigation.push(pages[2])
    #expect(navigation.topController === pages[2] && navigation.children.count == 3)
    #expect(navigation.pop() === pages[2] && navigation.topController === pages[1])
  }
}
