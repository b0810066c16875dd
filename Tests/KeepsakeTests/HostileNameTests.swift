import Foundation
import Keepsake
import KeepsakeTesting
import TestSupport
import Testing

/// A screen whose type has a name that would clear a terminal.
private final class HostileController: HeadlessViewController {
  override class var restorationTypeName: String { "Type\u{1B}[2J\u{202E}" }
}

private final class HostileApp: RestorationDelegate {
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] { [window] }
  func willFinishLaunching() {}
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

// An app prints reports of saves, restores and migrations to a terminal or into a log.
@MainActor
@Suite struct `A hostile name` {
  private let name = "a\u{1B}]0;x\u{7}\u{9B}2J\u{2066}\n\u{2029}b"
  private let escaped = #"a\u{1B}]0;x\u{7}\u{9B}2J\u{2066}\u{A}\u{2029}b"#

  private func steersTerminal(_ text: some CustomStringConvertible) -> Bool {
    text.description.unicodeScalars.contains { $0 != "\n" && $0.steersDisplay }
  }

  private func app(_ identifier: String) -> HostileApp {
    let app = HostileApp()
    let root = HostileController(restorationIdentifier: identifier)
    root.addView(HeadlessTextField(restorationIdentifier: identifier))
    let pruned = HostileController()
    pruned.setChildren([HostileController(restorationIdentifier: identifier)])
    root.setChildren([pruned])
    app.window.rootController = root
    return app
  }

  @Test func `A hostile name is escaped in reports of saves and restores`() async throws {
    let store = InMemoryStateStore()
    let gate = VersionGate(programVersion: try BundleVersion("1"), policy: .exactly)
    let saving = RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(gate: gate))
    await saving.prepare()
    let save = try await saving.save(app(name))
    #expect(!steersTerminal(save) && save.description.contains("#\(escaped): saved"), "\(save)")
    #expect(save.description.contains(#"Type\u{1B}[2J\u{202E}"#))
    // Other tests of this process may hold saved properties that no save has found yet.
    let notices = save.diagnostics.filter { $0.code != .unfoundProperties }
    #expect(notices.map(\.code) == [.pruned])
    #expect(notices.allSatisfy { !steersTerminal($0.message) && $0.message.contains(escaped) })

    // These objects are not made again, so the report has a notice on each.
    let restoring = RestorationCoordinator(
      store: store, configuration: RestorationConfiguration(gate: gate))
    let report = await restoring.launch(HostileApp())
    #expect(
      !steersTerminal(report) && report.description.contains("#\(escaped): dropped"), "\(report)")
    #expect(
      !report.diagnostics.isEmpty && !report.diagnostics.contains { steersTerminal($0.message) })
    let path = try #require(report.objects.first?.path)
    #expect(!steersTerminal(path) && path.components == [name])
    #expect(RestorationError(.damaged, name).message == escaped)
    #expect(RestoreReport.Refusal.damaged(name).description == escaped)
  }

  @Test func `A hostile name is escaped in errors about files and versions`() throws {
    #expect(KeepsakeError(.damaged, name).message == escaped)
    #expect {
      _ = try BundleVersion(name)
    } throws: { error in
      !steersTerminal("\(error)") && "\(error)".contains(escaped)
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/" + name + ".keepsake"
      try Data("neither sealed nor an archive".utf8).write(to: URL(fileURLWithPath: path))
      let plan = try MigrationPlan(programVersion: try BundleVersion("1"), steps: [])
      let outcomes = try plan.migrateFiles(inDirectory: directory) { _ in [] }
      #expect(outcomes.map(\.path) == [path])
      #expect(
        !steersTerminal(outcomes[0]) && outcomes[0].description.contains(escaped), "\(outcomes[0])")
    }
  }
}
