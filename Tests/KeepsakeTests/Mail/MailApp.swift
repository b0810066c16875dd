import Keepsake

// This is a mail app without a screen. It has tabs (a split of two stacks, and settings), a composer, an outbox,
// and as many windows as the user opens. The code of its restoration is in MailApp+Restoration.swift.

enum MailSort: String { case date, sender }

final class MailboxController: HeadlessViewController {
  @Saved var selectedMessage: String?
  @Saved var sort = MailSort.date
  @Saved var isEditing = false
  let table = HeadlessScrollView(restorationIdentifier: "Messages")

  init(name: String) {
    super.init(restorationIdentifier: name)
    table.contentHeight = 4_000
    table.visibleHeight = 400
    addView(table)
  }
}

final class MessageController: HeadlessViewController {
  @Saved var message = ""
  @Saved var zoom = 1.0
  @SavedReference var mailbox: MailboxController?
}

final class ComposerController: HeadlessViewController {
  @Saved var recipients: [String] = []
  @SavedReference var outbox: Outbox?
  let subject = HeadlessDraftField(restorationIdentifier: "Subject")
  let body = HeadlessDraftField(restorationIdentifier: "Body")

  init() {
    super.init(restorationIdentifier: "Composer")
    addView(subject)
    addView(body)
  }
}

final class SettingsController: HeadlessViewController {
  @Saved var section = 0
}

/// The messages that are queued for sending; the outbox belongs to no screen.
final class Outbox: RestorableObject {
  var restorationIdentifier: String?
  var restorationParent: (any RestorableObject)? { nil }
  @Saved var subjects: [String] = []
}

final class MailWindow: HeadlessWindow {
  let tabs: HeadlessTabBarController
  let mail: HeadlessSplitController
  let mailboxes: HeadlessNavigationController
  let messages: HeadlessNavigationController
  let inbox = MailboxController(name: "Inbox")
  let settings = SettingsController(restorationIdentifier: "Settings")

  init(number: Int, beside other: HeadlessWindow?) {
    mailboxes = HeadlessNavigationController(restorationIdentifier: "Mailboxes", root: inbox)
    messages = HeadlessNavigationController(restorationIdentifier: "Messages")
    mail = HeadlessSplitController(
      restorationIdentifier: "Mail", columns: [mailboxes, messages])
    tabs = HeadlessTabBarController(
      restorationIdentifier: "Window \(number)", tabs: [mail, settings])
    super.init(beside: other)
    rootController = tabs
  }

  func openMailbox(_ name: String) -> MailboxController {
    let mailbox = MailboxController(name: name)
    mailbox.makeRestorable()
    mailboxes.push(mailbox)
    return mailbox
  }

  func open(_ message: String, from mailbox: MailboxController) -> MessageController {
    let controller = MessageController(restorationIdentifier: "Message")
    controller.makeRestorable()
    controller.message = message
    controller.mailbox = mailbox
    mailbox.selectedMessage = message
    messages.push(controller)
    return controller
  }

  func compose(into outbox: Outbox) -> ComposerController {
    let composer = ComposerController()
    composer.makeRestorable()
    composer.outbox = outbox
    tabs.present(composer)
    return composer
  }
}

@MainActor
final class MailApp {
  let outbox = Outbox()
  private(set) var windows: [MailWindow] = []

  init() { openWindow() }

  @discardableResult
  func openWindow() -> MailWindow {
    let window = MailWindow(number: windows.count, beside: windows.first)
    windows.append(window)
    return window
  }
}
