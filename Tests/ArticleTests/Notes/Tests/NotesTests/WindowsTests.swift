import Foundation
import Keepsake
import Testing

@testable import Notes

@MainActor
@Suite struct `The windows of the notes app` {
  /// Opens windows as a new process does: with sessions of its own.
  private func launch(in folder: URL) async throws -> [NoteWindow] {
    try await openWindows(of: StateSessions(in: StateDirectory(path: folder.path)))
  }

  private func drafts(_ windows: [NoteWindow]) -> [String] { windows.map(\.app.note.draft) }

  @Test func `Two windows come back with their texts, and one that was closed does not`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("notes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }

    var windows = try await launch(in: folder)
    #expect(drafts(windows) == ["", ""])
    windows[0].app.note.draft = "Milk"
    windows[1].app.note.draft = "Bread"
    for window in windows { try await window.saver.save() }
    try await windows[0].becomeFront()

    // The app ends without telling its sessions.
    windows = []
    windows = try await launch(in: folder)
    #expect(drafts(windows) == ["Bread", "Milk"])
    #expect(windows.map(\.session.reason) == [.crash, .crash])

    for window in windows { try await window.quit() }
    windows = []
    windows = try await launch(in: folder)
    #expect(drafts(windows) == ["Bread", "Milk"])
    #expect(windows.map(\.session.reason) == [.userQuit, .userQuit])

    try await windows[0].close()
    windows = []
    #expect(drafts(try await launch(in: folder)) == ["Milk"])
  }
}
