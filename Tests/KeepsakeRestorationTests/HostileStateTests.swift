import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import TestSupport
import Testing

/// Archives that open and verify, with an index that no save would write.
@MainActor
@Suite struct `A hostile state` {
  /// The rows of an index whose columns a test chooses; the records are those of pages.
  private struct Rows {
    var parents: [UInt32]
    var identifiers: [String]
    var roles: [UInt8]
    var objects: [UInt32]
    var windows: [UInt32] = [1]
    var more: (inout ObjectEncoder) -> Void = { _ in }

    init(parents: [UInt32]) {
      self.parents = parents
      identifiers = Array(repeating: "x", count: parents.count)
      roles = parents.map { $0 == 0 ? 0 : 1 }
      objects = (0..<parents.count).map { UInt32($0 + 2) }
    }
  }

  /// An archive with an index; record 1 is the application, the last one the index.
  private func archive(
    _ rows: Rows, root: UInt32? = nil, indexName: String = "Keepsake.Index"
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
    try writer.writeObject(ArchiveObjectID(1), typeName: "Keepsake.Application") { _ in }
    for _ in rows.parents {
      try writer.writeObject(writer.nextObjectID, typeName: Page.restorationTypeName) { coder in
        coder.encode("note", forKey: "note")
      }
    }
    let index = writer.nextObjectID
    try writer.writeObject(index, typeName: indexName) { coder in
      coder.encode(ArchiveReference(ArchiveObjectID(1)), forKey: "application")
      coder.encode(
        rows.objects.map { ArchiveReference($0 == 0 ? nil : ArchiveObjectID($0)) },
        forKey: "objects")
      coder.encode(rows.identifiers, forKey: "identifiers")
      coder.encode(rows.roles, forKey: "roles")
      coder.encode(rows.parents, forKey: "parents")
      coder.encode(rows.windows, forKey: "windows")
      rows.more(&coder)
    }
    return try writer.finish(root: root.map { ArchiveObjectID($0) } ?? index)
  }

  private func restore(_ archive: [UInt8]) async throws -> RestoreReport {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(archive: archive), gate: try .version("1"))
    let report = await coordinator.launch(TestApp.standard())
    _ = try? await coordinator.save(TestApp(root: Page("a")))
    return report
  }

  @Test(arguments: [[1], [2, 1], [2, 3, 4, 1], [0, 2], [0, 3], [0, .max]] as [[UInt32]])
  func `Rows whose parents form a ring, or do not exist, are left out`(parents: [UInt32])
    async throws
  {
    let report = try await restore(try archive(Rows(parents: parents)))
    let dropped = report.objects.filter { $0.disposition == .dropped }
    #expect(!dropped.isEmpty && report.objects.count == parents.count, "\(report)")
    #expect(report.diagnostics.contains { $0.code == .malformedRecord })
  }

  @Test func `A restore of a long chain of rows reports a bounded number of notices`() async throws
  {
    let report = try await restore(try archive(Rows(parents: (0..<20_000).map { $0 })))
    #expect(report.objects.filter { $0.disposition != .dropped }.count == 512)
    #expect(report.objects.allSatisfy { $0.path.count <= 512 })
    #expect(report.diagnostics.count == 10_001 && report.diagnostics.last?.code == .omitted)
  }

  // Spec/restoration.md, section 6: 262,144 components in all.
  @Test func `Rows are kept for later until their paths have too many components`() async throws {
    // Two chains of 511 rows, with 511 x 512 components, and a row at the end of each: one has room.
    var parents: [UInt32] = [0]
    parents += 1..<511
    parents.append(0)
    parents += 512..<1_022
    parents += [511, 1_022]
    var rows = Rows(parents: parents)
    rows.identifiers[511] = "y"
    rows.identifiers[1_023] = "beyond"
    let store = InMemoryStateStore(archive: try archive(rows))
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    let app = TestApp(root: Page("a"))
    let report = await coordinator.launch(app)
    #expect(report.objects.allSatisfy { $0.disposition == .dropped })
    try await coordinator.save(app)
    let saved = try Archive(try #require(store.archive))
    let outline = try #require(SavedStateOutline(saved))
    #expect(outline.entries.count == 1 + 2 * 511 + 1)
    #expect(outline.entries.last?.path.count == 512)
    #expect(!outline.entries.contains { $0.path.identifier == "beyond" })
  }

  @Test func `A row is dropped when its record is absent or belongs to another`() async throws {
    var rows = Rows(parents: [0, 1, 1, 1, 1, 1])
    rows.identifiers = ["box", "a", "b", "c", "d", "e"]
    // Two records of pages, the second one again, the application, the index, and no record.
    rows.objects = [2, 3, 3, 1, 8, 0]
    let report = try await restore(try archive(rows))
    #expect(
      report.objects.map(\.disposition) == [
        .restored, .restored, .dropped, .dropped, .dropped, .dropped,
      ], "\(report)")
  }

  @Test
  func `A row without a name or a role is left out, and all others are restored`() async throws {
    var rows = Rows(parents: [0, 0, 0, 0])
    rows.identifiers = ["a", "", "b", "c"]
    rows.roles = [0, 0, 9, 0]
    let report = try await restore(try archive(rows))
    #expect(report.objects.map(\.path.components) == [["a"], ["c"]])
    #expect(report.diagnostics.count { $0.code == .malformedRecord } == 2)
  }

  @Test func `A node below a view is not taken for the root of a window`() async throws {
    var rows = Rows(parents: [0, 1, 2])
    (rows.identifiers, rows.roles) = (["a", "view", "a"], [0, 3, 1])
    let page = Page("a")
    page.addView(HeadlessTextField(restorationIdentifier: "view"))
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(archive: try archive(rows)), gate: try .version("1"))
    let report = await coordinator.launch(TestApp(root: page))
    let notices = report.diagnostics.filter { $0.path?.components == ["a", "view", "a"] }
    #expect(notices.map(\.code) == [.notFound], "\(report)")
  }

  @Test func `An index whose columns are not equally long is damaged`() async throws {
    for shorten in 0..<9 {
      var rows = Rows(parents: [0, 1])
      switch shorten {
      case 0: rows.identifiers.removeLast()
      case 1: rows.roles.removeLast()
      case 2: rows.objects.removeLast()
      case 3: rows.more = { $0.encode([1] as [UInt32], forKey: "ordinals") }
      case 4: rows.more = { $0.encode([1, 2, 3] as [UInt32], forKey: "ranks") }
      case 5: rows.more = { $0.encode([1] as [UInt32], forKey: "restorationClasses") }
      case 6:
        // These are all columns except the parents.
        rows.identifiers.removeLast()
        rows.roles.removeLast()
        rows.objects.removeLast()
      case 7: rows.more = { $0.encode([1, 2, 3] as [UInt32], forKey: "ordinals") }
      default: rows.more = { $0.encode([1, 2, 3] as [UInt8], forKey: "flags") }
      }
      let report = try await restore(try archive(rows))
      guard case .refused(.damaged(let message)) = report.outcome else {
        Issue.record("\(shorten): \(report)")
        continue
      }
      #expect(message.contains("not equally long"), "\(shorten): \(message)")
    }
  }

  @Test func `A state whose root is not an index is damaged`() async throws {
    for archive in [
      try archive(Rows(parents: [0]), root: 2),
      try archive(Rows(parents: [0]), indexName: "Keepsake.Index2"),
    ] {
      let report = try await restore(archive)
      guard case .refused(.damaged(let message)) = report.outcome else {
        Issue.record("\(report)")
        continue
      }
      #expect(message.contains("not the index of a state"))
    }
  }

  @Test func `Every row with a known role is reported, whatever its numbers are`() async throws {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 1...12, using: &generator)
      let any = { (generator: inout SeededGenerator) in
        UInt32.random(in: 0...UInt32(count + 2), using: &generator)
      }
      let column = { (generator: inout SeededGenerator) in (0..<count).map { _ in any(&generator) }
      }
      var rows = Rows(parents: column(&generator))
      rows.roles = (0..<count).map { _ in UInt8.random(in: 0...5, using: &generator) }
      rows.objects = (0..<count).map { _ in
        UInt32.random(in: 0...UInt32(count + 2), using: &generator)
      }
      rows.windows = column(&generator)
      let (ordinals, ranks, classes) = (
        column(&generator), column(&generator), column(&generator)
      )
      let flags = (0..<count).map { _ in UInt8.random(in: 0...3, using: &generator) }
      rows.more = { coder in
        coder.encode(ordinals, forKey: "ordinals")
        coder.encode(ranks, forKey: "ranks")
        coder.encode(classes, forKey: "restorationClasses")
        coder.encode([ClassPage.restorationClassName, "Unknown"], forKey: "restorationClassNames")
        coder.encode(flags, forKey: "flags")
      }
      let report = try await restore(try archive(rows))
      #expect(report.objects.count == rows.roles.count { $0 < 5 }, "\(seed): \(report)")
    }
  }

  @Test func `A state with flipped bits is restored or refused, and never ends the process`()
    async throws
  {
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

  @Test func `A node that is nested too deeply is not saved`() async throws {
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
    #expect(relaunch.saveReport.diagnostics.first?.path?.components.count == 512)
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
  }
}
