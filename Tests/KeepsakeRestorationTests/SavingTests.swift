import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
@Suite struct `Saving an interface` {
  private func save(_ app: TestApp) async throws -> SaveReport {
    let coordinator = RestorationCoordinator(store: InMemoryStateStore(), gate: try .version("1"))
    await coordinator.prepare()
    return try await coordinator.save(app)
  }

  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  @Test
  func `A save calls the application first, then every object once, containers before contents`()
    async throws
  {
    try await CallLog.record { log in
      let report = try await save(TestApp(root: stack(Page("a"), Page("b"))))
      #expect(report.paths == [["n"], ["n", "a"], ["n", "b"]])
      #expect(log.calls == ["shouldSave", "willEncode", "encode a", "encode b"])
    }
  }

  // The order of the keys is part of the bytes.
  @Test func `The index has its columns in the same order in every save`() async throws {
    let (made, page) = (ClassPage(restorationIdentifier: "a"), Page("a"))
    page.restorationTemplate = "Cell"
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.prepare()
    try await coordinator.save(TestApp(root: stack(made, page)))
    let archive = try Archive(try #require(store.archive))
    #expect(
      try archive.object(archive.rootID).dynamicRecord().fields.map(\.key.name) == [
        "application", "objects", "identifiers", "roles", "parents", "windows", "ordinals",
        "flags", "restorationClasses", "restorationClassNames",
      ])
  }

  // Row 9.
  @Test func `A pushed and a presented screen have different paths`() async throws {
    let navigation = stack(Page("l"), Page("d"))
    navigation.present(HeadlessNavigationController(restorationIdentifier: "m", root: Page("d")))
    let report = try await save(TestApp(root: navigation))
    #expect(report.paths == [["n"], ["n", "l"], ["n", "d"], ["n", "m"], ["n", "m", "d"]])
  }

  private final class Draft: HeadlessViewController {
    override class var restorationTypeName: String { "Draft" }
    @Saved var text = ""
  }

  // The session looks up its notes on an object by address, and a later object may get the same address.
  @Test func `An object at the address of one that is gone is saved with its own properties`()
    async throws
  {
    let store = InMemoryStateStore()
    let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
    await coordinator.prepare()
    let box = Box("box")
    let app = TestApp(root: box)
    var addresses: Set<ObjectIdentifier> = []
    var isNewAddress = true
    var attempt = 0
    while isNewAddress, attempt < 1_000 {
      attempt += 1
      let draft = Draft(restorationIdentifier: "draft")
      draft.text = "\(attempt)"
      box.setChildren([draft])
      try await coordinator.save(app)
      isNewAddress = addresses.insert(ObjectIdentifier(draft)).inserted
    }
    try #require(!isNewAddress, "No object got the address of another one.")
    let (restored, nextBox) = (Draft(restorationIdentifier: "draft"), Box("box"))
    nextBox.setChildren([restored])
    await RestorationCoordinator(store: store, gate: try .version("1"))
      .launch(TestApp(root: nextBox))
    #expect(restored.text == "\(attempt)")
  }

  // Row 6.
  @Test
  func `A node without an identifier is left out with all below it, and reported`() async throws {
    let middle = Box(nil)
    middle.setChildren([Page("leaf")])
    let report = try await save(TestApp(root: stack(middle, Page("b"))))
    #expect(report.paths == [["n"], ["n", "b"]])
    #expect(report.diagnostics.map(\.code) == [.pruned])
    #expect(report.diagnostics.first?.message.contains("Box below [n]") == true)

    let empty = try await save(TestApp(root: Page("")))
    #expect(empty.objects.isEmpty && empty.diagnostics.map(\.code) == [.pruned])
  }

  // Row 6.
  @Test func `A save keeps the root of each window that has an identifier`() async throws {
    let app = TestApp(windowCount: 3)
    app.windows[0].rootController = Page("a")
    app.windows[1].rootController = Page(nil)
    app.windows[2].rootController = Page("c")
    #expect(try await save(app).paths == [["a"], ["c"]])
  }

  // Row 45, scenario 18.
  @Test func `The first of two objects with one path is saved, and both are named`() async throws {
    let box = Box("box")
    box.setChildren([Page("x"), ClassPage(restorationIdentifier: "x")])
    let report = try await save(TestApp(root: box))
    #expect(report.paths == [["box"], ["box", "x"]])
    let duplicate = report.diagnostics.first { $0.code == .duplicatePath }
    #expect(duplicate?.path?.components == ["box", "x"])
    #expect(duplicate?.message.contains("A ClassPage") == true)
    #expect(duplicate?.message.contains("a Page") == true)
  }

  @Test func `Children of a stack may share an identifier`() async throws {
    let report = try await save(TestApp(root: stack(Page("x"), Page("x"))))
    #expect(report.paths == [["n"], ["n", "x"], ["n", "x"]])
    #expect(report.diagnostics.isEmpty)
  }

  // Row 8.
  @Test func `A reference rescues an object below a pruned node`() async throws {
    let pruned = Box(nil)
    let rescued = Page("rescued")
    pruned.setChildren([rescued])
    let page = Page("page")
    page.friend = rescued
    let report = try await save(TestApp(root: stack(page, pruned)))
    #expect(report.paths == [["n"], ["n", "page"], ["n", "rescued"]])
  }

  @Test func `No reference is written to an object that cannot be saved`() async throws {
    let page = Page("a")
    page.friend = Page(nil)
    let report = try await save(TestApp(root: page))
    #expect(report.paths == [["a"]])
    #expect(report.diagnostics.map(\.code) == [.unsavedReference])

    page.friend = HeadlessView(restorationIdentifier: "view without owner")
    #expect(try await save(TestApp(root: page)).diagnostics.map(\.code) == [.unsavedReference])
  }

  @Test func `A save ends with references that form a cycle, and with a parent that is its own`()
    async throws
  {
    let (a, b) = (Page("a"), Page("b"))
    (a.friend, b.friend) = (b, a)
    try await CallLog.record { log in
      let report = try await save(TestApp(root: stack(a, b)))
      #expect(report.objects.count == 3)
      #expect(log.calls.filter { $0 == "encode a" || $0 == "encode b" }.count == 2)
    }
    let loop = Page("loop")
    loop.setChildren([loop])
    let page = Page("page")
    page.friend = loop
    #expect(try await save(TestApp(root: page)).diagnostics.map(\.code) == [.unsavedReference])
  }

  // Row 24.
  @Test func `A child whose parent is another object is left out`() async throws {
    let (box, other) = (Box("box"), Box("other"))
    let child = Page("child")
    box.setChildren([child])
    other.setChildren([child])
    let report = try await save(TestApp(root: box))
    #expect(report.paths == [["box"]])
    #expect(report.diagnostics.map(\.code) == [.inconsistentContainment])
  }

  // Row 18, scenario 30.
  @Test(arguments: ["throws", "duplicate key", "reserved key"])
  func `An object that fails to encode keeps its place and loses its state`(
    failure: String
  ) async throws {
    let broken = Box("box", note: "lost")
    broken.setChildren([Page("child", note: "kept")])
    broken.onEncode = { coder in
      coder.encodeReference(Page("only referred to by what failed"), forKey: "friend")
      switch failure {
      case "throws": throw TestFailure()
      case "duplicate key": coder.encode(2, forKey: "note")
      default: coder.encode("2.0", forKey: .bundleVersion)
      }
    }
    let relaunch = try await relaunch(TestApp(root: broken))
    #expect(relaunch.saveReport.paths == [["box"], ["box", "child"]])
    #expect(relaunch.saveReport.diagnostics.map(\.code) == [.encodingFailed])
    #expect(relaunch.restoreReport.disposition(of: "box") == .inDefaultState)
    let box = try #require(relaunch.app.root as? Box)
    #expect(box.note == "")
    #expect((box.children.first as? Page)?.note == "kept")
  }

  // Row 25, scenario 50.
  @Test func `A view with an identifier is saved when its owner is`() async throws {
    let (page, pruned) = (Page("a"), Page(nil))
    page.addView(HeadlessScrollView(restorationIdentifier: "scroll"))
    page.addView(HeadlessScrollView())
    pruned.addView(HeadlessScrollView(restorationIdentifier: "scroll"))
    let report = try await save(TestApp(root: stack(page, pruned)))
    #expect(report.paths == [["n"], ["n", "a"], ["n", "a", "scroll"]])
    #expect(report.objects.last?.kind == .view)
  }

  @Test
  func `A save warns of a restoration class that the next launch will not find`() async throws {
    let report = try await save(TestApp(root: ClassPage(restorationIdentifier: "a")))
    #expect(report.diagnostics.map(\.code) == [.unregisteredClass])
  }

  // Row 50.
  @Test func `A report is printed as a tree`() async throws {
    let report = try await save(TestApp(root: stack(Page("a"), Page(nil))))
    let lines = report.description.split(separator: "\n")
    #expect(lines[1] == "  HeadlessNavigationController#n: saved")
    #expect(lines[2] == "    Page#a: saved")
    #expect(lines[3].hasPrefix("  ! A Page below [n] was left out"))
  }
}
