import KeepsakeArchive

/// Tabs, of which one is selected.
///
/// The app builds the tabs, before the restore. The controller saves which tab is selected, by a
/// reference: the selection follows the controller wherever it is in today's tabs, also when it becomes a tab after
/// the restore, unless another one was selected meanwhile. A tab that is gone leads to the first one. Each tab with
/// an identifier keeps its own state; tabs need different identifiers.
@MainActor
open class HeadlessTabBarController: HeadlessViewController {
  /// The tabs, from the first to the last.
  public var tabs: [HeadlessViewController] { children }

  /// The selected tab; `nil` only when there are no tabs.
  public private(set) weak var selectedTab: HeadlessViewController?
  /// The controller that a restore wants to select as soon as it is a tab.
  private weak var wantedTab: HeadlessViewController?
  /// The identifier of the tab that a restore wants to select, where it did not find the tab.
  private var wantedIdentifier: String?

  /// Whether tabs that were saved are put back, in their saved order, where the app has built none.
  ///
  /// A tab bar without tabs is what an app gets that leaves building them to the restore.
  open var attachesRestoredTabs = false

  /// Creates a tab bar controller.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - tabs: The tabs; the first one is selected.
  public init(restorationIdentifier: String? = nil, tabs: [HeadlessViewController] = []) {
    super.init(restorationIdentifier: restorationIdentifier)
    setTabs(tabs)
  }

  /// Replaces the tabs; a selected tab that stays is selected still, otherwise the first one is.
  ///
  /// - Parameter tabs: The tabs, from the first to the last.
  public func setTabs(_ tabs: [HeadlessViewController]) {
    setChildren(tabs)
    if let wanted = tabs.first(where: isWanted) { return select(wanted) }
    if !tabs.contains(where: { $0 === selectedTab }) { selectedTab = tabs.first }
  }

  /// Selects a tab.
  ///
  /// - Parameter tab: The tab; a controller that is none is ignored.
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

  /// Puts saved tabs back when the app asked for that and has built none.
  open override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    guard attachesRestoredTabs, tabs.isEmpty else { return }
    setTabs(children.compactMap { $0 as? HeadlessViewController })
  }

  /// Writes a reference to the selected tab, or to the one that is to be selected when it is there.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("TabBarController") { coder in
      coder.encodeReference((wantedTab ?? selectedTab)?.savedSelf, forKey: "selected")
      if let wantedIdentifier { coder.encode(wantedIdentifier, forKey: "wanted") }
    }
  }

  /// Selects the tab that was selected, if it is a tab today, or else when it becomes one.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("TabBarController")
    let tab = try state.decodeReference(HeadlessViewController.self, forKey: "selected")
    let wanted = try state.decodeIfPresent(String.self, forKey: "wanted")
    if let tab { select(tab) }
    // A tab that was wanted before the last save is still wanted.
    wantedIdentifier = wanted ?? state.identifierOfUnrestoredObject(forKey: "selected")
    wantedTab = wantedIdentifier == nil && tab !== selectedTab ? tab : nil
    if let wanted = tabs.first(where: isWanted) { select(wanted) }
  }
}
