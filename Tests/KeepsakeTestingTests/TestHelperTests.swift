import Keepsake
import KeepsakeTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `The helpers for tests` {
  /// Yields to other tasks until the condition is true.
  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test func `Setting holdsWrites a second time does not finish waiting writes`() async throws {
    let store = InMemoryStateStore(archive: [1])
    store.holdsWrites = true
    let write = Task { try await store.save([2], previous: .replace) }
    await until { store.waitingWriteCount == 1 }
    store.holdsWrites = true
    #expect(store.waitingWriteCount == 1 && store.archive == [1])
    #expect(store.finishWrite())
    try await write.value
    #expect(store.archive == [2])
  }

  @Test func `The store counts the restores that were begun, until one has ended`() async throws {
    let store = InMemoryStateStore(archive: [1])
    try store.beginRestoration(attempt: 1)
    #expect(store.isMarked)
    try store.endRestoration()
    #expect(!store.isMarked)
    #expect(try await store.load() == .archive([1], failedLaunchCount: 0))
    try store.beginRestoration(attempt: 3)
    #expect(try await store.load() == .archive([1], failedLaunchCount: 3))
  }

  private final class DecliningApp: RestorationDelegate {
    var restorationWindows: [any RestorationWindow] { [] }
    func willFinishLaunching() {}
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { false }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
    func didFinishLaunching(_ report: RestoreReport) {}
  }

  @Test func `A relaunch of an app that declines to save restores nothing`() async throws {
    let store = InMemoryStateStore(archive: [1])
    let relaunch = try await relaunch(
      DecliningApp(), store: store,
      configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1"))
    ) { DecliningApp() }
    #expect(relaunch.saveReport.outcome == .declined)
    #expect(store.archive == nil)
    #expect(relaunch.restoreReport.outcome == .nothingSaved)
  }

  @Test func `The cost for tests is the lowest that is allowed`() throws {
    #expect(PassphraseCost.forTests == PassphraseCost(passes: 1, memoryByteCount: 8_192))
  }
}
