import Keepsake

/// A screen with a draft that a saved property keeps.
final class NoteController: HeadlessViewController { @Saved var draft = "" }

/// An app of one window with one note.
final class NotesApp: RestorationDelegate {
  let window = HeadlessWindow()
  let note = NoteController(restorationIdentifier: "Note")
  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() { window.rootController = note }

  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }

  func didFinishLaunching(_ report: RestoreReport) {}
}
