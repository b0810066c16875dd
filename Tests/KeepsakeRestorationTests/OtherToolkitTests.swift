import KeepsakeArchive
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// A toolkit of a different design: final classes with values in them, links to owners that it maintains
// itself, one kind of widget for everything. None of its classes inherits from a headless class.
@MainActor
@Suite struct `Another toolkit` {
  struct Caret: Equatable {
    var line = 0
    var column = 0
  }

  final class Scene: RestorableNode {
    static let restorationTypeName = "Toolkit.Scene"

    var restorationIdentifier: String?
    var restorationClass: (any RestorationClass.Type)?
    var restorationTemplate: String?
    weak var owner: Scene?
    var title = ""
    var caret = Caret()
    var panes: [Scene] = []
    var dialog: Scene?
    var widgets: [Widget] = []

    init(_ identifier: String?, title: String = "", widgets: [String] = []) {
      restorationIdentifier = identifier
      self.title = title
      self.widgets = widgets.map { Widget($0, in: self) }
    }

    func add(_ pane: Scene) {
      pane.owner = self
      panes.append(pane)
    }

    func open(_ dialog: Scene) {
      dialog.owner = self
      self.dialog = dialog
    }

    var restorationParent: (any RestorableObject)? { owner }
    var restorationChildren: [any RestorableNode] { panes }
    var restorationPresentedNode: (any RestorableNode)? { dialog }
    var restorationViews: [any RestorableView] { widgets }

    func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
      panes = []
      for case let pane as Scene in children { add(pane) }
    }

    func attachRestoredPresentedNode(_ node: any RestorableNode) {
      if let scene = node as? Scene { open(scene) }
    }

    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      coder.encode(title, forKey: "title")
      coder.encode([caret.line, caret.column], forKey: "caret")
      coder.encodeReference(panes.last?.widgets.first, forKey: "focus")
    }

    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      title = try coder.decode(String.self, forKey: "title")
      let place = try coder.decode([Int].self, forKey: "caret")
      caret = Caret(line: place[0], column: place[1])
      focus = try coder.decodeReference(Widget.self, forKey: "focus")
    }

    weak var focus: Widget?
  }

  final class Widget: RestorableView {
    static let restorationTypeName = "Toolkit.Widget"

    var restorationIdentifier: String?
    weak var scene: Scene?
    var level = 0.0
    var restorationParent: (any RestorableObject)? { scene }

    init(_ identifier: String, in scene: Scene) {
      restorationIdentifier = identifier
      self.scene = scene
    }

    func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      coder.encode(level, forKey: "level")
    }

    func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      level = try coder.decode(Double.self, forKey: "level")
    }
  }

  final class Display: RestorationWindow {
    var restorationRootNode: (any RestorableNode)?
  }

  final class ToolkitApp: RestorationDelegate {
    let display = Display()
    var restorationWindows: [any RestorationWindow] { [display] }
    var root: Scene? { display.restorationRootNode as? Scene }

    func willFinishLaunching() {}
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
    func didFinishLaunching(_ report: RestoreReport) {}

    func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableNode)? {
      Scene(nil, widgets: ["slider"])
    }
  }

  // Row 30.
  @Test func `The objects of another toolkit are saved, pruned and restored like any other`()
    async throws
  {
    let app = ToolkitApp()
    let root = Scene("root", title: "main")
    root.caret = Caret(line: 3, column: 14)
    let (left, hidden, right) = (
      Scene("left", title: "left", widgets: ["slider"]), Scene(nil),
      Scene("right", title: "right", widgets: ["slider"])
    )
    [left, hidden, right].forEach(root.add)
    right.widgets[0].level = 0.75
    root.open(Scene("dialog", title: "really?"))
    app.display.restorationRootNode = root

    let relaunch = try await KeepsakeTesting.relaunch(
      app, configuration: RestorationConfiguration(gate: try .version("1"))
    ) { ToolkitApp() }
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.pruned])
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
    let restored = try #require(relaunch.app.root)
    #expect(restored.title == "main" && restored.caret == root.caret)
    #expect(restored.panes.map(\.title) == ["left", "right"])
    #expect(restored.panes.map { $0.widgets[0].level } == [0, 0.75])
    #expect(restored.focus === restored.panes[1].widgets[0])
    #expect(restored.dialog?.title == "really?" && restored.dialog?.owner === restored)
  }
}
