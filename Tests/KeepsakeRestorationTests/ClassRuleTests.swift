import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

enum First {
  final class Inner: Page {}
}

enum Second {
  final class Inner: Page {}
}

private final class PrivatePage: Page {}

private final class NamedPrivatePage: Page {
  override class var restorationTypeName: String { "NamedPrivatePage" }
}

private final class PrivateClass: RestorationClass {
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? { nil }
}

class GenericPage<Content>: Page {}

/// A page whose mirror hides its superclass.
final class SecretivePage: Page, CustomReflectable {
  nonisolated var customMirror: Mirror {
    Mirror(self, children: [:], ancestorRepresentation: .suppressed)
  }
}

// "If the app returns an object whose class is not the original's or a subclass of it, the system does not
// ask it to decode" (source document S0). Row 23.
@MainActor
@Suite struct `The class rule` {
  final class MyNavigation: HeadlessNavigationController {}

  private func relaunch(
    _ root: HeadlessViewController, registering type: (any RestorableObject.Type)? = nil,
    alias: String? = nil, _ make: @escaping (RestorationPath) -> (any RestorableNode)?
  ) async throws -> Relaunch<TestApp> {
    var registry = RestorationRegistry()
    if let type { try registry.register(type: type, alias: alias) }
    return try await KeepsakeTesting.relaunch(
      TestApp(root: root),
      configuration: RestorationConfiguration(gate: try .version("1"), registry: registry)
    ) {
      let app = TestApp()
      app.make = make
      return app
    }
  }

  // Row 23, scenario 39.
  @Test
  func `A subclass decodes the state of its superclass without a registration`() async throws {
    let relaunch = try await relaunch(Page("a", note: "saved")) { _ in First.Inner() }
    #expect((relaunch.app.root as? Page)?.note == "saved")
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }

  // Row 23.
  @Test func `A stack is restored as a subclass of the stack's class`() async throws {
    let saved = HeadlessNavigationController(restorationIdentifier: "n")
    saved.setChildren([Page("a"), Page("b")])
    let relaunch = try await relaunch(saved) { $0.count == 1 ? MyNavigation() : Page() }
    #expect(relaunch.app.root?.children.map(\.restorationIdentifier) == ["a", "b"])
    #expect(relaunch.restoreReport.diagnostics.isEmpty, "\(relaunch.restoreReport)")
  }

  // Row 23, scenario 40.
  @Test func `A superclass does not decode the state of its subclass`() async throws {
    let relaunch = try await relaunch(First.Inner("a", note: "saved")) { _ in Page() }
    #expect((relaunch.app.root as? Page)?.note == "")
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.classMismatch])
  }

  // Row 23, scenario 40.
  @Test
  func `A type that shares only its last name with the saved one does not decode`() async throws {
    let relaunch = try await relaunch(First.Inner("a", note: "saved")) { _ in Second.Inner() }
    #expect((relaunch.app.root as? Page)?.note == "")
    #expect(relaunch.restoreReport.diagnostics.map(\.code) == [.classMismatch])
    let message = try #require(relaunch.restoreReport.diagnostics.first?.message)
    #expect(message.contains("KeepsakeRestorationTests.First.Inner"))
    #expect(message.contains("KeepsakeRestorationTests.Second.Inner"))
  }

  // Row 23, scenario 42.
  @Test func `An alias makes a type known by its former name`() async throws {
    let relaunch = try await relaunch(
      First.Inner("a", note: "saved"), registering: Second.Inner.self,
      alias: "KeepsakeRestorationTests.First.Inner"
    ) { _ in Second.Inner() }
    #expect((relaunch.app.root as? Page)?.note == "saved")
  }

  @Test(arguments: [false, true])
  func `A registration is needed where a mirror does not show the superclass`(
    isRegistered: Bool
  ) async throws {
    let relaunch = try await relaunch(
      Page("a", note: "saved"), registering: isRegistered ? Page.self : nil
    ) { _ in SecretivePage() }
    #expect((relaunch.app.root as? Page)?.note == (isRegistered ? "saved" : ""))
  }

  @Test func `An object whose type has no stable name is left out and reported`() async throws {
    final class LocalPage: Page {}
    let unnamed: [HeadlessViewController] = [
      PrivatePage("unnamed"), LocalPage("unnamed"), GenericPage<PrivatePage>("unnamed"),
    ]
    for page in unnamed {
      page.setChildren([Page("below")])
      let box = Box("box")
      box.setChildren([page, Page("b")])
      let report = try await relaunch(box) { _ in Page() }.saveReport
      #expect(report.paths == [["box"], ["box", "b"]])
      #expect(report.diagnostics.map(\.code) == [.unstableTypeName])
      #expect(report.diagnostics.first?.path?.components == ["box"])
      let message = try #require(report.diagnostics.first?.message)
      #expect(
        message.contains("restorationTypeName") && message.contains("Page#below"), "\(message)")
      #expect(!message.contains("$"), "an address says nothing: \(message)")
    }
  }

  @Test func `No reference is written to an object whose type has no stable name`() async throws {
    let page = Page("a")
    page.friend = PrivatePage("friend")
    let root = try await relaunch(page) { _ in Page() }
    #expect(root.saveReport.paths == [["a"]])
    #expect(root.saveReport.diagnostics.map(\.code) == [.unsavedReference])
    let asRoot = try await relaunch(PrivatePage("a")) { _ in Page() }
    #expect(asRoot.saveReport.diagnostics.map(\.code) == [.unstableTypeName])
  }

  @Test func `An object whose private type states its name is saved`() async throws {
    let relaunch = try await relaunch(NamedPrivatePage("a", note: "saved")) { _ in
      NamedPrivatePage()
    }
    #expect((relaunch.app.root as? Page)?.note == "saved")
    let generic = try await self.relaunch(GenericPage<First.Inner>("a", note: "saved")) { _ in
      GenericPage<First.Inner>()
    }
    #expect((generic.app.root as? Page)?.note == "saved")
    let other = try await self.relaunch(GenericPage<First.Inner>("a", note: "saved")) { _ in
      GenericPage<Second.Inner>()
    }
    #expect(other.restoreReport.diagnostics.map(\.code) == [.classMismatch])
  }

  @Test func `The registry refuses types without a stable name`() throws {
    var registry = RestorationRegistry()
    let error = #expect(throws: RestorationError.self) {
      try registry.register(restorationClass: PrivateClass.self)
    }
    #expect(error?.code == .invalidRegistration)
    #expect(error?.message.contains("restorationClassName") == true)
    let second = #expect(throws: RestorationError.self) {
      try registry.register(type: PrivatePage.self)
    }
    #expect(second?.code == .invalidRegistration)
    #expect(second?.message.contains("restorationTypeName") == true)
    try registry.register(restorationClass: PrivateClass.self, alias: "PrivateClass")
  }
}
