import Keepsake

extension ContactsApp {
  /// The interface as a user would see it, a line for each fact, containers before what they hold.
  ///
  /// Contacts stand in it by name: the rows that they are in may differ between two launches.
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
    case is HeadlessNavigationController:
      "\(controller.restorationIdentifier ?? "Navigation") (navigation)"
    case is ContactListController: "Contact list"
    case let detail as ContactDetailController: detail.isNew ? "New contact" : "Contact"
    default: "Screen"
    }
  }

  private func facts(of controller: HeadlessViewController) -> [String] {
    switch controller {
    case let list as ContactListController: facts(of: list)
    case let detail as ContactDetailController: facts(of: detail)
    default: []
    }
  }

  private func facts(of list: ContactListController) -> [String] {
    let table = list.table
    let name = { (path: RestorationIndexPath) in ContactBook.shared.contacts[path.row].name }
    let selected = table.selectedIndexPaths.map(name).joined(separator: ", ")
    let hidden = table.contentOffset.truncatingRemainder(dividingBy: table.rowHeight)
    return [
      "first visible: \(table.firstVisibleIndexPath.map(name) ?? "none"), \(Int(hidden)) points hidden",
      "selected: \(selected.isEmpty ? "none" : selected)",
      "editing: \(list.isEditing ? "yes" : "no")",
    ]
  }

  private func facts(of detail: ContactDetailController) -> [String] {
    [("name", detail.nameField), ("phone", detail.phoneField)].flatMap { label, field in
      let editing = field.isFirstResponder ? "first responder" : nil
      let selection = field.selectedRange.map { "selected \($0.lowerBound)..<\($0.upperBound)" }
      let details = [editing, selection].compactMap(\.self).joined(separator: ", ")
      return ["\(label): \"\(field.text)\""] + (details.isEmpty ? [] : ["  \(details)"])
    }
  }

  /// The rows of the selected contacts in today's list.
  var selectedRows: [Int] {
    let navigation = window.rootController as? HeadlessNavigationController
    let list = navigation?.stack.first as? ContactListController
    return list?.table.selectedIndexPaths.map(\.row) ?? []
  }
}
