import Keepsake

final class NoteController: HeadlessViewController { @Saved var draft = "" }

final class NotesApp: RestorationDelegate {
  let window = HeadlessWindow()
  let note = NoteController(restorationIdentifier: "Note")
  var restorationWindows: [any RestorationWindow] { [window] }
  func willFinishLaunching() { window.rootController = note }
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) { print(report) }
}

@MainActor func runNotes(in directory: StateDirectory) async throws -> String {
  let (app, version) = (NotesApp(), try BundleVersion("1.0"))
  let coordinator = RestorationCoordinator(
    directory: directory, configuration: RestorationConfiguration(bundleVersion: version))
  await coordinator.launch(app)  // brings back what the last launch saved
  app.note.draft += "One more line. "
  try await coordinator.save(app)  // encrypted, fsynced, replaced as a whole
  return app.note.draft
}
