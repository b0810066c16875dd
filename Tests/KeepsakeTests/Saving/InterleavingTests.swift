import KeepsakeTesting
import TestSupport
import Testing

import Keepsake

/// One random run of a saver, with the rules that always hold (Spec/state.md, section 5).
@MainActor
private final class Interleaving {
  private let fixture: SaverFixture
  private var random: SeededGenerator
  private var tasks: [Task<Void, any Error>] = []
  private var lastSeen = 0
  private var lastBytes: [UInt8]?
  /// The messages of all failures so far, each with its own number.
  private var failuresGiven: Set<String> = []

  init(seed: UInt64) async throws {
    fixture = try await SaverFixture()
    fixture.store.holdsWrites = true
    random = SeededGenerator(seed: seed)
  }

  func run() async throws {
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      step()
      for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
      try check()
    }
    var wasDirty = false
    let end = Task {
      wasDirty = fixture.saver.isDirty
      try await fixture.saver.shutDown()
    }
    tasks.append(end)
    var isOver = false
    Task {
      _ = await end.result
      isOver = true
    }
    while !isOver, !Task.isCancelled {
      if fixture.store.waitingWriteCount > 0 { finishWrite() }
      await Task.yield()
      try check()
    }
    // The last state is saved, or its failure was reported.
    let saved = try fixture.savedVersion()
    do {
      try await end.value
      #expect(!fixture.saver.isDirty)
      if wasDirty { #expect(saved == fixture.app.version) }
    } catch {
      #expect(fixture.saver.isDirty && failuresGiven.contains("\(error)"))
    }
    try await checkFailures()
    // Nothing happens after the end.
    fixture.app.version += 1
    fixture.saver.markDirty()
    fixture.clock.advance(by: .seconds(5))
    await Task.yield()
    #expect(fixture.store.waitingWriteCount == 0)
    #expect(try fixture.savedVersion() == saved)
  }

  private func step() {
    let saver = fixture.saver
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: fixture.change()
    case 6..<9: tasks.append(Task { try await saver.save() })
    case 9..<12: fixture.clock.advance(by: .milliseconds(600))
    case 12..<18: if fixture.store.waitingWriteCount > 0 { finishWrite() }
    case 18: tasks.append(Task { try await saver.discard() })
    default: fixture.app.version += 1
    }
  }

  private func finishWrite() {
    guard Int.random(in: 0..<4, using: &random) == 0 else {
      fixture.store.finishWrite()
      return
    }
    let sentence = "Failure \(failuresGiven.count)."
    failuresGiven.insert(sentence)
    fixture.store.finishWrite(failingWith: RestorationError(.storeUnavailable, sentence))
  }

  /// Every failure was reported, or thrown by a discard, and no other failure was.
  private func checkFailures() async throws {
    var told: Set<String> = []
    for case .failed(let error) in fixture.log.events { told.insert(error.message) }
    for task in tasks {
      guard case .failure(let error as RestorationError) = await task.result else { continue }
      if ![.savingEnded, .saveDiscarded].contains(error.code) { told.insert(error.message) }
    }
    #expect(told == failuresGiven)
  }

  /// At most one write is under way; the saved state is of one moment, and never older than before.
  private func check() throws {
    #expect(fixture.store.waitingWriteCount <= 1)
    let bytes = fixture.store.archive
    guard bytes != lastBytes else { return }
    lastBytes = bytes
    guard let version = try VersionedApp.version(in: bytes) else { return lastSeen = 0 }
    #expect(version >= lastSeen && version <= fixture.app.version)
    lastSeen = version
  }
}

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `Random interleavings` {
  @Test func `Random marks, saves, failures, discards and shutdowns keep the promises of a saver`()
    async throws
  {
    for seed in 0..<10_000 {
      try await Interleaving(seed: UInt64(seed)).run()
    }
  }
}
