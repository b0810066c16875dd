import Foundation
import Keepsake
import KeepsakeTesting
import Observation
import Synchronization
import Testing

/// An enumeration that is neither `Codable` nor an archive value, so only its raw value can be stored.
private enum Density: Int { case compact = 1, wide }

private enum Order: String, Codable { case name, date }

private enum Filter: Codable, Equatable {
  case none
  case text(String, isExact: Bool)
}

private struct Position: Codable, Equatable {
  var line = 1
  var column = 1
}

/// A value that cannot be encoded when `fails` is true.
private struct Fragile: Codable, Equatable {
  var fails = false

  init() {}

  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    if fails { throw CocoaError(.coderInvalidValue) }
    _ = encoder.container(keyedBy: Keys.self)
  }

  private enum Keys: CodingKey {}
}

private class Screen: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Screen" }
  @Saved private var note = ""
  @Saved var visits = 0

  var screenNote: String {
    get { note }
    set { note = newValue }
  }
}

private class Reader<Bookmark: Codable>: Screen {
  override class var restorationTypeName: String { "Tests.Reader" }
  @Saved var bookmarks: [String: Bookmark] = [:]
}

private final class Editor: Reader<Position> {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved private var note = ""
  @Saved var draft = ""
  @Saved("at") var position = Position()
  @Saved var density = Density.compact
  @Saved var order = Order.name
  @Saved var filter = Filter.none
  @Saved var size: Double? = 12
  @Saved var lines = [1.5, 2.5]
  @Saved var orders: [Order] = []
  @Saved var fragile = Fragile()
  @SavedReference var neighbour: Screen?
  var handwritten = 0

  var editorNote: String {
    get { note }
    set { note = newValue }
  }

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(handwritten, forKey: "handwritten")
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    // The saved properties already have their restored values.
    handwritten = draft.isEmpty ? -1 : try coder.decode(Int.self, forKey: "handwritten")
  }
}

/// A class that reads the record of an ``Editor`` into properties of other types.
private final class OtherEditor: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved var draft = 7
  @Saved("at") var position = "start"
  @Saved var density = Order.date
  @Saved var size = 3.0
  @Saved var order = Order.date
}

/// A class that reads the record of an ``Editor`` into integers that are too small for the saved numbers.
private final class SmallEditor: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved var density: Int8 = 5
  @Saved("handwritten") var count: UInt8 = 7
  @Saved var draft = ""
}

private enum Shade: String { case name }

private final class NarrowEditor: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved var order = Shade.name
  @Saved var draft = ""
}

/// A class whose saved properties are between other properties.
private final class Mixed: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Mixed" }
  let kind = "mixed"
  @Saved var first = ""
  @Saved var second = 0
  var scratch = "nothing to keep"
  lazy var cache = [kind]
  @Saved var third = 0.0
  var last: String?
  @Saved var fourth = false
}

/// A class that is observed, except for its saved property.
@Observable
private final class Watched: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.Watched" }
  @ObservationIgnored @Saved var draft = ""
  var zoom = 1.0
}

/// A class whose mirror is empty, as it is without reflection metadata.
private final class Opaque: HeadlessViewController, CustomReflectable {
  override class var restorationTypeName: String { "Tests.Opaque" }
  @Saved var draft = ""
  nonisolated var customMirror: Mirror { Mirror(reflecting: 0) }
}

@MainActor
private final class PropertyApp: RestorationDelegate {
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] { [window] }

  init(_ children: HeadlessViewController...) {
    let stack = HeadlessNavigationController(restorationIdentifier: "Stack")
    for child in children { stack.push(child) }
    for (number, child) in children.enumerated() { child.restorationIdentifier = "page \(number)" }
    window.rootController = stack
  }

  func page<Page>(_ number: Int, as type: Page.Type = Page.self) -> Page? {
    let stack = window.rootController as? HeadlessNavigationController
    let pages = stack?.children ?? []
    return number < pages.count ? pages[number] as? Page : nil
  }

  func willFinishLaunching() {}
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

@MainActor
@Suite(.serialized) struct `A saved property` {
  private var configuration: RestorationConfiguration {
    get throws { RestorationConfiguration(bundleVersion: try BundleVersion("1.0")) }
  }

  private func edited() -> Editor {
    let editor = Editor()
    editor.screenNote = "screen"
    editor.editorNote = "editor"
    editor.visits = 3
    editor.bookmarks = ["here": Position(line: 2, column: 3)]
    editor.draft = "A draft"
    editor.position.line = 9
    editor.density = .wide
    editor.order = .date
    editor.filter = .text("x", isExact: true)
    editor.size = nil
    editor.lines.append(3.5)
    editor.orders = [.date, .name]
    editor.handwritten = 5
    return editor
  }

  @Test func `Saved properties of all kinds are restored, with values that are written by hand`()
    async throws
  {
    let editor = edited()
    let neighbour = Screen()
    editor.neighbour = neighbour
    let relaunch = try await relaunch(
      PropertyApp(editor, neighbour), configuration: configuration
    ) { PropertyApp(Editor(), Screen()) }
    #expect(relaunch.saveReport.diagnostics.isEmpty && relaunch.restoreReport.diagnostics.isEmpty)
    let restored = try #require(relaunch.app.page(0, as: Editor.self))
    #expect(restored.draft == "A draft" && restored.position == Position(line: 9, column: 1))
    #expect(restored.density == .wide && restored.order == .date)
    #expect(restored.filter == .text("x", isExact: true) && restored.size == nil)
    #expect(restored.lines == [1.5, 2.5, 3.5] && restored.orders == [.date, .name])
    #expect(restored.bookmarks == ["here": Position(line: 2, column: 3)])
    #expect(restored.screenNote == "screen" && restored.editorNote == "editor")
    #expect(restored.visits == 3 && restored.handwritten == 5)
    #expect(restored.neighbour === relaunch.app.page(1, as: Screen.self))
  }

  @Test func `A saved property between other properties is found in each object`() async throws {
    let pages = [Mixed(), Mixed(), Mixed()]
    for (number, page) in pages.enumerated() {
      page.first = "first \(number)"
      page.second = number
      page.third = Double(number) / 2
      page.fourth = number > 0
    }
    let relaunch = try await relaunch(
      PropertyApp(pages[0], pages[1], pages[2]), configuration: configuration
    ) { PropertyApp(Mixed(), Mixed(), Mixed()) }
    #expect(relaunch.saveReport.diagnostics.isEmpty && relaunch.restoreReport.diagnostics.isEmpty)
    for number in pages.indices {
      let page = try #require(relaunch.app.page(number, as: Mixed.self))
      #expect(page.first == "first \(number)" && page.second == number)
      #expect(page.third == Double(number) / 2 && page.fourth == (number > 0))
    }
  }

  @Test
  func `A superclass's property is restored in another class of the hierarchy`() async throws {
    let screen = Screen()
    screen.screenNote = "a note"
    let up = try await relaunch(PropertyApp(screen), configuration: configuration) {
      PropertyApp(Editor())
    }
    #expect(up.app.page(0, as: Editor.self)?.screenNote == "a note")
    #expect(up.app.page(0, as: Editor.self)?.editorNote == "")
  }

  @Test
  func `A saved property is stored at the top of the record, or in the scope of its superclass`()
    async throws
  {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, configuration: try configuration)
    await coordinator.prepare()
    try await coordinator.save(PropertyApp(edited()))
    let archive = try Archive(try #require(store.archive))
    let entry = SavedStateOutline(archive)?.entries.first { $0.path.identifier == "page 0" }
    let record = try archive.object(try #require(entry).objectID)
    #expect(try record.decode(String.self, forKey: "draft") == "A draft")
    #expect(try record.decode(String.self, forKey: "note") == "editor")
    #expect(try record.decode(Int.self, forKey: "density") == Density.wide.rawValue)
    let screen = record.scope("Tests.Screen")
    #expect(try screen.decode(String.self, forKey: "note") == "screen")
    #expect(try screen.decode(Int.self, forKey: "visits") == 3)
    let reader = record.scope("Tests.Reader")
    #expect(reader.keys == ["bookmarks"])
  }

  @Test func `A saved property keeps its value if nothing was saved for it`() async throws {
    let stack = PropertyApp(HeadlessViewController())
    let relaunch = try await relaunch(stack, configuration: configuration) {
      PropertyApp(NarrowEditor())
    }
    // The saved object was a plain controller, and an editor may not decode its record.
    #expect(relaunch.restoreReport.diagnostics.map(\.code).allSatisfy { $0 == .classMismatch })
    #expect(relaunch.app.page(0, as: NarrowEditor.self)?.order == .name)
  }

  @Test
  func `A saved property of another type is reported, and no other is affected`() async throws {
    let relaunch = try await relaunch(PropertyApp(edited()), configuration: configuration) {
      PropertyApp(OtherEditor())
    }
    let restored = try #require(relaunch.app.page(0, as: OtherEditor.self))
    #expect(restored.draft == 7 && restored.position == "start" && restored.density == .date)
    // The saved nil is not a value of `size` here, so it keeps its default.
    #expect(restored.size == 3 && restored.order == .date)
    let notices = relaunch.restoreReport.diagnostics
    #expect(notices.map(\.code) == Array(repeating: .valueNotRead, count: 4))
    for (notice, key) in zip(notices, ["draft", "at", "density", "size"]) {
      #expect(notice.message.contains("\"\(key)\"") && notice.path?.identifier == "page 0")
    }
  }

  @Test func `A saved property whose number is out of range is reported, and no other is affected`()
    async throws
  {
    let editor = edited()
    editor.handwritten = 256
    let relaunch = try await relaunch(PropertyApp(editor), configuration: configuration) {
      PropertyApp(SmallEditor())
    }
    let restored = try #require(relaunch.app.page(0, as: SmallEditor.self))
    #expect(restored.count == 7 && restored.density == 2 && restored.draft == "A draft")
    let notice = try #require(relaunch.restoreReport.diagnostics.first)
    #expect(relaunch.restoreReport.diagnostics.count == 1 && notice.code == .valueNotRead)
    #expect(notice.message.contains("\"handwritten\""))
  }

  @Test
  func `A saved property with a case that is no longer known keeps its default`() async throws {
    let relaunch = try await relaunch(PropertyApp(edited()), configuration: configuration) {
      PropertyApp(NarrowEditor())
    }
    let restored = try #require(relaunch.app.page(0, as: NarrowEditor.self))
    #expect(restored.order == .name && restored.draft == "A draft")
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.valueNotRead])
  }

  @Test func `A saved property that cannot be encoded is reported, and no other is affected`()
    async throws
  {
    let editor = edited()
    editor.fragile.fails = true
    let relaunch = try await relaunch(PropertyApp(editor), configuration: configuration) {
      PropertyApp(Editor())
    }
    let notices = relaunch.saveReport.diagnostics
    #expect(notices.map(\.code) == [.valueNotWritten])
    #expect(notices.first?.message.contains("\"fragile\"") == true)
    #expect(relaunch.app.page(0, as: Editor.self)?.draft == "A draft")
  }

  @Test func `A saved property of an observable class is saved, and not observed`() async throws {
    let watched = Watched()
    let changes = Mutex(0)
    withObservationTracking {
      _ = (watched.draft, watched.zoom)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    watched.draft = "A draft"
    #expect(changes.withLock { $0 } == 0)
    watched.zoom = 2
    #expect(changes.withLock { $0 } == 1)
    let relaunch = try await relaunch(PropertyApp(watched), configuration: configuration) {
      PropertyApp(Watched())
    }
    #expect(relaunch.saveReport.diagnostics.isEmpty)
    #expect(relaunch.app.page(0, as: Watched.self)?.draft == "A draft")
    #expect(relaunch.app.page(0, as: Watched.self)?.zoom == 1)
  }

  @Test func `A saved property that reflection does not show is reported`() async throws {
    let opaque = Opaque()
    opaque.draft = "lost"
    let relaunch = try await relaunch(PropertyApp(opaque), configuration: configuration) {
      PropertyApp(Opaque())
    }
    let notice = relaunch.saveReport.diagnostics.first { $0.code == .unfoundProperties }
    #expect(notice?.message.contains("Opaque") == true)
    // The notice names no type of a module in which all saved properties were found.
    #expect(notice?.message.contains("Headless") == false)
    #expect(relaunch.app.page(0, as: Opaque.self)?.draft == "")
  }

  @Test func `A saved property marks the state when it is set, and not when it is restored`()
    async throws
  {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, configuration: try configuration)
    let editor = Editor()
    let app = PropertyApp(editor)
    let other = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    let otherApp = PropertyApp(Screen())
    await coordinator.launch(app)
    await other.launch(otherApp)
    let saver = StateSaver(coordinator, of: app, clock: ManualClock())
    let otherSaver = StateSaver(other, of: otherApp, clock: ManualClock())
    // No save has found the object yet, so the saver searches for it.
    editor.draft = "x"
    #expect(saver.isDirty)
    try await saver.save()
    #expect(!saver.isDirty && !otherSaver.isDirty)
    editor.position.line += 1
    #expect(saver.isDirty)
    try await saver.save()
    editor.lines[0] = 9
    #expect(saver.isDirty)
    try await saver.save()
    editor.neighbour = nil
    #expect(saver.isDirty)
    try await saver.save()
    let bytes = try #require(store.archive)

    let next = RestorationCoordinator(
      store: InMemoryStateStore(archive: bytes), configuration: try configuration)
    let nextApp = PropertyApp(Editor())
    let nextSaver = StateSaver(next, of: nextApp)
    await next.launch(nextApp)
    #expect(nextApp.page(0, as: Editor.self)?.lines == [9, 2.5] && !nextSaver.isDirty)
    nextApp.page(0, as: Editor.self)?.draft = "y"
    #expect(nextSaver.isDirty && !saver.isDirty)
  }

  @Test func `A saved property of an object that is added later marks the state of its window`()
    async throws
  {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    let app = PropertyApp(Screen())
    await coordinator.launch(app)
    // The clock never ends the pause after the first save, so a mark remains.
    let saver = StateSaver(coordinator, of: app, clock: ManualClock())
    try await saver.save()
    let (late, loose) = (Screen(), Screen())
    loose.visits = 1
    for _ in 0..<100 { await Task.yield() }
    #expect(!saver.isDirty)
    let stack = app.window.rootController as? HeadlessNavigationController
    stack?.push(late)
    late.visits = 1
    #expect(saver.isDirty)
    withExtendedLifetime(loose) {}
  }

  @Test func `A saved property that is set before a save has found it marks the state at once`()
    async throws
  {
    for end in ["asked", "shut down", "discarded"] {
      let store = InMemoryStateStore()
      let coordinator = RestorationCoordinator(store: store, configuration: try configuration)
      let screen = Screen()
      let app = PropertyApp(screen)
      await coordinator.launch(app)
      let saver = StateSaver(coordinator, of: app, clock: ManualClock())
      #expect(saver.isUpToDate)
      screen.visits = 1
      switch end {
      case "asked": #expect(!saver.isUpToDate && saver.isDirty)
      case "shut down":
        try await saver.shutDown()
        #expect(store.archive != nil)
      default:
        try await saver.discard()
        for _ in 0..<100 { await Task.yield() }
        #expect(store.archive == nil && !saver.isDirty)
      }
    }
  }

  @Test(arguments: [true, false])
  func `A saved property that was set before the saver was made marks the state`(isFound: Bool)
    async throws
  {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    let screen = Screen()
    let app = PropertyApp(screen)
    await coordinator.launch(app)
    if isFound { coordinator.findSavedProperties(of: app) }
    screen.visits = 1
    let saver = StateSaver(coordinator, of: app, clock: ManualClock())
    #expect(saver.isDirty)
    try await saver.save()
    let second = StateSaver(coordinator, of: app, clock: ManualClock())
    #expect(!saver.isDirty && !second.isDirty)
    screen.visits = 2
    #expect(saver.isDirty && second.isDirty)
  }

  @Test func `A saved reference keeps its object alive only if it is strong`() {
    @MainActor final class Owner {
      @SavedReference var weakPage: Screen?
      @SavedReference(isStrong: true) var strongPage: Screen?
    }
    let owner = Owner()
    owner.weakPage = Screen()
    owner.strongPage = Screen()
    #expect(owner.weakPage == nil && owner.strongPage != nil)
    owner.strongPage = nil
    #expect(owner.strongPage == nil)
  }
}
