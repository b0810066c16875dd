import ContactsModel
import Keepsake

extension ContactsApp {
  /// Plays the user of the demo: scrolls, selects, edits, opens a contact, starts a new one.
  func playUser() {
    let row = 84
    allContacts.table.scroll(to: 80.5 * allContacts.table.lineHeight)
    allContacts.select(row)
    allContacts.isEditing = true

    show(book.contacts[row].identifier)
    if let contact = visibleController as? ContactController {
      contact.beginEditing()
      contact.fields[0].text += ", PhD"
      contact.fields[0].select(0..<6)
    }

    beginNewContact()
    if let contact = visibleController as? ContactController {
      contact.moveFocus(by: 1)
      contact.editedField?.text = "555-01"
      contact.editedField?.select(6..<6)
    }
  }

  /// The interface as a user would see it: one line for each fact, containers before their contents.
  ///
  /// Contacts are shown by name, since their rows may differ between two launches.
  var interfaceDescription: [String] {
    var lines: [String] = []
    var pending: [(controller: HeadlessViewController, depth: Int, role: String)] = []
    if let root = window.rootController { pending.append((root, 0, "")) }
    while let (controller, depth, role) = pending.popLast() {
      let indent = String(repeating: "  ", count: depth)
      lines.append(indent + role + title(of: controller))
      lines += facts(of: controller).map { indent + "  " + ($0.hasPrefix(" ") ? "  " : "· ") + $0 }
      if let presented = controller.presentedController {
        pending.append((presented, depth + 1, "presents "))
      }
      pending += controller.children.reversed().map { ($0, depth + 1, "") }
    }
    return lines
  }

  private func title(of controller: HeadlessViewController) -> String {
    switch controller {
    case let tabs as HeadlessTabBarController:
      "Tabs (tab bar), selected: \(tabs.selectedTab?.restorationIdentifier ?? "none")"
    case is HeadlessNavigationController:
      "\(controller.restorationIdentifier ?? "Stack") (navigation)"
    case let list as ContactListController: "\(list.title) (list)"
    case let contact as ContactController: contact.isNew ? "New contact" : "Contact"
    default: "Screen"
    }
  }

  private func facts(of controller: HeadlessViewController) -> [String] {
    switch controller {
    case let list as ContactListController: facts(of: list)
    case let contact as ContactController: facts(of: contact)
    default: []
    }
  }

  private func facts(of list: ContactListController) -> [String] {
    let table = list.table
    let name = { (path: RestorationIndexPath) in list.contacts[path.row].name }
    let selected = table.selectedIndexPaths.map(name).joined(separator: ", ")
    let hidden = table.contentOffset.y.truncatingRemainder(dividingBy: table.lineHeight)
    guard let first = table.firstVisibleIndexPath else { return ["empty"] }
    return [
      "first visible: \(name(first)), \(Int(hidden)) points hidden",
      "selected: \(selected.isEmpty ? "none" : selected)",
    ] + (list.isEditing ? ["being edited"] : [])
  }

  private func facts(of contact: ContactController) -> [String] {
    zip(ContactController.fieldNames, contact.fields).flatMap { name, field -> [String] in
      if field.text.isEmpty, !field.isFirstResponder { return [] }
      let editing = field.isFirstResponder ? "first responder" : nil
      let selection = field.selectedRange.flatMap { range in
        range.isEmpty
          ? "cursor at \(range.lowerBound)" : "selected \(range.lowerBound)..<\(range.upperBound)"
      }
      let details = [editing, selection].compactMap(\.self).joined(separator: ", ")
      return ["\(name.lowercased()): \"\(field.text)\""] + (details.isEmpty ? [] : ["  \(details)"])
    }
  }
}
