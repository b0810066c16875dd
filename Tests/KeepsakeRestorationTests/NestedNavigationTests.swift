import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The two plans of source document S3 for nested controllers, and the exclusions and the rescue of S0.
@MainActor
@Suite struct `Nested navigation` {
  private func nested(_ make: (String) -> Page) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    let pages = ["a", "b"].map(make)
    pages.forEach { $0.note = "of \($0.restorationIdentifier ?? "")" }
    navigation.setChildren(pages)
    return navigation
  }

  private func notes(_ app: TestApp) -> [String?] {
    app.root?.children.map { ($0 as? Page)?.note } ?? []
  }

  // Plan 1: every level names a restoration class.
  @Test
  func `Nested screens are made by restoration classes without asking the delegate`() async throws {
    try await CallLog.record { log in
      let relaunch = try await relaunch(
        TestApp(root: nested { ClassPage(restorationIdentifier: $0) }))
      #expect(notes(relaunch.app) == ["of a", "of b"])
      let made = log.calls.filter { $0.hasPrefix("make") || $0.hasPrefix("class") }
      #expect(made == ["make [n]", "class [n, a]", "class [n, b]"])
    }
  }

  // Row 13.
  // Plan 2: the delegate makes every level from the last component of its path.
  @Test func `Nested screens are made by a central delegate`() async throws {
    let types: [String: () -> HeadlessViewController] = [
      "n": { HeadlessNavigationController() }, "a": { Page() }, "b": { Page() },
    ]
    let relaunch = try await relaunch(TestApp(root: nested { Page($0) })) {
      let app = TestApp()
      app.make = { types[$0.identifier]?() }
      return app
    }
    #expect(notes(relaunch.app) == ["of a", "of b"])
    #expect(relaunch.restoreReport.objects.allSatisfy { $0.source == .delegate })
  }

  // Row 13.
  // The template makes no second copy of the level.
  @Test func `A level is made by its template when the delegate returns nil`() async throws {
    let saved = nested { Page($0) }
    saved.children.last?.restorationTemplate = "Page"
    var registry = RestorationRegistry()
    var instances = 0
    try registry.register(template: "Page") { path in
      instances += 1
      #expect(path.components == ["n", "b"])
      return Page()
    }
    let relaunch = try await KeepsakeTesting.relaunch(
      TestApp(root: saved),
      configuration: RestorationConfiguration(gate: try .version("1"), registry: registry)
    ) {
      let app = TestApp()
      app.make = { path in
        switch path.identifier {
        case "n": HeadlessNavigationController()
        case "a": Page()
        default: nil
        }
      }
      return app
    }
    #expect(instances == 1 && notes(relaunch.app) == ["of a", "of b"])
    #expect(relaunch.restoreReport.objects.map(\.source) == [.delegate, .delegate, .template])
  }

  // Row 3: a stack may have no gaps.
  @Test func `A stack ends at a level that is not made`() async throws {
    let relaunch = try await relaunch(TestApp(root: nested { Page($0) })) {
      let app = TestApp()
      app.make = { path in
        switch path.identifier {
        case "n": HeadlessNavigationController()
        case "b": Page()
        default: nil
        }
      }
      return app
    }
    #expect(relaunch.app.root?.children.isEmpty == true)
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.notFound, .unattached])
  }

  // Row 7, scenario 10.
  @Test func `A stack that is not saved exists as the launch code builds it`() async throws {
    func unnamed() -> HeadlessNavigationController {
      let navigation = nested { Page($0) }
      navigation.restorationIdentifier = nil
      navigation.children.forEach { ($0 as? Page)?.note = "default" }
      return navigation
    }
    let saved = unnamed()
    saved.children.forEach { ($0 as? Page)?.note = "changed" }
    let relaunch = try await relaunch(TestApp(root: saved)) {
      let app = TestApp()
      app.onLaunch = { $0.root = unnamed() }
      return app
    }
    #expect(relaunch.saveReport.objects.isEmpty)
    #expect(notes(relaunch.app) == ["default", "default"])
  }

  // Row 8.
  // The delegate encodes references to the children of the stack, and pushes the children again.
  @Test func `The screens of a stack that is not saved are rescued by references of the delegate`()
    async throws
  {
    let saved = nested { Page($0) }
    saved.restorationIdentifier = nil
    let app = TestApp(root: saved)
    app.shouldSave = { coder in
      coder.encodeReferences(saved.children, forKey: "stack")
      return true
    }
    var rescued: [Page] = []
    let relaunch = try await relaunch(app) {
      let app = TestApp()
      app.make = { _ in Page() }
      app.onLaunch = { $0.root = HeadlessNavigationController() }
      app.onDecode = { coder in
        rescued = try coder.decodeReferences(Page.self, forKey: "stack")
        app.root?.setChildren(rescued)
      }
      return app
    }
    #expect(relaunch.saveReport.paths == [["a"], ["b"]])
    #expect(rescued.map(\.note) == ["of a", "of b"])
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }
}
