import DesktopContactsModel
import GTKRestoration
import Keepsake

/// A list of all contacts, or of the favourites.
final class ContactListNode: WidgetNode {
  override class var restorationTypeName: String { "ContactList" }

  let listView: ListView
  private let list: List
  private unowned let window: ContactsWindow
  private let isOfFavourites: Bool
  private var contacts: [Contact] = []
  private var rows: [String: Int] = [:]

  init(_ identifier: String, of window: ContactsWindow) {
    self.window = window
    isOfFavourites = identifier == "Favourites"
    list = List(name: identifier)
    listView = ListView("List", list)
    let buttons = Box(
      isVertical: false,
      [
        Button("_New") { [weak window] in window?.beginNewContact() },
        Button("_Sort") { [weak window] in
          window?.change { try $0.sort(by: $0.order == .familyName ? .givenName : .familyName) }
        },
        Button("New _window") { [weak window] in window?.app.openNewWindow() },
      ])
    super.init(identifier, widget: Box(isVertical: true, [buttons, list]))
    addView(listView)
    listView.dataSource = self
    list.onActivate { [weak self] row in self?.open(row) }
    reload()
  }

  /// Shows the present contacts of the book.
  func reload() {
    contacts = isOfFavourites ? window.app.book.favourites : window.app.book.contacts
    rows = Dictionary(
      contacts.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { first, _ in first })
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
