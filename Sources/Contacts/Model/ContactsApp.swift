package import Keepsake

/// The contacts app, independent of how it is drawn: its window, its delegate, and the actions of its screens.
///
/// The demo plays it without a screen; `swift run contacts` draws it in a terminal. Both share this model and the
/// restored state: the selected tab, the stacks of screens, each list's place and selection by the contacts'
/// identifiers, and every text that is not in the book yet.
package final class ContactsApp: RestorationDelegate {
  private static let newContactStack = "NewContactStack"

  package let window = HeadlessWindow()
  package let book: ContactBook
  package let tabs = HeadlessTabBarController(restorationIdentifier: "Tabs")
  package private(set) lazy var allContacts = ContactListController("AllContacts", of: self)
  private lazy var recentContacts = RecentContactsController("RecentContacts", of: self)
  private let furtherTabs: [HeadlessViewController]
  /// The height of a row in the unit of the screen: points, pixels or lines.
  let rowHeight: Double

  /// The number of the user's actions in this window, in all launches: keys pressed, buttons clicked.
  package var actionCount = 0
  /// A notice for the user: a full sentence, or an empty text.
  package var notice = ""
  /// Called during a restore, after all objects have decoded and before they are told that the restore has finished.
  package var onDecoded: () -> Void = {}

  /// Makes the app of one window, whose further tabs follow those of all contacts and of the recent ones.
  package init(
    book: ContactBook, rowHeight: Double, furtherTabs: [HeadlessViewController] = []
  ) {
    self.book = book
    self.rowHeight = rowHeight
    self.furtherTabs = furtherTabs
  }

  /// The lists, including those that other screens cover.
  package var lists: [ContactListController] { [allContacts, recentContacts] }

  package var restorationWindows: [any RestorationWindow] { [window] }

  /// Builds the tabs; the restore brings back the screens that were open in them.
  package func willFinishLaunching() {
    tabs.setChildren(
      [
        HeadlessNavigationController(restorationIdentifier: "ContactsStack", root: allContacts),
        HeadlessNavigationController(restorationIdentifier: "RecentStack", root: recentContacts),
      ] + furtherTabs)
    window.rootController = tabs
  }

  package func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool {
    coder.encode(actionCount, forKey: "actionCount")
    return true
  }

  package func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool { true }

  /// Makes the screens that were open: contacts, and the stack with a new contact.
  ///
  /// All other screens exist already.
  package func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    switch path.identifier {
    case Self.newContactStack:
      HeadlessNavigationController(restorationIdentifier: Self.newContactStack)
    case "Contact":
      ContactController(isNew: path.components.contains(Self.newContactStack), of: self)
    default: nil
    }
  }

  package func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    actionCount = try coder.decode(Int.self, forKey: "actionCount")
    onDecoded()
  }

  package func didFinishLaunching(_ report: RestoreReport) {
    if case .refused(let refusal) = report.outcome { notice = refusal.description }
  }
}

// Actions of the screens.
extension ContactsApp {
  private var selectedStack: HeadlessNavigationController? {
    tabs.selectedTab as? HeadlessNavigationController
  }

  /// The visible screen, which gets the keys.
  package var visibleController: HeadlessViewController? {
    let presented = tabs.presentedController as? HeadlessNavigationController
    return presented?.topController ?? selectedStack?.topController ?? tabs.selectedTab
  }

  package var isEditing: Bool { (visibleController as? ContactController)?.isEditing == true }

  /// Shows a contact on top of the selected tab, and adds it to the recent ones.
  package func show(_ identifier: String) {
    recentContacts.look(at: identifier)
    let controller = ContactController(isNew: false, of: self)
    controller.show(identifier)
    selectedStack?.push(controller)
  }

  package func goBack() {
    if tabs.presentedController != nil {
      tabs.dismissPresentedController()
    } else {
      selectedStack?.pop()
    }
    (visibleController as? ContactController)?.resumeEditing()
  }

  package func selectTab(_ index: Int) {
    guard tabs.children.indices.contains(index) else { return }
    tabs.select(tabs.children[index])
  }

  package func selectNextTab() {
    let index = tabs.children.firstIndex { $0 === tabs.selectedTab } ?? 0
    selectTab((index + 1) % tabs.children.count)
  }

  /// Presents a screen for a new contact, which gets its identifier now.
  package func beginNewContact() {
    let controller = ContactController(isNew: true, of: self)
    controller.show("contact-\(SessionIdentifier())")
    controller.beginEditing()
    tabs.present(
      HeadlessNavigationController(
        restorationIdentifier: Self.newContactStack, root: controller))
  }

  func endNewContact(showing identifier: String?) {
    tabs.dismissPresentedController()
    guard let identifier, let row = book.row(of: identifier) else { return }
    selectTab(0)
    while selectedStack?.pop() != nil {}
    allContacts.select(row)
  }

  /// Stores a contact in the book, and keeps the place of every list; after a failure, sets a notice and returns false.
  func keep(_ contact: Contact) -> Bool {
    do {
      try allContacts.keepingPlace {
        try recentContacts.keepingPlace { try book.keep(contact) }
      }
      refreshContacts()
      return true
    } catch {
      notice = "\(error)"
      return false
    }
  }

  /// Shows the current content of the book on every screen that is not being edited, as the next launch would.
  private func refreshContacts() {
    for case let stack as HeadlessNavigationController in tabs.children {
      for case let controller as ContactController in stack.children where !controller.isEditing {
        if let identifier = controller.contactIdentifier { controller.show(identifier) }
      }
    }
  }
}
