import Keepsake

@MainActor func mailWindow() -> HeadlessWindow {
  let folders = HeadlessViewController(
    restorationIdentifier: "Folders")
  folders.addView(
    HeadlessTableView(restorationIdentifier: "List"))
  let stack = HeadlessNavigationController(
    restorationIdentifier: "Mail")
  stack.push(folders)
  let window = HeadlessWindow()
  window.rootController = stack
  return window
}
