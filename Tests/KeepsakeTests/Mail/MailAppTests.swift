import Foundation
import Keepsake
import Testing

@MainActor
@Suite struct `A mail app` {
  private func launched(in directory: StateDirectory) async throws -> (MailApp, StateSaver) {
    let coordinator = RestorationCoordinator(
      directory: directory, configuration: try MailApp.configuration)
    let app = MailApp()
    try app.register(with: coordinator)
    let report = await coordinator.launch(app)
    #expect(report.diagnostics.isEmpty)
    return (app, StateSaver(coordinator, of: app))
  }

  @Test func `A mail app is restored from its saved properties and its fields alone`() async throws
  {
    try await TemporaryDirectory.with { directory in
      var (app, saver) = try await launched(in: directory.state)
      try await saver.save()
      let first = app.windows[0]
      let archive = first.openMailbox("Archive")
      archive.sort = .sender
      archive.table.scroll(to: 120)
      first.open("one", from: archive).zoom = 1.5
      _ = first.open("two", from: archive)
      let second = app.openWindow()
      second.tabs.select(second.settings)
      second.settings.section = 2
      let composer = second.compose(into: app.outbox)
      composer.recipients.append("ada@example.org")
      composer.subject.text = "Lunch"
      composer.body.text = "Dear Ada,"
      composer.body.becomeFirstResponder()
      composer.body.select(5..<8)
      app.outbox.subjects = ["Hello"]
      // No call marks the state: saved properties tell the saver that they were set.
      while !saver.isDirty { await Task.yield() }
      try await saver.shutDown()

      (app, saver) = try await launched(in: directory.state)
      try await check(app)
      app.windows[1].settings.section = 3
      #expect(saver.isDirty)
      try await saver.shutDown()
      (app, saver) = try await launched(in: directory.state)
      #expect(app.windows[1].settings.section == 3)
      try await saver.shutDown()
    }
  }

  private func check(_ app: MailApp) async throws {
    #expect(app.windows.count == 2 && app.outbox.subjects == ["Hello"])
    let first = app.windows[0]
    #expect(first.mailboxes.children.count == 2 && first.tabs.selectedTab === first.mail)
    let archive = try #require(first.mailboxes.topController as? MailboxController)
    #expect(archive.sort == .sender && archive.selectedMessage == "two")
    #expect(archive.table.contentOffset.y == 120)
    let messages = first.messages.children.compactMap { $0 as? MessageController }
    #expect(messages.allSatisfy { $0.mailbox === archive })
    #expect(messages.map(\.message) == ["one", "two"] && messages.map(\.zoom) == [1.5, 1])
    let second = app.windows[1]
    #expect(second.tabs.selectedTab === second.settings && second.settings.section == 2)
    let composer = try #require(second.tabs.presentedController as? ComposerController)
    #expect(composer.recipients == ["ada@example.org"] && composer.outbox === app.outbox)
    #expect(composer.subject.text == "Lunch" && composer.body.text == "Dear Ada,")
    #expect(composer.body.isFirstResponder && composer.body.selectedRange == 5..<8)
  }

  /// Lines of the app's other file that exist only for the restoration.
  private static let linesForIt = [
    "makeRestorable()", "var restorationIdentifier: String?", "var restorationParent: ",
  ]

  @Test func `A mail app needs at most 90 lines for its restoration`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    func lines(_ name: String) throws -> [Substring] {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    let others = try lines("MailApp.swift").count { line in
      Self.linesForIt.contains { line.contains($0) }
    }
    // The coordinator and the saver, as the function at the top of this file makes them.
    let launching = 7
    #expect(others == 5)
    #expect(try lines("MailApp+Restoration.swift").count - 1 + others + launching <= 90)
  }
}
