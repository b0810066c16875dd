import Foundation
import Keepsake

final class NoteController: HeadlessViewController {
  @Saved var draft = ""
}

final class NotesApp: RestorationDelegate {
  let note = NoteController(restorationIdentifier: "Note")
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] {
    [window]
  }

  func willFinishLaunching() {
    window.rootController = note
  }
  func shouldSaveState(
    with coder: inout RestorationEncoder
  ) -> Bool { true }
  func shouldRestoreState(
    with coder: borrowing RestorationDecoder
  ) -> Bool { true }

  func didFinishLaunching(_ report: RestoreReport) {
    // A refused state is not restored: another version
    // wrote it, the file is damaged or the key is missing.
    if case .refused(let refusal) = report.outcome {
      tell("\(refusal)")
    }
  }
}

/// Shows the user an error: it says what happened and what
/// to do next.
func tell(_ problem: String) {
  FileHandle.standardError.write(
    Data("notes: \(problem)\n".utf8))
}

@main
@MainActor
struct Notes {
  static func main() async {
    do {
      try await run()
    } catch {
      tell("\(error)")
      exit(EXIT_FAILURE)
    }
  }

  private static func run() async throws {
    var configuration = RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0"))
    configuration.awaitsFirstFrame = true
    let coordinator = RestorationCoordinator(
      directory: try .user("com.example.notes"),
      configuration: configuration)
    let app = NotesApp()
    let report = await coordinator.launch(app)
    switch report.outcome {
    case .refused(.keyUnavailable),
      .refused(.storeUnavailable):
      // A state that cannot be read is not overwritten:
      // text that is typed now would be lost.
      exit(EXIT_FAILURE)
    default: print("Your note:\n\(app.note.draft)")
    }
    coordinator.didDrawFirstFrame()

    let saver = StateSaver(coordinator, of: app)
    while let line = readLine() {
      app.note.draft += line + "\n"
      do {
        try await saver.save()
      } catch {
        // The app goes on. The next save has this line too.
        tell("\(error)")
      }
    }
    try await saver.shutDown()
  }
}
