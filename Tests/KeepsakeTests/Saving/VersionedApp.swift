import KeepsakeTesting
import Testing

import Keepsake

/// An app whose whole state is a number.
///
/// The app and its only screen save the number separately, so a saved state is of one moment if both numbers are equal.
@MainActor
final class VersionedApp: RestorationDelegate {
  final class Screen: HeadlessViewController {
    var version = 0
    var onEncode: () -> Void = {}

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      onEncode()
      coder.encode(version, forKey: "version")
    }
  }

  let window = HeadlessWindow()
  let screen = Screen(restorationIdentifier: "Screen")
  var encodingFailure: RestorationError?
  var declines = false
  var version = 0 {
    didSet { screen.version = version }
  }

  init() { window.rootController = screen }

  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() {}
  func didFinishLaunching(_ report: RestoreReport) {}
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }

  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool {
    if let encodingFailure { throw encodingFailure }
    coder.encode(version, forKey: "version")
    return !declines
  }

  /// The number in an archive, after a check that the archive is of one moment.
  static func version(in bytes: [UInt8]?) throws -> Int? {
    guard let bytes else { return nil }
    let archive = try Archive(bytes)
    let versions = try (1...2).map { index in
      try archive.object(ArchiveObjectID(index)).decode(Int.self, forKey: "version")
    }
    #expect(versions[0] == versions[1])
    return versions[0]
  }
}

/// A saver, and everything around it that a test controls.
@MainActor
struct SaverFixture {
  let store = InMemoryStateStore()
  let clock = ManualClock()
  let app = VersionedApp()
  let coordinator: RestorationCoordinator
  let saver: StateSaver
  let log: EventLog

  @MainActor
  final class EventLog {
    var events: [SaveEvent] = []
    var failures: Int { events.count { if case .failed = $0 { true } else { false } } }
    var overtaken: Int { events.count { $0 == .overtaken } }
    var saved: Int { events.count { if case .saved = $0 { true } else { false } } }
  }

  init() async throws {
    let log = EventLog()
    self.log = log
    coordinator = RestorationCoordinator(
      store: store,
      configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1")))
    await coordinator.prepare()
    saver = StateSaver(coordinator, of: app, interval: .seconds(1), clock: clock) {
      log.events.append($0)
    }
  }

  /// Changes the app's state and marks it.
  func change() {
    app.version += 1
    saver.markDirty()
  }

  func savedVersion() throws -> Int? { try VersionedApp.version(in: store.archive) }

  /// Yields the main actor until the condition is true.
  func until(_ condition: () -> Bool) async {
    while !condition() {
      guard !Task.isCancelled else { return }
      await Task.yield()
    }
  }
}
