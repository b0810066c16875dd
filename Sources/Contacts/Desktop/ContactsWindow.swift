import DesktopContactsModel
import GTKRestoration
import Keepsake

/// One window of the app, with its screens, its session and its saver.
@MainActor
final class ContactsWindow: RestorationDelegate {
  private static let newContact = "NewContact"

  let root: WindowRoot
  let app: DesktopApp
  private let noticeLabel = Label()
  private let statusLabel = Label()
  private let session: StateSession
  private let coordinator: RestorationCoordinator
  private var saver: StateSaver?
  private(set) lazy var lists = [
    ContactListNode("AllContacts", of: self), ContactListNode("Favourites", of: self),
  ]
  private lazy var tabs = NotebookNode(
    "Tabs",
    tabs: zip(["Contacts", "Favourites"], lists).map { title, list in
      (title, StackNode(title + "Stack", root: list))
    })
  private lazy var journal = app.journal.map { WindowJournal($0, of: self) }

  init(title: String, session: StateSession, of app: DesktopApp) {
    self.app = app
    self.session = session
    root = WindowRoot(
      Window(title: title, width: 480, height: 480), header: noticeLabel, footer: statusLabel)
    var configuration = RestorationConfiguration(bundleVersion: app.version, failedLaunchLimit: 3)
    configuration.keepsRefusedState = true
    configuration.awaitsFirstFrame = true
    coordinator = RestorationCoordinator(session: session, configuration: configuration)
    noticeLabel.name = "Notice"
    noticeLabel.isVisible = false
    noticeLabel.addStyle("heading")
    statusLabel.name = "Status"
    statusLabel.addStyle("dim-label")
    root.window.setHeaderBar(
      HeaderBar(
        start: [Button("_New") { [weak self] in self?.beginNewContact() }],
        end: [
          Button("_Sort") { [weak self] in
            self?.change { try $0.sort(by: $0.order == .familyName ? .givenName : .familyName) }
          },
          Button("New _window") { [weak self] in self?.app.openNewWindow() },
        ]))
  }

  /// A notice for the user: a full sentence, or an empty text.
  var notice: String {
    get { noticeLabel.text }
    set {
      noticeLabel.text = newValue
      noticeLabel.isVisible = !newValue.isEmpty
    }
  }

  /// Restores the window, shows it, and saves it from now on.
  func launch() async throws {
    await coordinator.launch(self)
    root.window.onFirstFrame { [weak self] in self?.coordinator.didDrawFirstFrame() }
    let saver = StateSaver(coordinator, of: self, interval: .milliseconds(200)) {
      [weak self] event in self?.handle(event)
    }
    self.saver = saver
    root.onStateChange = { [weak self] in
      self?.saver?.markDirty()
      self?.statusLabel.text = "saving"
    }
    root.window.onActivity { [weak self] in self?.app.windowActivityChanged() }
    root.window.onClose { [weak self] in
      guard let self else { return }
      app.close(self)
    }
    try saver.saveAtExit()
    saver.markDirty()
    journal?.noteRestored()
  }

  private func handle(_ event: SaveEvent) {
    journal?.note(event)
    switch event {
    case .saved: if saver?.isUpToDate == true { statusLabel.text = "saved" }
    case .overtaken: break
    case .failed(let error):
      statusLabel.text = "not saved"
      notice = error.description
    }
  }
}

// The requirements of the engine.
extension ContactsWindow {
  var restorationWindows: [any RestorationWindow] { [root] }

  /// Builds the tabs; the restore brings back the screens that were open in them.
  func willFinishLaunching() { root.rootNode = tabs }

  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool {
    journal?.noteEncoding()
    return true
  }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool { true }

  /// Makes the screens that were open; all others exist.
  func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    switch path.identifier {
    case Self.newContact: newContactDialog()
    case "Contact": ContactFormNode(isNew: path.components.contains(Self.newContact), of: self)
    default: nil
    }
  }

  func didFinishLaunching(_ report: RestoreReport) {
    if case .refused(let refusal) = report.outcome { notice = refusal.description }
    root.show()
  }
}

// Actions of the screens.
extension ContactsWindow {
  /// The forms of both tabs; a dialog shows a new contact, which no other form has.
  var forms: [ContactFormNode] {
    tabs.children.flatMap(\.children).compactMap { $0 as? ContactFormNode }
  }

  private var selectedStack: StackNode? { tabs.selected as? StackNode }

  /// Shows a contact on top of the selected tab.
  func show(_ identifier: String) {
    let form = ContactFormNode(isNew: false, of: self)
    form.show(identifier)
    selectedStack?.push(form)
    form.focus()
  }

  func goBack() {
    selectedStack?.pop()
    (selectedStack?.top as? ContactListNode)?.focus()
  }

  private func newContactDialog(_ content: ContactFormNode? = nil) -> DialogNode {
    let window = Window(title: "New contact", width: 360, height: 420)
    let dialog = DialogNode(Self.newContact, window: window, content: content)
    let addButton = Button("_Add") { [weak dialog] in
      (dialog?.children.first as? ContactFormNode)?.keep()
    }
    addButton.addStyle("suggested-action")
    let cancelButton = Button("_Cancel") { [weak self] in self?.endNewContact(showing: nil) }
    window.setHeaderBar(HeaderBar(start: [cancelButton], end: [addButton], closes: false))
    return dialog
  }

  func beginNewContact() {
    let form = ContactFormNode(isNew: true, of: self)
    form.show("contact-\(SessionIdentifier())")
    tabs.present(newContactDialog(form))
    form.focus()
  }

  /// Closes the dialog, and shows the added contact.
  func endNewContact(showing identifier: String?) {
    tabs.dismissDialog()
    if let identifier { lists[0].select(identifier) }
  }

  /// Changes the book; after a failure, sets a notice and returns false.
  @discardableResult
  func change(_ body: (ContactBook) throws -> Void) -> Bool {
    do {
      try app.change(body)
      notice = ""
      return true
    } catch {
      notice = "\(error)"
      return false
    }
  }
}

// The life cycle of the window.
extension ContactsWindow {
  var isActive: Bool {
    root.window.isActive || tabs.presentedDialog?.window.isActive == true
  }

  /// True when everything visible is at its wanted position.
  var isSettled: Bool { tabs.isSettled }

  /// The windows that the user sees, the main one first.
  var visibleWindows: [Window] {
    [root.window] + (tabs.presentedDialog.map { [$0.window] } ?? [])
  }

  var sessionName: String { "\(session.identifier)" }

  /// Records that this window is in front, for the next launch.
  func noteFront() async {
    do {
      try await session.bringToFront()
    } catch {
      notice = "\(error)"
    }
  }

  func setInBackground(_ isInBackground: Bool) async {
    do {
      if isInBackground {
        try await saver?.save()
        try await session.enterBackground()
      } else {
        try await session.enterForeground()
      }
    } catch {
      notice = "\(error)"
    }
  }

  /// Saves for the last time, because the user quits.
  func end() async throws {
    try await saver?.shutDown()
    try await session.end(.userQuit)
  }

  /// Erases the window's state, because the user closes it for good.
  func discard() async throws {
    root.window.close()
    journal?.end()
    try await saver?.discard()
    try await saver?.shutDown()
    try await session.discard()
  }
}
