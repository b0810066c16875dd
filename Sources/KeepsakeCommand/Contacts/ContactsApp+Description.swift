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
      lines += facts(of: controller).map { indent + "  · " + $0 }
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
      "\(controller.restorationIdentifier ?? "Navigation"), a navigation stack"
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
    let name = { (path: RestorationIndexPath) in ContactBook.shared.contacts[path.row].name }
    let selected = list.table.selectedIndexPaths.map(name).joined(separator: ", ")
    return [
      "first visible: \(list.table.firstVisibleIndexPath.map(name) ?? "none")",
      "selected: \(selected.isEmpty ? "none" : selected)",
      "editing: \(list.isEditing ? "yes" : "no")",
    ]
  }

  private func facts(of detail: ContactDetailController) -> [String] {
    [("name", detail.nameField), ("phone", detail.phoneField)].map { label, field in
      let selection = field.selectedRange.map { ", selected \($0.lowerBound)..<\($0.upperBound)" }
      return "\(label): \"\(field.text)\"" + (selection ?? "")
        + (field.isFirstResponder ? ", first responder" : "")
    }
  }

  /// The rows of the selected contacts in today's list.
  var selectedRows: [Int] {
    let navigation = window.rootController as? HeadlessNavigationController
    let list = navigation?.stack.first as? ContactListController
    return list?.table.selectedIndexPaths.map(\.row) ?? []
  }
}
