import DesktopContactsModel
import Foundation
import GTKRestoration
import Keepsake

/// The app: one book, and a session with saved state for each window.
@MainActor
final class DesktopApp {
  let book: ContactBook
  let version: BundleVersion
  let journal: StateJournal?
  /// True when the lists and forms show the contacts.
  private(set) var hasRows: Bool
  private let rowsPath: String?
  private let sessions: StateSessions
  private let keyStore: PassphraseKeyStore?
  private var prompt: PassphrasePrompt?
  private var windows: [ContactsWindow] = []
  private var isInBackground = false

  init(_ options: Options) throws {
    version = options.version
    journal = try options.journalPath.map { try StateJournal(path: $0) }
    rowsPath = options.rowsPath
    hasRows = options.rowsPath == nil
    book = try ContactBook(path: options.state.path + "/contacts.json")
    keyStore = options.needsPassphrase ? PassphraseKeyStore(path: options.state.keyPath) : nil
    sessions = StateSessions(in: options.state, keyStore: keyStore)
  }

  /// Asks for the passphrase if the app has one, then opens the windows of the last launch, or a first window.
  func launch() async {
    if let keyStore {
      let prompt = PassphrasePrompt(keyStore)
      self.prompt = prompt
      await prompt.unlock()
      self.prompt = nil
    }
    do {
      // From back to front: the last window gets the focus.
      for session in try await sessions.resumeAll() {
        try await openWindow(session)
      }
      if windows.isEmpty { try await openWindow(sessions.open()) }
      try await showLateRows()
    } catch {
      DesktopContacts.report(error)
    }
  }

  /// Gives the lists their rows and the forms their texts when the file at `rowsPath` exists, long after the windows
  /// were restored.
  private func showLateRows() async throws {
    guard let rowsPath else { return }
    while !FileManager.default.fileExists(atPath: rowsPath) {
      try await Task.sleep(for: .milliseconds(20))
    }
    let forms = windows.flatMap(\.forms).filter { !$0.isEdited }
    hasRows = true
    for list in windows.flatMap(\.lists) { list.reload() }
    for form in forms { form.refresh() }
  }

  /// Opens a window with a session of its own.
  func openNewWindow() {
    Task {
      do {
        try await openWindow(sessions.open())
      } catch {
        windows.first?.notice = "\(error)"
      }
    }
  }

  private func openWindow(_ session: StateSession) async throws {
    let number = windows.count + 1
    let window = ContactsWindow(
      title: number == 1 ? "Contacts" : "Contacts \(number)", session: session, of: self)
    windows.append(window)
    try await window.launch()
  }

  /// Closes a window and discards its state; for the last window, keeps the state and quits the app.
  func close(_ window: ContactsWindow) {
    Task {
      do {
        if windows.count == 1 {
          try await window.end()
          exit(0)
        }
        windows.removeAll { $0 === window }
        try await window.discard()
      } catch {
        DesktopContacts.report(error)
      }
    }
  }

  /// Changes the book and shows the change in each window.
  ///
  /// Each list keeps its place, and a form that the user has edited keeps its texts.
  func change(_ body: (ContactBook) throws -> Void) throws {
    let lists = windows.flatMap(\.lists)
    let places = lists.map(\.listView.place)
    let forms = windows.flatMap(\.forms).filter { !$0.isEdited }
    defer {
      for form in forms { form.refresh() }
      for (list, place) in zip(lists, places) {
        list.reload()
        list.listView.show(place)
      }
    }
    try body(book)
  }

  /// Saves when the user has switched to another app, since the system may end this one from then on.
  func windowActivityChanged() {
    // The focus leaves one window before another one gets it, so the check runs in the next turn.
    Task {
      await windows.first(where: \.isActive)?.noteFront()
      let isInBackground = !windows.contains(where: \.isActive)
      guard isInBackground != self.isInBackground else { return }
      self.isInBackground = isInBackground
      for window in windows { await window.setInBackground(isInBackground) }
    }
  }
}
