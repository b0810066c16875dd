import Keepsake

/// The list of all contacts: a table that finds its rows again by the contacts' identifiers.
final class ContactListController: HeadlessViewController {
  private static let editingKey: ArchiveKey = "isEditing"

  let table = HeadlessTableView(restorationIdentifier: "ContactTable", rowHeight: 44)
  /// Whether rows can be deleted and moved; the table does not save this by itself.
  var isEditing = false

  init() {
    super.init(restorationIdentifier: "ContactList")
    restorationClass = ContactListController.self
    table.visibleHeight = 660
    table.dataSource = self
    addView(table)
  }

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(isEditing, forKey: Self.editingKey)
  }

  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    isEditing = try coder.decode(Bool.self, forKey: Self.editingKey)
  }
}

extension ContactListController: RestorationClass {
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    ContactListController()
  }
}

extension ContactListController: HeadlessDataSource, RestorationModelAssociation {
  var elementCounts: [Int] { [ContactBook.shared.contacts.count] }

  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String? {
    ContactBook.shared.contacts[indexPath.row].identifier
  }

  func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath? {
    ContactBook.shared.row(of: identifier).map { RestorationIndexPath(row: $0) }
  }
}
