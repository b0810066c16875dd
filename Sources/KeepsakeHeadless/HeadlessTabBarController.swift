import KeepsakeArchive
public import KeepsakeRestoration

/// A row of tabs; one tab is selected.
///
/// Its children are the tabs, from the first to the last.
/// The app builds the tabs before the restore. The controller saves a reference to the selected tab, so the restore
/// selects that tab wherever it is among the current ones. If the restored controller becomes a tab only later, it is
/// selected then, unless another tab was selected in the meantime. When the saved tab no longer exists, the first tab
/// is selected. Each tab with an identifier keeps its own state; tabs need different identifiers.
@MainActor
open class HeadlessTabBarController: HeadlessViewController {
  /// The selected tab; `nil` only when there are no tabs.
  public private(set) weak var selectedTab: HeadlessViewController?
  /// The controller that a restore wants to select as soon as it is a tab.
  private weak var wantedTab: HeadlessViewController?
  /// The identifier of the tab that a restore wants to select, when the tab was not restored.
  private var wantedIdentifier: String?

  /// True when a restore builds the saved tabs, in their saved order, in a tab bar without tabs.
  ///
  /// Set this if only the restore builds the tabs; the app then has no tabs when nothing was restored.
  open var attachesRestoredTabs = false

  /// Creates a tab bar controller.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - tabs: The tabs; the first one is selected.
  public init(restorationIdentifier: String? = nil, tabs: [HeadlessViewController] = []) {
    super.init(restorationIdentifier: restorationIdentifier)
    setChildren(tabs)
  }

  /// Replaces the tabs, which go from the first to the last.
  ///
  /// A selected tab that is among the new ones stays selected, otherwise the first one is selected.
  public override func setChildren(_ tabs: [HeadlessViewController]) {
    super.setChildren(tabs)
    if let wanted = tabs.first(where: isWanted) { return select(wanted) }
    if !tabs.contains(where: { $0 === selectedTab }) { selectedTab = tabs.first }
  }

  /// Selects a tab; a controller that is not among the tabs is ignored.
  public func select(_ tab: HeadlessViewController) {
    guard children.contains(where: { $0 === tab }) else { return }
    selectedTab = tab
    (wantedTab, wantedIdentifier) = (nil, nil)
  }

  private func isWanted(_ tab: HeadlessViewController) -> Bool {
    if let wantedTab { return tab === wantedTab }
    guard let wantedIdentifier else { return false }
    return tab.restorationIdentifier?.hasSameBytes(as: wantedIdentifier) == true
  }

  /// The selected tab.
  open override var restorationVisibleChildren: [any RestorableNode] {
    selectedTab.map { [$0] } ?? []
  }

  /// Sets the restored tabs when the app asked for that and has built no tabs.
  open override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    guard attachesRestoredTabs, self.children.isEmpty else { return }
    setChildren(children.compactMap { $0 as? HeadlessViewController })
  }

  /// Writes a reference to the selected tab, or to the tab that a restore still waits for.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("TabBarController") { coder in
      coder.encodeReference((wantedTab ?? selectedTab)?.savedSelf, forKey: "selected")
      if let wantedIdentifier { coder.encode(wantedIdentifier, forKey: "wanted") }
    }
  }

  /// Selects the saved tab, now or as soon as it is among the tabs.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("TabBarController")
    let tab = try state.decodeReference(HeadlessViewController.self, forKey: "selected")
    let wanted = try state.decodeIfPresent(String.self, forKey: "wanted")
    if let tab { select(tab) }
    // The last save may have waited for a tab too; this restore waits for it again.
    wantedIdentifier = wanted ?? state.identifierOfUnrestoredObject(forKey: "selected")
    wantedTab = wantedIdentifier == nil && tab !== selectedTab ? tab : nil
    if let wanted = children.first(where: isWanted) { select(wanted) }
  }
}
