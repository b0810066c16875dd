import Keepsake
import KeepsakeTesting
import Testing

@testable import Notes

@MainActor
@Test func `A draft outlives the app`() async throws {
  let app = NotesApp()
  app.willFinishLaunching()
  app.note.draft = "Milk"
  let configuration = RestorationConfiguration(
    bundleVersion: try BundleVersion("1.0"))

  let relaunch = try await relaunch(
    app, configuration: configuration
  ) { NotesApp() }

  #expect(relaunch.restoreReport.outcome == .restored)
  #expect(relaunch.app.note.draft == "Milk")
}
