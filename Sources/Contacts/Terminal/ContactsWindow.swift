import ContactsModel
import Keepsake
import TerminalScreen

/// One run of the app in a terminal: it draws, handles keys, and saves the state in time.
@MainActor
final class ContactsWindow {
  /// How the user or the system ended the run.
  private enum Ending {
    case kept(RestorationReason)
    case discarded
  }

  private let terminal: Terminal
  private let app: ContactsApp
  private let session: StateSession
  private let coordinator: RestorationCoordinator
  private weak var saver: StateSaver?
  private var lastSaveFailed = false
  /// True when the list of keys covers the screen.
  private var showsKeys = false

  init(terminal: Terminal, book: ContactBook, session: StateSession) throws {
    self.terminal = terminal
    self.session = session
    app = ContactsApp(book: book, rowHeight: 1, furtherTabs: [AboutScreen()])
    var configuration = RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0"), failedLaunchLimit: 3)
    configuration.awaitsFirstFrame = true
    coordinator = RestorationCoordinator(session: session, configuration: configuration)
  }

  /// Runs until the user or the system ends it.
  func run() async throws {
    let report = await coordinator.launch(app)
    if report.outcome == .nothingSaved { app.allContacts.select(0) }
    if let reason = session.reason, app.notice.isEmpty { app.notice = "Restored after \(reason)." }
    let saver = StateSaver(coordinator, of: app, interval: .milliseconds(200)) {
      [weak self] event in self?.handle(event)
    }
    self.saver = saver
    saver.markDirty()
    draw()
    coordinator.didDrawFirstFrame()
    switch await takeEvents(saver) {
    case .kept(let reason):
      try await saver.shutDown()
      try await session.end(reason)
    case .discarded:
      try await saver.discard()
      try await session.discard()
    }
  }

  private func handle(_ event: SaveEvent) {
    switch event {
    case .saved: lastSaveFailed = false
    case .overtaken: break
    case .failed(let error):
      lastSaveFailed = true
      app.notice = error.description
    }
    draw()
  }

  private func takeEvents(_ saver: StateSaver) async -> Ending {
    for await event in terminal.events {
      switch event {
      case .key(let key):
        // This key may write the book. If the process dies right after that, the saved state is still the one before
        // the key, and the same key has the same effect again.
        if key == .enter, app.isEditing { try? await saver.save() }
        app.notice = ""
        app.actionCount += 1
        // Any key but ^C closes the list of keys, and does nothing else.
        if showsKeys, key != .control("c") {
          showsKeys = false
        } else if let ending = handle(key) {
          return ending
        }
        saver.markDirty()
      case .resized: break
      case .endRequested: return .kept(.systemKill)
      }
      draw()
    }
    return .kept(.systemKill)
  }

  /// Passes a key to the visible screen, and handles keys that the screen does not use.
  private func handle(_ key: TerminalKey) -> Ending? {
    if key == .control("c") { return .kept(.userQuit) }
    if app.visibleScreen?.handle(key, in: app) == true { return nil }
    switch key {
    case .tab: app.selectNextTab()
    case .character("1"): app.selectTab(0)
    case .character("2"): app.selectTab(1)
    case .character("3"): app.selectTab(2)
    case .character("n"): app.beginNewContact()
    case .character("?"): showsKeys = true
    case .character("q"): return .kept(.userQuit)
    case .character("Q"): return .discarded
    default: break
    }
    return nil
  }

  private func draw() {
    let saving =
      saver?.isUpToDate == true ? "saved" : lastSaveFailed ? "not saved" : "saving"
    var canvas = app.draw(terminal.size, saving: saving)
    if showsKeys { KeyList.draw(in: &canvas) }
    terminal.write(canvas.controlSequences)
  }
}
