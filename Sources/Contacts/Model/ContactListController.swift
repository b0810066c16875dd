package import Keepsake

/// A list of contacts: a table that finds its rows by the contacts' identifiers.
///
/// Keys and buttons act on the selected row.
package class ContactListController: HeadlessViewController {
  package override class var restorationTypeName: String { "ContactList" }

  package let table: HeadlessTableView
  /// True when rows can be deleted and moved; saved here, since the table does not save it.
  package var isEditing = false
  fileprivate unowned let app: ContactsApp

  init(_ identifier: String, of app: ContactsApp) {
    self.app = app
    table = HeadlessTableView(restorationIdentifier: "Table", rowHeight: app.rowHeight)
    super.init(restorationIdentifier: identifier)
    table.dataSource = self
    addView(table)
  }

  package var title: String { "Contacts" }

  package var contacts: [Contact] { app.book.contacts }

  package var selectedRow: Int? { table.selectedIndexPaths.first?.row }

  /// Selects a row, or the nearest existing one, and scrolls only as far as needed to show it.
  package func select(_ row: Int) {
    table.reloadData()
    guard !contacts.isEmpty else { return }
    let row = min(max(0, row), contacts.count - 1)
    table.select([RestorationIndexPath(row: row)])
    let (top, bottom) = (Double(row) * table.lineHeight, Double(row + 1) * table.lineHeight)
    if top < table.contentOffset.y {
      table.scroll(to: top)
    } else if bottom > table.contentOffset.y + table.visibleHeight {
      table.scroll(to: bottom - max(table.visibleHeight, table.lineHeight))
    }
  }

  /// Sets the height of the table, whether it is visible now or later.
  package func layOut(height: Double) {
    table.visibleHeight = height
    table.reloadData()
  }

  /// Shows the selected contact on a screen of its own.
  package func openSelected() {
    guard let row = selectedRow, contacts.indices.contains(row) else { return }
    app.show(contacts[row].identifier)
  }

  /// Changes the contacts and keeps the selected and the first visible one.
  func keepingPlace(_ change: () throws -> Void) rethrows {
    table.reloadData()
    let first = table.firstVisibleIndexPath.flatMap { modelIdentifier(forElementAt: $0, in: table) }
    let selected = table.selectedIndexPaths.compactMap {
      modelIdentifier(forElementAt: $0, in: table)
    }
    defer {
      table.reloadData()
      table.select(selected.compactMap { indexPath(forModelIdentifier: $0, in: table) })
      if let first = first.flatMap({ indexPath(forModelIdentifier: $0, in: table) }) {
        table.scrollToTop(first)
      }
    }
    try change()
  }

  package override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(isEditing, forKey: "isEditing")
  }

  package override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    isEditing = try coder.decode(Bool.self, forKey: "isEditing")
  }
}

extension ContactListController: HeadlessDataSource, RestorationModelAssociation {
  package var elementCounts: [Int] { [contacts.count] }

  package func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String? {
    let contacts = contacts
    return contacts.indices.contains(indexPath.row) ? contacts[indexPath.row].identifier : nil
  }

  package func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath? {
    contacts.firstIndex { $0.identifier == identifier }.map { RestorationIndexPath(row: $0) }
  }
}

/// The contacts that the user has opened, the last one first; the list is part of the screen's state.
package final class RecentContactsController: ContactListController {
  package override class var restorationTypeName: String { "RecentContacts" }

  private static let limit = 50
  private var identifiers: [String] = []

  package override var title: String { "Recent" }
  package override var contacts: [Contact] { identifiers.compactMap(app.book.contact) }

  func look(at identifier: String) {
    keepingPlace {
      identifiers.removeAll { $0 == identifier }
      identifiers.insert(identifier, at: 0)
      if identifiers.count > Self.limit { identifiers.removeLast() }
    }
  }

  package override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(identifiers, forKey: "contacts")
  }

  /// Reads the list; a screen decodes before its table, so the table finds its rows.
  package override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    identifiers = try coder.decode([String].self, forKey: "contacts")
  }
}
