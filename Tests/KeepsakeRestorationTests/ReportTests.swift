import Foundation
import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// A report of a save or a restore is printed as a tree and as JSON: rows 6, 8, 23, 45, 48 and 50.
@MainActor
@Suite struct `A report` {
  private let store = InMemoryStateStore()

  private func save(
    _ app: TestApp, budget: RestorationBudget = RestorationBudget()
  ) async throws -> SaveReport {
    let coordinator = RestorationCoordinator(
      store: store, gate: try .version("1"), budget: budget)
    await coordinator.prepare()
    return try await coordinator.save(app)
  }

  private func box(_ identifier: String?, _ children: HeadlessViewController...) -> Box {
    let box = Box(identifier)
    box.setChildren(children)
    return box
  }

  // Row 6.
  @Test func `A report names the objects that are lost with each pruned node`() async throws {
    let rescued = Page("rescued")
    rescued.addView(HeadlessTextField(restorationIdentifier: "of what is rescued"))
    let lost = Page("lost")
    lost.addView(HeadlessTextField(restorationIdentifier: "field"))
    lost.addView(HeadlessTextField())
    let middle = box(nil, lost, rescued, Page(nil), box("inner", Page("deep")))
    middle.present(Page("sheet"))
    let page = Page("page")
    page.friend = rescued
    let report = try await save(TestApp(root: box("r", page, middle, Page(nil))))
    #expect(
      report.paths.map { $0.joined(separator: "/") }.sorted() == [
        "r", "r/page", "r/rescued", "r/rescued/of what is rescued",
      ])
    #expect(report.diagnostics.map(\.code) == [.pruned, .pruned])
    #expect(report.diagnostics.map(\.path?.components) == [["r"], ["r"]])
    let sentences = report.diagnostics.map(\.message)
    #expect(sentences[0].hasPrefix("A Box below [r] was left out with everything below it"))
    #expect(
      sentences[0].hasSuffix(
        " Lost with it: Page#lost, HeadlessTextField#field, Box#inner, Page#deep, Page#sheet."))
    #expect(!sentences[1].contains("Lost with it"))
  }

  // Row 6: a notice stays short for a hostile or huge interface.
  @Test func `A report names the first ten lost objects and counts the others`() async throws {
    let pages = (0..<25).map { Page("p\($0)") }
    let pruned = box(nil)
    pruned.setChildren(pages)
    let root = box("r", pruned)
    // A ring: a lost page contains its own container.
    pages[24].setChildren([pruned])
    defer { pages[24].setChildren([]) }
    let message = try #require(try await save(TestApp(root: root)).diagnostics.first?.message)
    #expect(message.contains("Lost with it: Page#p0, Page#p1, "))
    #expect(message.hasSuffix("Page#p9 and 15 more."))
  }

  // Row 50: the tree has objects with every outcome.
  @Test func `The report of a save shows each object with its outcome`() async throws {
    let rescued = Page("rescued")
    let large = Page("large", note: String(repeating: "x", count: 2_000))
    let (twin, other) = (Page("twin"), ClassPage(restorationIdentifier: "twin"))
    large.friend = rescued
    let root = box("r", large, twin, other, box(nil, rescued))
    let friendly = Page("friendly")
    friendly.friend = rescued
    root.setChildren(root.children + [friendly])
    let report = try await save(
      TestApp(root: root), budget: RestorationBudget(objectByteCount: 1_000))
    let lines = report.description.components(separatedBy: "\n")
    #expect(
      Array(lines.dropFirst().prefix(5)) == [
        "  Box#r: saved", "    Page#large: in its default state", "    Page#twin: saved",
        "    Page#friendly: saved", "    Page#rescued: rescued",
      ])
    #expect(lines[0].hasPrefix("Saved 5 objects in an archive of "))
    let notices = lines.dropFirst(6).dropLast()
    #expect(notices.allSatisfy { $0.hasPrefix("  ! ") } && notices.count == 3, "\(report)")
    #expect(
      notices.contains { $0.contains("A ClassPage was left out, because a Page has the same") })
    #expect(notices.contains { $0.contains("The state of [r, large] was shed") })
    #expect(lines.last?.hasPrefix("Encoding took ") == true)
    #expect(lines.last?.hasSuffix(" ms.") == true)
  }

  // Rows 23 and 50.
  @Test func `The report of a restore shows each object with its outcome`() async throws {
    _ = try await save(TestApp(root: box("r", Page("kept"), Page("other"), Page("none"))))
    let app = TestApp()
    app.make = { path in
      switch path.identifier {
      case "r": Box()
      case "other": HeadlessViewController()
      case "kept": Page()
      default: nil
      }
    }
    let report = await RestorationCoordinator(store: store, gate: try .version("1")).launch(app)
    let lines = report.description.components(separatedBy: "\n")
    #expect(
      Array(lines.prefix(5)) == [
        "Restored 2 of 4 objects.", "  Box#r: restored, from delegate",
        "    Page#kept: restored, from delegate",
        "    Page#other: in its default state, from delegate", "    Page#none: dropped",
      ])
    #expect(lines.dropFirst(5).dropLast().count { $0.hasPrefix("  ! [r, ") } == 2, "\(report)")
    #expect(lines.last?.hasPrefix("Making and decoding took ") == true)

    let refused = await RestorationCoordinator(store: store, gate: try .version("2")).launch(app)
    #expect(
      refused.objects.isEmpty && !refused.description.contains("\n"), "a refusal has a reason only")
  }

  // Row 50.
  @Test func `The report of a save is encoded as JSON`() async throws {
    let report = try await save(TestApp(root: box("r", Page(nil), Page("a"))))
    let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(report))
    let fields = try #require(json as? [String: Any])
    #expect(fields["outcome"] as? String == "saved")
    #expect(fields["archiveByteCount"] as? Int == report.archiveByteCount)
    #expect((fields["seconds"] as? Double).map { $0 > 0 } == true)
    #expect(fields["ignoresSnapshot"] as? Bool == true)
    let objects = try #require(fields["objects"] as? [[String: Any]])
    #expect(objects.map { $0["path"] as? [String] } == [["r"], ["r", "a"]])
    #expect(objects.map { $0["disposition"] as? String } == ["saved", "saved"])
    #expect(objects.map { $0["byteCount"] as? Int } == report.objects.map(\.byteCount))
    #expect(objects.map { $0["typeName"] as? String } == report.objects.map(\.typeName))
    #expect(objects.map { $0["kind"] as? String } == ["node", "node"])
    #expect(objects.allSatisfy { $0["source"] is NSNull })
    let notices = try #require(fields["diagnostics"] as? [[String: Any]])
    #expect(notices.map { $0["code"] as? String } == ["pruned"])
    #expect(notices[0]["path"] as? [String] == ["r"])
    #expect((notices[0]["message"] as? String)?.hasPrefix("A Page below [r]") == true)
  }

  @Test func `The reports of a restore and of a refusal are encoded as JSON`() async throws {
    _ = try await save(TestApp(root: box("r", Page("a"), Page("b"))))
    func fields(_ version: String) async throws -> [String: Any] {
      let coordinator = RestorationCoordinator(store: store, gate: try .version(version))
      let report = await coordinator.launch(TestApp(root: box("r", Page("a"))))
      let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(report))
      return try #require(json as? [String: Any])
    }
    let refused = try await fields("2")
    #expect(refused["outcome"] as? String == "refused")
    #expect((refused["refusal"] as? String)?.contains("version 2") == true)
    #expect((refused["objects"] as? [Any])?.isEmpty == true)
    let restored = try await fields("1")
    #expect(restored["outcome"] as? String == "restored" && restored["refusal"] == nil)
    #expect((restored["seconds"] as? Double).map { $0 > 0 } == true)
    let objects = try #require(restored["objects"] as? [[String: Any]])
    #expect(objects.map { $0["source"] as? String } == ["existing", "existing", nil])
    #expect(objects.map { $0["disposition"] as? String } == ["restored", "restored", "dropped"])
    let notices = try #require(restored["diagnostics"] as? [[String: Any]])
    #expect(notices.map { $0["code"] as? String } == ["notFound"])
  }

  // Row 50: a reference reaches the top of the stack before the stack does.
  @Test func `A report shows a stack in its order`() async throws {
    let pages = ["a", "b", "c"].map { Page($0) }
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    navigation.present(Page("sheet"))
    let app = TestApp(root: navigation)
    app.willEncode = { $0.encodeReference(pages[2], forKey: "top") }
    let relaunch = try await relaunch(app)
    for report in [relaunch.saveReport.description, relaunch.restoreReport.description] {
      let names = report.components(separatedBy: "\n").compactMap { line in
        line.firstRange(of: /#[a-z]+/).map { line[$0] }
      }
      #expect(names == ["#n", "#a", "#b", "#c", "#sheet"], "\(report)")
    }
  }
}
