import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The rule of source document S0 for storyboards, applied to templates: the archive keeps the name, and a
// class may make its node by it. Rows 15 and 16.
@MainActor
@Suite struct `A template` {
  /// A page whose class makes it from the template that was saved with it.
  final class TemplatePage: Page, RestorationClass {
    static func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableNode)? {
      guard let template = try coder.decodeIfPresent(String.self, forKey: .template) else {
        return nil
      }
      CallLog.add("template \(template)")
      let page = TemplatePage()
      page.restorationClass = TemplatePage.self
      return page
    }
  }

  private func registry() throws -> RestorationRegistry {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: ClassPage.self)
    try registry.register(restorationClass: TemplatePage.self)
    try registry.register(template: "Settings") { _ in Page() }
    return registry
  }

  private func stack(_ pages: HeadlessViewController...) -> HeadlessNavigationController {
    let navigation = HeadlessNavigationController(restorationIdentifier: "n")
    navigation.setChildren(pages)
    return navigation
  }

  /// An app that makes only the stack.
  private func stackApp() -> TestApp {
    let app = TestApp()
    app.make = { $0.identifier == "n" ? HeadlessNavigationController() : nil }
    return app
  }

  private func relaunch(_ app: TestApp) async throws -> Relaunch<TestApp> {
    try await KeepsakeTesting.relaunch(
      app,
      configuration: RestorationConfiguration(
        gate: try .version("1"), registry: try registry())
    ) { stackApp() }
  }

  // Row 16.
  @Test func `A template makes its node in the second and the third launch`() async throws {
    let settings = Page("settings")
    settings.restorationTemplate = "Settings"
    let first = TestApp(
      root: stack(
        ClassPage(restorationIdentifier: "a"), settings, ClassPage(restorationIdentifier: "c")))
    let second = try await relaunch(first)
    #expect(second.app.root?.children.map(\.restorationIdentifier) == ["a", "settings", "c"])
    let third = try await relaunch(second.app)
    #expect(third.app.root?.children.map(\.restorationIdentifier) == ["a", "settings", "c"])
    #expect(third.restoreReport.diagnostics.isEmpty, "\(third.restoreReport)")
  }

  // Row 15.
  @Test func `A template is known to the class of a node in every launch`() async throws {
    let page = TemplatePage("page")
    page.restorationClass = TemplatePage.self
    page.restorationTemplate = "Settings"
    try await CallLog.record { log in
      let second = try await relaunch(TestApp(root: stack(page)))
      let third = try await relaunch(second.app)
      #expect(third.app.root?.children.count == 1)
      #expect(log.calls.filter { $0 == "template Settings" }.count == 2)
    }
  }

  @Test(arguments: ["Settings", "Unknown"])
  func `A template that is not registered is reported by the save`(name: String) async throws {
    let page = Page("page")
    page.restorationTemplate = name
    let report = try await relaunch(TestApp(root: stack(page))).saveReport
    #expect(report.diagnostics.map(\.code) == (name == "Unknown" ? [.unregisteredClass] : []))
    #expect(report.diagnostics.allSatisfy { $0.path?.components == ["n", "page"] })
    #expect(report.diagnostics.allSatisfy { $0.message.contains("Unknown") })
  }
}
