import Keepsake

final class NoteController: HeadlessViewController {
  var draft = ""

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(draft, forKey: "draft")
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    draft = try coder.decode(String.self, forKey: "draft")
  }
}

final class NotesApp: RestorationDelegate {
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() {
    window.rootController = NoteController(restorationIdentifier: "Note")
  }

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) { print(report) }
}

@MainActor func runNotes(in directory: StateDirectory) async throws -> String {
  let coordinator = RestorationCoordinator(
    directory: directory,
    configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
  let app = NotesApp()
  await coordinator.launch(app)  // brings back what the last launch saved
  let note = app.window.rootController as? NoteController
  note?.draft += "One more line. "
  try await coordinator.save(app)  // encrypted, fsynced, replaced as a whole
  return note?.draft ?? ""
}
