import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

@MainActor
private class PlaceApp: RestorationDelegate {
  let window = HeadlessWindow()
  @Saved var launchCount = 0
  @Saved var filter: [String: Int] = [:]
  @SavedReference var current: HeadlessViewController?
  var restorationWindows: [any RestorationWindow] { [window] }
  var handwritten = 0
  var saves = true

  func willFinishLaunching() {
    window.rootController = HeadlessViewController(restorationIdentifier: "Root")
  }

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool {
    // This key is also the name of a saved property.
    coder.encode(handwritten, forKey: "launchCount")
    return saves
  }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool {
    handwritten = try coder.decode(forKey: "launchCount")
    return true
  }

  func didFinishLaunching(_ report: RestoreReport) {}
}

/// A delegate that inherits a saved property from a class whose name is the same in every process.
final class InheritingDelegate: SavingDelegate {
  @Saved var own = 0
}

@MainActor class SavingDelegate: RestorationDelegate {
  @Saved var inherited = ""
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] { [window] }
  func willFinishLaunching() {}
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

/// An object that is neither contained nor registered.
@MainActor private final class LooseModel {
  @Saved var zoom = 1.0
}

private final class LooseController: HeadlessViewController {
  override class var restorationTypeName: String { "Tests.LooseController" }
  @Saved var draft = ""
}

@MainActor
@Suite(.serialized) struct `A saved property outside of the windows` {
  private var configuration: RestorationConfiguration {
    get throws { RestorationConfiguration(bundleVersion: try BundleVersion("1.0")) }
  }

  /// The notices of two immediate saves about the declarations of this file.
  ///
  /// Other tests declare their own apps.
  private func notices(
    _ coordinator: RestorationCoordinator, _ app: PlaceApp
  ) throws -> [RestorationDiagnostic] {
    _ = try coordinator.encode(app)
    return try coordinator.encode(app).report.diagnostics.filter {
      $0.code != .unfoundProperties || $0.message.contains("SavedPropertyPlaceTests")
    }
  }

  @Test
  func `The delegate's saved properties are restored, and so is the value that it writes by hand`()
    async throws
  {
    let app = PlaceApp()
    app.willFinishLaunching()
    app.launchCount = 3
    app.filter = ["a": 1]
    app.current = app.window.rootController
    app.handwritten = 8
    let relaunch = try await KeepsakeTesting.relaunch(app, configuration: configuration) {
      PlaceApp()
    }
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
    let next = relaunch.app
    #expect(next.launchCount == 3 && next.filter == ["a": 1] && next.handwritten == 8)
    #expect(next.current === next.window.rootController)
  }

  @Test func `A saved property is restored in a delegate that has inherited it`() async throws {
    let app = InheritingDelegate()
    (app.own, app.inherited) = (5, "a text")
    let relaunch = try await KeepsakeTesting.relaunch(app, configuration: configuration) {
      InheritingDelegate()
    }
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
    #expect(relaunch.app.own == 5 && relaunch.app.inherited == "a text")
  }

  @Test func `A saved property marks the state when it is set in the delegate`() async throws {
    let app = PlaceApp()
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    await coordinator.launch(app)
    let changes = ChangeCount()
    coordinator.changes.add(changes)
    coordinator.findSavedProperties(of: app)
    for number in 1...2 {
      app.launchCount += 1
      #expect(changes.count == number)
    }
  }

  // The object is gone before another test could save.
  @Test
  func `A saved property in an object that nothing contains is reported by each save`()
    async throws
  {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    let app = PlaceApp()
    await coordinator.launch(app)
    let loose = LooseModel()
    #expect(try notices(coordinator, app).isEmpty, "nothing was set, so nothing is lost")
    loose.zoom = 2
    for _ in 0..<2 {
      let found = try notices(coordinator, app)
      #expect(found.map(\.code) == [.unfoundProperties])
      let message = try #require(found.first?.message)
      #expect(message.contains("KeepsakeRestorationTests/SavedPropertyPlaceTests.swift, line "))
      #expect(message.contains("register") && message.contains("delegate"))
    }
    withExtendedLifetime(loose) {}
  }

  @Test func `A saved property is not reported any more once its object is contained or released`()
    async throws
  {
    let coordinator = RestorationCoordinator(
      store: InMemoryStateStore(), configuration: try configuration)
    let app = PlaceApp()
    await coordinator.launch(app)
    do {
      let gone = LooseModel()
      gone.zoom = 3
      #expect(try notices(coordinator, app).count == 1)
      withExtendedLifetime(gone) {}
    }
    #expect(try notices(coordinator, app).isEmpty)
    let controller = LooseController()
    controller.draft = "a draft"
    #expect(try notices(coordinator, app).count == 1)
    app.window.rootController?.setChildren([controller])
    // The object has no identifier, and another notice says so.
    #expect(try notices(coordinator, app).map(\.code) == [.pruned])
    controller.restorationIdentifier = "Draft"
    #expect(try notices(coordinator, app).isEmpty)
  }
}
