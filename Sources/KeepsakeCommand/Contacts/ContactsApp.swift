import Keepsake

/// The contacts app of the demo, without a screen: its windows, its delegate and its user.
final class ContactsApp: RestorationDelegate {
  let window = HeadlessWindow()
  /// What happens in the middle of a restore, when everything has decoded and nothing is finished.
  var onDecoded: () -> Void = {}

  var restorationWindows: [any RestorationWindow] { [window] }

  /// The names that the app's archives use.
  static func registry() throws -> RestorationRegistry {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: ContactListController.self)
    try registry.register(restorationClass: ContactDetailController.self)
    return registry
  }

  func willFinishLaunching() {}

  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool { true }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool { true }

  /// Makes the navigation controllers, which have no restoration class of their own.
  func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    HeadlessNavigationController(restorationIdentifier: path.identifier)
  }

  func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    onDecoded()
  }

  /// Builds the default interface, unless a restored one is there.
  func didFinishLaunching(_ report: RestoreReport) {
    guard window.rootController == nil else { return }
    window.rootController = HeadlessNavigationController(
      restorationIdentifier: "ContactsNavigation", root: ContactListController())
  }

  /// Does what the user of the demo does: scrolls, selects, edits, opens a contact, starts another.
  func playUser() {
    guard let navigation = window.rootController as? HeadlessNavigationController,
      let list = navigation.topController as? ContactListController
    else { return }
    let row = RestorationIndexPath(row: 84)
    list.table.scroll(to: 80.5 * list.table.rowHeight)
    list.table.select([row])
    list.isEditing = true

    let detail = ContactDetailController(isNew: false)
    detail.show(ContactBook.shared.contacts[row.row].identifier)
    detail.nameField.text += ", PhD"
    detail.nameField.select(0..<6)
    detail.nameField.becomeFirstResponder()
    navigation.push(detail)

    let newContact = ContactDetailController(isNew: true)
    newContact.phoneField.text = "555-01"
    newContact.phoneField.becomeFirstResponder()
    navigation.present(
      HeadlessNavigationController(
        restorationIdentifier: "NewContactNavigation", root: newContact))
  }
}
