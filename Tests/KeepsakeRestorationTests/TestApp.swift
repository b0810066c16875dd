import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting

/// The calls of a test's app, in order; each test has its own log.
@MainActor
final class CallLog {
  @TaskLocal static var current: CallLog?

  var calls: [String] = []

  nonisolated init() {}

  static func add(_ call: String) { current?.calls.append(call) }

  /// Runs a test with its own log.
  static func record<T>(_ body: (CallLog) async throws -> T) async rethrows -> T {
    let log = CallLog()
    return try await $current.withValue(log) { try await body(log) }
  }
}

struct TestFailure: Error, CustomStringConvertible {
  var description: String { "test failure" }
}

/// A screen that logs its calls and saves a note.
class Page: HeadlessViewController {
  var note = ""
  var friend: (any RestorableObject)?
  var onEncode: ((inout RestorationEncoder) throws -> Void)?
  var onDecode: ((borrowing RestorationDecoder) throws -> Void)?

  convenience init(_ identifier: String?, note: String = "") {
    self.init(restorationIdentifier: identifier)
    self.note = note
  }

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    CallLog.add("encode \(restorationIdentifier ?? "-")")
    try super.encodeRestorableState(with: &coder)
    coder.encode(note, forKey: "note")
    if let friend { coder.encodeReference(friend, forKey: "friend") }
    try onEncode?(&coder)
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    CallLog.add("decode \(restorationIdentifier ?? "-")")
    try super.decodeRestorableState(with: coder)
    try onDecode?(coder)
    note = try coder.decode(String.self, forKey: "note")
    friend = try coder.decodeReference(HeadlessViewController.self, forKey: "friend")
  }

  override func applicationFinishedRestoringState() {
    CallLog.add("finished \(restorationIdentifier ?? "-")")
  }
}

/// A page with a restoration class that makes every page except those named "gone".
final class ClassPage: Page, RestorationClass {
  override init(restorationIdentifier: String? = nil) {
    super.init(restorationIdentifier: restorationIdentifier)
    restorationClass = ClassPage.self
  }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    CallLog.add("class \(path)")
    if path.identifier == "throws" { throw TestFailure() }
    return path.identifier == "gone" ? nil : ClassPage()
  }
}

/// A container that puts its children back.
final class Box: Page {
  override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    setChildren(children.compactMap { $0 as? HeadlessViewController })
  }
}

/// An app whose interface and decisions a test gives as closures.
final class TestApp: RestorationDelegate {
  private(set) var windows: [HeadlessWindow]
  /// True when the app makes the windows that were saved.
  var makesWindows = false
  var make: (RestorationPath) throws -> (any RestorableNode)? = { _ in nil }
  var makeReading:
    ((RestorationPath, borrowing RestorationDecoder) throws -> (any RestorableNode)?)?
  var onLaunch: (TestApp) -> Void = { _ in }
  var onFinish: (TestApp) -> Void = { _ in }
  var willEncode: (inout RestorationEncoder) throws -> Void = { _ in }
  var shouldSave: (inout RestorationEncoder) throws -> Bool = { _ in true }
  var shouldRestore: (borrowing RestorationDecoder) throws -> Bool = { _ in true }
  var onDecode: (borrowing RestorationDecoder) throws -> Void = { _ in }

  var root: HeadlessViewController? {
    get { windows[0].rootController }
    set { windows[0].rootController = newValue }
  }

  init(windowCount: Int = 1, root: HeadlessViewController? = nil) {
    windows = []
    for _ in 0..<windowCount { windows.append(HeadlessWindow(beside: windows.first)) }
    windows.first?.rootController = root
  }

  var restorationWindows: [any RestorationWindow] { windows }

  func willFinishLaunching() {
    CallLog.add("willFinishLaunching")
    onLaunch(self)
  }

  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool {
    CallLog.add("shouldSave")
    return try shouldSave(&coder)
  }

  func willEncodeRestorableState(with coder: inout RestorationEncoder) throws {
    CallLog.add("willEncode")
    try willEncode(&coder)
  }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool {
    CallLog.add("shouldRestore")
    return try shouldRestore(coder)
  }

  func makeRestorationWindow(at position: Int) -> (any RestorationWindow)? {
    guard makesWindows else { return nil }
    CallLog.add("window \(position)")
    windows.append(HeadlessWindow(beside: windows.first))
    return windows.last
  }

  func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    CallLog.add("make \(path)")
    if let makeReading { return try makeReading(path, coder) }
    return try make(path)
  }

  func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    CallLog.add("didDecode")
    try onDecode(coder)
  }

  func didFinishLaunching(_ report: RestoreReport) {
    CallLog.add("didFinishLaunching")
    onFinish(self)
  }
}

extension TestApp {
  /// Makes an app that makes a navigation stack for `n` and `m`, a box for `box`, pages otherwise.
  static func standard() -> TestApp {
    let app = TestApp()
    app.make = { path in
      switch path.identifier {
      case "n", "m": HeadlessNavigationController()
      case "box": Box()
      default: Page()
      }
    }
    return app
  }
}

extension VersionGate {
  static func version(_ text: String, _ policy: VersionPolicy = .exactly) throws -> VersionGate {
    VersionGate(programVersion: try BundleVersion(text), policy: policy)
  }
}

/// Relaunches an app through memory; the new app is the standard one unless a test says otherwise.
@MainActor
func relaunch(
  _ app: TestApp, registering classes: [any RestorationClass.Type] = [ClassPage.self],
  _ newApp: () -> TestApp = { .standard() }
) async throws -> Relaunch<TestApp> {
  var registry = RestorationRegistry()
  for restorationClass in classes { try registry.register(restorationClass: restorationClass) }
  return try await KeepsakeTesting.relaunch(
    app, configuration: RestorationConfiguration(gate: try .version("1"), registry: registry),
    newApp: newApp)
}

extension RestorationCoordinator {
  /// A coordinator whose configuration a test sets in part.
  convenience init(
    store: any RestorationStore, gate: VersionGate,
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1,
    budget: RestorationBudget = RestorationBudget(),
    reservedValues: @escaping @MainActor () -> ReservedValues = { ReservedValues() }
  ) {
    self.init(
      store: store,
      configuration: RestorationConfiguration(
        gate: gate, registry: registry, budget: budget, failedLaunchLimit: failedLaunchLimit,
        reservedValues: reservedValues))
  }
}

extension SaveReport {
  var paths: [[String]] { objects.map(\.path.components) }
}

extension RestoreReport {
  func disposition(of path: String...) -> ReportedObject.Disposition? {
    objects.first { $0.path.components == path }?.disposition
  }
}
