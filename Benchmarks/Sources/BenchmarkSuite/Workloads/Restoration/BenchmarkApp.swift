import KeepsakeMigration
import KeepsakeRestoration

/// An app with one window; the engine makes its root when it has none.
final class BenchmarkApp: RestorationDelegate {
  private let window = BenchmarkWindow()

  init(root: (any RestorableNode)? = nil) {
    window.restorationRootNode = root
  }

  var root: BenchmarkNode? { window.restorationRootNode as? BenchmarkNode }

  /// The root, if the nodes have saved properties.
  var savedRoot: SavedNode? { window.restorationRootNode as? SavedNode }

  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() {}

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }

  func didFinishLaunching(_ report: RestoreReport) {}
}

final class BenchmarkWindow: RestorationWindow {
  var restorationRootNode: (any RestorableNode)?
}

extension BenchmarkApp {
  /// A coordinator as in an app, with a given store.
  static func coordinator(_ store: any RestorationStore) throws -> RestorationCoordinator {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: BenchmarkNode.self)
    try registry.register(restorationClass: SavedNode.self)
    var configuration = RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0"), registry: registry)
    configuration.budget = RestorationBudget(objectByteCount: 1 << 20, totalByteCount: 1 << 30)
    return RestorationCoordinator(store: store, configuration: configuration)
  }
}
