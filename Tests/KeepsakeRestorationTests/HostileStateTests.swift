import KeepsakeArchive
import KeepsakeRestoration
import KeepsakeTesting
import Testing

/// Archives that open and verify, and hold nothing that a save would write.
@MainActor
@Suite struct `A hostile state` {
  private static let scope = "Keepsake.Restoration"

  /// An archive of nodes with parents of a test's choice; record 1 is the application.
  private func archive(
    parents: [UInt32], children: [UInt32] = [2],
    _ more: (Int, inout ObjectEncoder) -> Void = { _, _ in }
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
    try writer.writeObject(ArchiveObjectID(1), typeName: "Keepsake.Application") { coder in
      coder.withScope(Self.scope) {
        $0.encode(UInt8(0), forKey: "kind")
        $0.encode(children.map { ArchiveReference(ArchiveObjectID($0)) }, forKey: "children")
      }
    }
    for (index, parent) in parents.enumerated() {
      try writer.writeObject(ArchiveObjectID(UInt32(index + 2)), typeName: "Page") { coder in
        coder.encode("note", forKey: "note")
        coder.withScope(Self.scope) {
          $0.encode(UInt8(1), forKey: "kind")
          $0.encode("x", forKey: "identifier")
          $0.encode(UInt32.max, forKey: "ordinal")
          $0.encode(ArchiveReference(parent == 0 ? nil : ArchiveObjectID(parent)), forKey: "parent")
          more(index, &$0)
        }
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  private func restore(_ archive: [UInt8]) async throws -> RestoreReport {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(archive: archive), gate: try .version("1"))
    let report = await coordinator.launch(TestApp.standard())
    _ = try? await coordinator.save(TestApp(root: Page("a")))
    return report
  }

  @Test(arguments: [[2], [3, 2], [3, 4, 5, 2], [0, 1], [0, 3]] as [[UInt32]])
  func `whose parents form a ring, or are no nodes, is left out`(parents: [UInt32]) async throws {
    let report = try await restore(try archive(parents: parents))
    let dropped = report.objects.filter { $0.disposition == .dropped }
    #expect(!dropped.isEmpty && report.objects.count == parents.count, "\(report)")
  }

  @Test func `whose records form one long chain costs no more than its size`() async throws {
    let count: UInt32 = 20_000
    let report = try await restore(try archive(parents: (0..<count).map { $0 == 0 ? 0 : $0 + 1 }))
    #expect(report.objects.filter { $0.disposition != .dropped }.count == 512)
  }

  @Test func `whose records lead everywhere is survived`() async throws {
    for seed in 0..<300 {
      var generator = SplitMix(state: UInt64(seed))
      let count = UInt32.random(in: 1...12, using: &generator)
      let id = { (generator: inout SplitMix) in UInt32.random(in: 1...count + 1, using: &generator)
      }
      let parents = (0..<count).map { _ in Bool.random(using: &generator) ? 0 : id(&generator) }
      let roots = (0..<3).map { _ in id(&generator) }
      let bytes = try archive(parents: parents, children: roots) { _, coder in
        let references = (0..<3).map { _ in ArchiveReference(ArchiveObjectID(id(&generator))) }
        coder.encode(references, forKey: "children")
        coder.encode(references[0], forKey: "presented")
        coder.encode(references, forKey: "views")
        if Bool.random(using: &generator) { coder.encode(true, forKey: "orphan") }
      }
      let report = try await restore(bytes)
      #expect(report.objects.count == Int(count))
    }
  }

  @Test func `with flipped bits is restored or refused, and never ends the process`() async throws {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.prepare()
    let navigation = HeadlessNavigationController(restorationIdentifier: "n", root: Page("a"))
    navigation.present(Page("b"))
    try await coordinator.save(TestApp(root: navigation))
    let archive = try #require(store.archive)
    for bit in stride(from: 0, to: archive.count * 8, by: 11) {
      var damaged = archive
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try await restore(damaged)
    }
  }

  @Test func `that nests too deeply is not written`() async throws {
    let root = Box("box")
    var inner = root
    for _ in 0..<600 {
      let next = Box("box")
      inner.setChildren([next])
      inner = next
    }
    let relaunch = try await relaunch(TestApp(root: root))
    #expect(relaunch.saveReport.objects.count == 512)
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.pruned])
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }
}

/// A generator that gives the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
