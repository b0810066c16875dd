import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

private class Base: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Base" }
  @Saved var note = ""
  @Saved var visits = 0
}

/// A class without saved properties between two with some.
private class Middle: Base {
  override class var restorationTypeName: String { "Tests.Middle" }
  var scratch = 1
}

private class Upper: Middle {
  override class var restorationTypeName: String { "Tests.Upper" }
  @Saved("note") var ownNote = ""
}

private final class Top: Upper {
  override class var restorationTypeName: String { "Tests.Top" }
  let kind = "top"
  @Saved var first = ""
  var cache: [Int] = []
  @Saved("stated") var second = 0.0
  @Saved var third: Int?
  var last = "nothing to keep"
  @Saved var shade = Shade.light
  @SavedReference var neighbour: Base?
}

private enum Shade: Int { case light = 3, dark }

/// A page of which only a superclass has saved properties.
private final class Plain: Base {
  override class var restorationTypeName: String { "Tests.Plain" }
}

/// A page that keeps an object alive by a saved reference.
private final class Holder: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Holder" }
  @SavedReference(isStrong: true) var held: HeadlessViewController?
}

@MainActor
@Suite(.serialized) struct `Saved properties of a hierarchy of classes` {
  private var configuration: RestorationConfiguration {
    get throws { RestorationConfiguration(bundleVersion: try BundleVersion("1.0")) }
  }

  private func app(_ pages: [HeadlessViewController]) -> TestApp {
    let box = Box("box")
    box.setChildren(pages)
    for (number, page) in pages.enumerated() { page.restorationIdentifier = "\(number)" }
    return TestApp(root: box)
  }

  private func children<Child>(_ app: TestApp, as type: Child.Type) -> [Child] {
    (app.root?.children ?? []).compactMap { $0 as? Child }
  }

  @Test func `Each class has its own saved properties in each object`() async throws {
    let pages = (0..<3).map { number in
      let page = Top()
      (page.note, page.visits, page.ownNote) = ("note \(number)", number, "own \(number)")
      (page.first, page.second) = ("first \(number)", Double(number) / 2)
      (page.third, page.shade) = (number == 1 ? nil : number, number == 2 ? .light : .dark)
      return page
    }
    pages[0].neighbour = pages[2]
    let plain = Plain()
    (plain.note, plain.visits) = ("plain", 9)
    let relaunch = try await KeepsakeTesting.relaunch(
      app(pages + [plain]), configuration: configuration
    ) { app([Top(), Top(), Top(), Plain()]) }
    #expect(relaunch.saveReport.diagnostics.isEmpty && relaunch.restoreReport.diagnostics.isEmpty)
    let restored = children(relaunch.app, as: Top.self)
    #expect(restored.map(\.note) == ["note 0", "note 1", "note 2"])
    #expect(restored.map(\.visits) == [0, 1, 2])
    #expect(restored.map(\.ownNote) == ["own 0", "own 1", "own 2"])
    #expect(restored.map(\.first) == ["first 0", "first 1", "first 2"])
    #expect(restored.map(\.second) == [0, 0.5, 1] && restored.map(\.third) == [0, nil, 2])
    #expect(restored.map(\.shade) == [.dark, .dark, .light])
    #expect(restored[0].neighbour === restored[2] && restored[1].neighbour == nil)
    let other = children(relaunch.app, as: Plain.self)
    #expect(other.map(\.note) == ["plain"] && other.map(\.visits) == [9])
  }

  @Test func `Properties are stored at the top of a record or in the scope of their class`()
    async throws
  {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, configuration: try configuration)
    await coordinator.prepare()
    let page = Top()
    (page.note, page.visits, page.ownNote, page.second) = ("note", 4, "own", 2.5)
    try await coordinator.save(app([page]))
    let archive = try Archive(try #require(store.archive))
    let entry = SavedStateOutline(archive)?.entries.first { $0.path.identifier == "0" }
    let record = try archive.object(try #require(entry).objectID)
    #expect(record.keys.filter { $0 != "first" } == ["neighbour", "shade", "stated", "third"])
    #expect(try record.decode(Double.self, forKey: "stated") == 2.5)
    #expect(try record.decode(Int.self, forKey: "shade") == 3)
    #expect(record.scope("Tests.Upper").keys == ["note"])
    #expect(try record.scope("Tests.Upper").decode(String.self, forKey: "note") == "own")
    #expect(record.scope("Tests.Base").keys == ["note", "visits"])
    #expect(!record.scopeNames.contains("Tests.Middle"))
  }

  // A property may keep objects alive, and would do so for as long as the process runs.
  @Test func `Properties of released objects are released with the next state`() async throws {
    weak var held: HeadlessViewController?
    do {
      let coordinator = RestorationCoordinator(
        store: InMemoryStateStore(), configuration: try configuration)
      let holder = Holder(restorationIdentifier: "holder")
      let page = HeadlessViewController(restorationIdentifier: "held")
      holder.held = page
      held = page
      coordinator.findSavedProperties(of: TestApp(root: holder))
    }
    let next = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    #expect(held == nil)
    withExtendedLifetime(next) {}
  }

  @Test func `A state that meets many objects releases the properties of released ones`()
    async throws
  {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    var held: [() -> Bool] = []
    for _ in 0..<2_000 {
      let holder = Holder(restorationIdentifier: "holder")
      let page = HeadlessViewController(restorationIdentifier: "held")
      holder.held = page
      held.append { [weak page] in page != nil }
      coordinator.findSavedProperties(of: TestApp(root: holder))
    }
    #expect(held.count { $0() } < 1_000)
  }
}
