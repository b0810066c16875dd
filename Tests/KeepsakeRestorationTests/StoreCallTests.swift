import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Synchronization
import Testing

// A store is called on the main actor: one that only keeps a value needs no other thread, and one that blocks
// leaves the actor by its own declaration.
@MainActor
@Suite struct `A custom store` {
  /// Runs where it is called, and notes whether that was the main actor.
  private final class NearStore: RestorationStore {
    let archive = Mutex<[UInt8]?>(nil)
    let areOnMainActor = Mutex<[Bool]>([])

    private func note(_ isolation: isolated (any Actor)? = #isolation) {
      areOnMainActor.withLock { $0.append(isolation === MainActor.shared) }
    }

    nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
      note()
      return archive.withLock { $0.map { .archive($0, failedLaunchCount: 0) } ?? .absent }
    }

    nonisolated(nonsending) func save(
      _ archive: [UInt8], previous: PreviousState
    ) async throws(RestorationError) {
      note()
      self.archive.withLock { $0 = archive }
    }

    nonisolated(nonsending) func remove() async throws(RestorationError) {
      note()
      archive.withLock { $0 = nil }
    }

    nonisolated(nonsending) func setAside() async throws(RestorationError) -> String { "nowhere" }
    func beginRestoration(attempt: Int) throws(RestorationError) {}
    func endRestoration() throws(RestorationError) {}
  }

  /// Runs off the main actor, as a store that blocks does.
  private final class FarStore: RestorationStore {
    let archive = Mutex<[UInt8]?>(nil)
    let areOnMainActor = Mutex<[Bool]>([])

    private func note(_ isolation: isolated (any Actor)? = #isolation) {
      areOnMainActor.withLock { $0.append(isolation === MainActor.shared) }
    }

    @concurrent func load() async throws(RestorationError) -> StoredState {
      note()
      return archive.withLock { $0.map { .archive($0, failedLaunchCount: 0) } ?? .absent }
    }

    @concurrent func save(
      _ archive: [UInt8], previous: PreviousState
    ) async throws(RestorationError) {
      note()
      self.archive.withLock { $0 = archive }
    }

    @concurrent func remove() async throws(RestorationError) {
      note()
      archive.withLock { $0 = nil }
    }

    @concurrent func setAside() async throws(RestorationError) -> String { "nowhere" }
    func beginRestoration(attempt: Int) throws(RestorationError) {}
    func endRestoration() throws(RestorationError) {}
  }

  private func useUp(_ store: any RestorationStore) async throws -> RestoreReport.Outcome {
    let first = RestorationCoordinator(store: store, gate: try .version("1"))
    await first.prepare()
    try await first.save(TestApp(root: Page("a", note: "saved")))
    let second = RestorationCoordinator(store: store, gate: try .version("1"))
    let outcome = await second.launch(TestApp.standard()).outcome
    try await second.discard()
    return outcome
  }

  @Test func `A store is called on the main actor, and may stay there`() async throws {
    let store = NearStore()
    #expect(try await useUp(store) == .restored)
    #expect(store.areOnMainActor.withLock { $0 } == [true, true, true, true])
    #expect(store.archive.withLock { $0 } == nil)
  }

  @Test
  func `A store that declares its methods concurrent is called off the main actor`() async throws {
    let store = FarStore()
    #expect(try await useUp(store) == .restored)
    #expect(store.areOnMainActor.withLock { $0 } == [false, false, false, false])
  }
}

// Spec/state.md, section 1, rule 1.
@MainActor
@Suite struct `A store that can only be read` {
  private final class ReadOnlyStore: RestorationStore {
    let archive: [UInt8]?
    let savingObstacle: String? = "The place cannot be written."

    init(_ archive: [UInt8]?) { self.archive = archive }

    nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
      archive.map { .archive($0, failedLaunchCount: 0) } ?? .absent
    }
    nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
      async throws(RestorationError)
    { Issue.record("a save") }
    nonisolated(nonsending) func remove() async throws(RestorationError) {}
    nonisolated(nonsending) func setAside() async throws(RestorationError) -> String { "nowhere" }
    func beginRestoration(attempt: Int) throws(RestorationError) {}
    func endRestoration() throws(RestorationError) {}
  }
  @Test
  func `A read-only state is restored, and report and saves say why nothing is saved`()
    async throws
  {
    let near = InMemoryStateStore()
    let first = RestorationCoordinator(store: near, gate: try .version("1"))
    await first.prepare()
    try await first.save(TestApp(root: Page("a", note: "saved")))
    guard case .archive(let saved, _) = try await near.load() else {
      Issue.record("the app saved nothing")
      return
    }
    for (archive, outcome) in [(saved, RestoreReport.Outcome.restored), (nil, .nothingSaved)] {
      let coordinator = RestorationCoordinator(
        store: ReadOnlyStore(archive), gate: try .version("1"))
      let app = TestApp.standard()
      let report = await coordinator.launch(app)
      #expect(report.outcome == outcome)
      #expect(report.diagnostics.count { $0.message == "The place cannot be written." } == 1)
      #expect("\(report)".contains("The place cannot be written."))
      let error = await #expect(throws: RestorationError.self) { try await coordinator.save(app) }
      #expect(error?.code == .saveRefused)
      #expect(error?.message == "Nothing was saved. The place cannot be written.")
    }
  }
}
