import DesktopContactsModel
import GTKRestoration
import Keepsake

/// A list of all contacts, or of the favourites.
final class ContactListNode: WidgetNode {
  override class var restorationTypeName: String { "ContactList" }

  let listView: ListView
  private let list: List
  /// The text that a list without rows shows.
  private let emptyLabel: Label
  private unowned let window: ContactsWindow
  private let isOfFavourites: Bool
  private var contacts: [Contact] = []
  private var rows: [String: Int] = [:]

  init(_ identifier: String, of window: ContactsWindow) {
    self.window = window
    isOfFavourites = identifier == "Favourites"
    list = List(name: identifier)
    listView = ListView("List", list)
    emptyLabel = Label(
      isOfFavourites
        ? "No favourites yet: open a contact and press Favourite."
        : "No contacts yet: press New to make one.")
    emptyLabel.addStyle("dim-label")
    emptyLabel.isCentered = true
    list.addStyle("frame")
    let column = Box(isVertical: true, [emptyLabel, list])
    column.setMargin(12)
    super.init(identifier, widget: column)
    addView(listView)
    listView.dataSource = self
    list.onActivate { [weak self] row in self?.open(row) }
    reload()
  }

  /// Shows the current contacts of the book.
  func reload() {
    let book = window.app.book
    contacts = !window.app.hasRows ? [] : isOfFavourites ? book.favourites : book.contacts
    rows = Dictionary(
      contacts.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    // A list that waits for its rows keeps the focus.
    emptyLabel.isVisible = window.app.hasRows && contacts.isEmpty
    list.isVisible = !emptyLabel.isVisible
    list.setRows(contacts.map { "\($0.name)   \($0.phone)" })
  }

  func focus() { list.grabFocus() }

  /// Selects a contact and brings it to the top.
  func select(_ identifier: String) {
    listView.show(ListView.Place(selected: identifier, first: identifier))
  }

  private func open(_ row: Int) {
    if contacts.indices.contains(row) { window.show(contacts[row].identifier) }
  }
}

extension ContactListNode: RestorationModelAssociation {
  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String? {
    contacts.indices.contains(indexPath.row) ? contacts[indexPath.row].identifier : nil
  }

  func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath? {
    rows[identifier].map { RestorationIndexPath(row: $0) }
  }
}
