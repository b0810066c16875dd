import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// Objects that are unclaimed or fail, and searches in wide containers.
@MainActor
@Suite struct `Unclaimed and failed objects` {
  private let store = InMemoryStateStore()

  private func coordinator() throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version("1"))
  }

  /// Launches an app and saves it.
  private func launch(
    _ app: TestApp
  ) async throws -> (restored: RestoreReport, saved: SaveReport) {
    let coordinator = try coordinator()
    let report = await coordinator.launch(app)
    return (report, try await coordinator.save(app))
  }

  /// An app that has built its interface when the restore begins.
  private func built(_ identifier: String, _ children: String...) -> TestApp {
    let box = CallOrder.LoggedStack(restorationIdentifier: identifier)
    box.setChildren(children.map { Page($0) })
    return TestApp(root: box)
  }

  typealias CallOrder = `The order of calls`

  // Row 44.
  @Test func `An unclaimed record is not handed to its former container`() async throws {
    _ = try await launch(built("n", "a", "tab"))
    #expect(try await launch(built("n", "a")).saved.diagnostics.map(\.code) == [.unclaimed])
    try await CallLog.record { log in
      let (restored, _) = try await launch(built("n", "a"))
      #expect(log.calls.contains("attach a"), "\(log.calls)")
      #expect(restored.diagnostics.map(\.code) == [.notFound])
    }
  }

  // Row 44: the application has refused all records of the state.
  @Test func `A declined state leaves no unclaimed records`() async throws {
    _ = try await launch(built("n", "a", "tab"))
    let app = TestApp(root: Page("other"))
    app.shouldRestore = { _ in false }
    let (_, saved) = try await launch(app)
    #expect(saved.diagnostics.isEmpty && saved.paths == [["other"]])
  }

  // An object that fails to encode does not keep others from referring to its references.
  @Test
  func `An object that failed to encode does not keep its references from being saved`()
    async throws
  {
    let (failing, next, friend) = (Page("a"), Page("b"), Page("friend", note: "saved"))
    failing.onEncode = { coder in
      coder.encodeReferences([Page("other"), friend], forKey: "friends")
      throw TestFailure()
    }
    next.friend = friend
    let box = Box("box")
    box.setChildren([failing, next])
    let relaunch = try await relaunch(TestApp(root: box))
    #expect(relaunch.saveReport.paths == [["box"], ["box", "a"], ["box", "b"], ["friend"]])
    let restored = try #require(relaunch.app.root?.children.last as? Page)
    #expect((restored.friend as? Page)?.note == "saved")
    #expect(relaunch.restoreReport.disposition(of: "friend") == .restored)
  }

  // Row 14: a wide container is searched in one pass, whatever its order is today.
  @Test(arguments: [0, 1, 2])
  func `Each child of a wide container is found at its position of today`(order: Int) async throws {
    let identifiers = (0..<300).map { "page \($0)" }
    func box(_ identifiers: [String], note: String?) -> Box {
      let box = Box("box")
      box.setChildren(identifiers.map { Page($0, note: note ?? "of \($0)") })
      return box
    }
    let today: [String] =
      switch order {
      case 0: identifiers
      case 1: Array(identifiers.reversed())
      default: identifiers.filter { !$0.hasSuffix("7") } + ["new"]
      }
    let restored = box(today, note: "built")
    let relaunch = try await relaunch(TestApp(root: box(identifiers, note: nil))) {
      TestApp(root: restored)
    }
    let gone = identifiers.count { !today.contains($0) }
    #expect(
      relaunch.restoreReport.diagnostics.map(\.code) == Array(repeating: .notFound, count: gone))
    #expect(
      restored.children.count == identifiers.count - gone, "a box contains its restored children")
    for case let page as Page in restored.children {
      #expect(page.note == "of \(page.restorationIdentifier ?? "")")
    }
  }

  // Row 10: existing twins on a wide stack are distinguished by their order.
  @Test func `Each twin of a wide stack is found by its order`() async throws {
    func stack(_ note: (Int) -> String) -> HeadlessNavigationController {
      let stack = HeadlessNavigationController(restorationIdentifier: "n")
      stack.setChildren((0..<60).map { Page($0 % 3 == 0 ? "x" : "y", note: note($0)) })
      return stack
    }
    let restored = stack { _ in "built" }
    let relaunch = try await relaunch(TestApp(root: stack { "\($0)" })) { TestApp(root: restored) }
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
    #expect(restored.children.map { ($0 as? Page)?.note } == (0..<60).map { "\($0)" })
  }

  // Row 50: a state can be inspected without the program that saved it.
  @Test func `An outline shows the tree of a saved state without a restore`() async throws {
    let page = Page("a")
    page.addView(HeadlessTextField(restorationIdentifier: "field"))
    let app = built("n", "b")
    app.root?.present(page)
    _ = try await launch(app)
    let archive = try Archive(try #require(store.archive))
    let outline = try #require(SavedStateOutline(archive))
    #expect(
      outline.entries.map(\.path.components) == [
        ["n"], ["n", "b"], ["n", "a"], ["n", "a", "field"],
      ])
    #expect(outline.entries.map(\.parentIndex) == [nil, 0, 0, 2])
    #expect(outline.entries.map(\.isPresented) == [false, false, true, false])
    #expect(outline.entries.map(\.kind) == [.node, .node, .node, .view])
    let names = try outline.entries.map { try archive.object($0.objectID).typeName }
    #expect(
      names == [
        CallOrder.LoggedStack.restorationTypeName, "KeepsakeRestorationTests.Page",
        "KeepsakeRestorationTests.Page", "KeepsakeRestoration.HeadlessTextField",
      ])
    let application = try #require(outline.applicationID)
    #expect(try archive.object(application).typeName == "Keepsake.Application")

    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Other") { _ in }
    #expect(SavedStateOutline(try Archive(try writer.finish(root: ArchiveObjectID(1)))) == nil)
  }

  // Row 22: many registered objects, of which some are gone.
  @Test func `Many registered objects are each found again`() async throws {
    final class Setting: RestorableObject {
      static let restorationTypeName = "Setting"
      var restorationIdentifier: String?
      var restorationParent: (any RestorableObject)? { nil }
      var value = 0
      func encodeRestorableState(with coder: inout RestorationEncoder) throws {
        coder.encode(value, forKey: "value")
      }
      func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
        value = try coder.decode(forKey: "value")
      }
    }
    func settings(_ coordinator: RestorationCoordinator) throws -> [Setting] {
      var kept: [Setting] = []
      for number in 0..<200 {
        let setting = Setting()
        try coordinator.register(setting, identifier: "\(number)")
        if number % 4 != 0 { kept.append(setting) }
      }
      return kept
    }
    let first = try coordinator()
    let saved = try settings(first)
    for (number, setting) in saved.enumerated() { setting.value = number + 1 }
    await first.prepare()
    #expect(try await first.save(TestApp()).objects.count == 150)

    let second = try coordinator()
    let restored = try settings(second)
    #expect(await second.launch(TestApp()).diagnostics.isEmpty)
    #expect(restored.map(\.value) == Array(1...150))
    #expect(saved.count == 150)
  }
}
