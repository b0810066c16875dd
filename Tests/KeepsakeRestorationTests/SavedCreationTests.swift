import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

/// A page that its restoration class makes in the way that its identifier names.
final class MadePage: HeadlessViewController, RestorationClass {
  override class var restorationTypeName: String { "Tests.MadePage" }
  /// The pages that the restoration class has made and kept for itself.
  static var kept: [MadePage] = []

  @Saved var title: String
  @Saved var count: Int
  @Saved var share = 0.5
  /// A page that belongs to this one alone, and is not restored.
  private(set) var inner: MadePage?

  /// Makes a page whose properties are made in one of two orders, with an inner page between them or without.
  init(isReversed: Bool = false, hasInner: Bool = false) {
    if isReversed {
      count = 0
      if hasInner { inner = MadePage() }
      title = ""
    } else {
      title = ""
      if hasInner { inner = MadePage(isReversed: true) }
      count = 0
    }
    super.init(restorationIdentifier: nil)
    restorationClass = MadePage.self
  }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    switch path.identifier.prefix(while: { $0 != " " }) {
    case "reversed": return MadePage(isReversed: true)
    case "inner": return MadePage(hasInner: true)
    case "reversedinner": return MadePage(isReversed: true, hasInner: true)
    case "spare":
      kept.append(MadePage())
      return MadePage()
    case "late":
      let page = MadePage()
      kept.append(MadePage())
      return page
    case "kept":
      let page = kept.isEmpty ? MadePage() : kept.removeFirst()
      kept.append(MadePage())
      return page
    default: return MadePage()
    }
  }
}

/// An app with a stack; its pages come back by their restoration class.
private final class StackApp: RestorationDelegate {
  let window = HeadlessWindow()
  let stack = HeadlessNavigationController(restorationIdentifier: "Stack")
  var restorationWindows: [any RestorationWindow] { [window] }
  var pages: [MadePage] { stack.children.compactMap { $0 as? MadePage } }

  /// Makes pages with these identifiers, each with values of its own.
  init(_ identifiers: [String]) {
    for (number, identifier) in identifiers.enumerated() {
      let page = MadePage()
      page.restorationIdentifier = identifier
      (page.title, page.count, page.share) = (identifier, number + 1, Double(number) + 0.25)
      stack.push(page)
    }
    window.rootController = stack
  }

  func willFinishLaunching() {}
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

@MainActor
@Suite(.serialized) struct `Saved properties of objects that a restore makes` {
  private nonisolated static let ways = [
    "plain", "reversed", "inner", "reversedinner", "spare", "late", "kept",
  ]

  @Test(arguments: ways, ways)
  func `Each page has its own values, however its restoration class makes it`(
    way: String, other: String
  ) async throws {
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1.0"))
    try configuration.registry.register(restorationClass: MadePage.self)
    // The first page of a class shows how to find the properties of the others.
    let identifiers = (1...4).flatMap { ["\(way) \($0)", "\(other) \($0)"] }
    MadePage.kept = []
    let identifiersAtOnce = Array(Set(identifiers)).sorted()
    let relaunch = try await relaunch(StackApp(identifiersAtOnce), configuration: configuration) {
      MadePage.kept = [MadePage()]
      return StackApp([])
    }
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
    let pages = relaunch.app.pages
    #expect(pages.map(\.restorationIdentifier) == identifiersAtOnce.map(Optional.some))
    for (number, page) in pages.enumerated() {
      #expect(page.title == page.restorationIdentifier)
      #expect(page.count == number + 1 && page.share == Double(number) + 0.25)
    }
    for unsaved in MadePage.kept + pages.compactMap(\.inner) {
      #expect(unsaved.title == "" && unsaved.count == 0 && unsaved.share == 0.5)
    }
    MadePage.kept = []
  }

  @Test func `A page that a restore has made marks its state when it is set`() async throws {
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1.0"))
    try configuration.registry.register(restorationClass: MadePage.self)
    let store = InMemoryStateStore()
    let first = RestorationCoordinator(store: store, configuration: configuration)
    await first.prepare()
    try await first.save(StackApp(["plain 1", "plain 2", "plain 3"]))
    let coordinator = RestorationCoordinator(store: store, configuration: configuration)
    let app = StackApp([])
    await coordinator.launch(app)
    let changes = ChangeCount()
    coordinator.changes.add(changes)
    for (number, page) in app.pages.enumerated() {
      page.title += "!"
      #expect(changes.count == number + 1)
    }
    #expect(app.pages.map(\.title) == ["plain 1!", "plain 2!", "plain 3!"])
  }

  @Test func `A page that was saved before keeps its values when its class makes another page too`()
    async throws
  {
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1.0"))
    try configuration.registry.register(restorationClass: MadePage.self)
    let store = InMemoryStateStore()
    let first = RestorationCoordinator(store: store, configuration: configuration)
    await first.prepare()
    let saved = StackApp(["plain 1", "plain 2", "kept 3"])
    try await first.save(saved)
    let kept = saved.pages[2]
    (kept.title, kept.count) = ("", 0)
    MadePage.kept = [kept]
    let app = StackApp([])
    await RestorationCoordinator(store: store, configuration: configuration).launch(app)
    #expect(app.pages.map(\.title) == ["plain 1", "plain 2", "kept 3"])
    #expect(app.pages.last === kept && kept.count == 3)
    #expect(MadePage.kept.map(\.title) == [""])
    MadePage.kept = []
  }

  @Test func `Properties that an object hides in its own mirror are not restored`() async throws {
    var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1.0"))
    try configuration.registry.register(restorationClass: HidingPage.self)
    func pages(_ identifiers: [String]) -> TestApp {
      let stack = HeadlessNavigationController(restorationIdentifier: "Stack")
      for identifier in identifiers {
        let page = HidingPage(isHidden: false)
        (page.restorationIdentifier, page.title) = (identifier, identifier)
        stack.push(page)
      }
      return TestApp(root: stack)
    }
    let identifiers = ["shown 1", "hidden 2", "shown 3"]
    let relaunch = try await KeepsakeTesting.relaunch(
      pages(identifiers), configuration: configuration
    ) { pages([]) }
    let restored = (relaunch.app.root?.children ?? []).compactMap { $0 as? HidingPage }
    #expect(restored.map(\.restorationIdentifier) == identifiers)
    #expect(restored.map(\.title) == ["shown 1", "", "shown 3"])
  }
}

/// Counts the changes of a state.
final class ChangeCount: StateChangeObserver {
  private(set) var count = 0

  func noteStateChange() { count += 1 }
  func findSavedProperties() {}
}

/// A page that shows its saved property in a mirror of its own, or hides it.
final class HidingPage: HeadlessViewController, RestorationClass, CustomReflectable {
  override class var restorationTypeName: String { "Tests.HidingPage" }
  @Saved("title") var title = ""
  private let isHidden: Bool

  init(isHidden: Bool) {
    self.isHidden = isHidden
    super.init(restorationIdentifier: nil)
    restorationClass = HidingPage.self
  }

  nonisolated var customMirror: Mirror {
    Mirror(reflecting: MainActor.assumeIsolated { isHidden ? [] : [_title] })
  }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    HidingPage(isHidden: path.identifier.hasPrefix("hidden"))
  }
}
