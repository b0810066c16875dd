import Keepsake

/// The app: its window, its delegate, and what its screens ask it to do.
final class ContactsApp: RestorationDelegate {
  static let newPersonStack = "NewPerson"
  /// The app of this process, for screens that are made by their class.
  static weak var current: ContactsApp?

  let window = HeadlessWindow()
  let book: AddressBook
  let tabs = HeadlessTabBarController(restorationIdentifier: "Tabs")
  private lazy var allPeople = AllPeopleScreen("AllPeople", of: self)
  private lazy var recentPeople = RecentPeopleScreen("RecentPeople", of: self)
  /// The lists, also those that another screen covers.
  var lists: [ListScreen] { [allPeople, recentPeople] }
  /// How many keys were pressed in this window, in all launches.
  var keyCount = 0
  /// What the user should know.
  var notice = ""

  init(book: AddressBook) {
    self.book = book
    Self.current = self
  }

  static func registry() throws -> RestorationRegistry {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: PersonScreen.self)
    return registry
  }

  var restorationWindows: [any RestorationWindow] { [window] }

  /// Builds the tabs; what was open in them comes back by the restore.
  func willFinishLaunching() {
    tabs.setTabs([
      HeadlessNavigationController(
        restorationIdentifier: "ContactsStack", root: allPeople),
      HeadlessNavigationController(
        restorationIdentifier: "RecentStack", root: recentPeople),
      AboutScreen(of: self),
    ])
    window.rootController = tabs
  }

  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool {
    coder.encode(keyCount, forKey: "keyCount")
    return true
  }

  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool { true }

  /// Makes the stack that a new contact is presented in; everything else exists, or has a class.
  func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? {
    guard path.identifier == Self.newPersonStack else { return nil }
    return HeadlessNavigationController(restorationIdentifier: Self.newPersonStack)
  }

  func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    keyCount = try coder.decode(Int.self, forKey: "keyCount")
  }

  func didFinishLaunching(_ report: RestoreReport) {
    if case .refused(let refusal) = report.outcome { notice = refusal.description }
    // A contact that is gone from the book leaves nothing to be shown.
    if report.outcome == .nothingSaved { (visibleScreen as? ListScreen)?.select(0) }
  }
}

// What the screens ask for.
extension ContactsApp {
  private var selectedStack: HeadlessNavigationController? {
    tabs.selectedTab as? HeadlessNavigationController
  }

  /// The screen that the user sees and that gets the keys.
  var visibleScreen: Screen? {
    let presented = tabs.presentedController as? HeadlessNavigationController
    return (presented?.topController ?? selectedStack?.topController ?? tabs.selectedTab) as? Screen
  }

  var isEditing: Bool { (visibleScreen as? PersonScreen)?.isEditing == true }

  func show(_ identifier: String) {
    recentPeople.look(at: identifier)
    let screen = PersonScreen(isNew: false, of: self)
    screen.show(identifier)
    selectedStack?.push(screen)
  }

  func goBack() {
    selectedStack?.pop()
  }

  func selectTab(_ index: Int) {
    guard tabs.tabs.indices.contains(index) else { return }
    tabs.select(tabs.tabs[index])
  }

  func selectNextTab() {
    let index = tabs.tabs.firstIndex { $0 === tabs.selectedTab } ?? 0
    selectTab((index + 1) % tabs.tabs.count)
  }

  /// Presents a screen for somebody new, who has an identifier from now on.
  func beginNewPerson() {
    let screen = PersonScreen(isNew: true, of: self)
    screen.show("person-\(SessionIdentifier())")
    screen.beginEditing()
    tabs.present(
      HeadlessNavigationController(restorationIdentifier: Self.newPersonStack, root: screen))
  }

  func endNewPerson(showing identifier: String?) {
    tabs.dismissPresentedController()
    guard let identifier, let row = book.row(of: identifier) else { return }
    selectTab(0)
    let stack = selectedStack
    while stack?.pop() != nil {}
    guard let list = stack?.topController as? ListScreen else { return }
    list.table.reloadData()
    list.select(row)
  }

  /// Keeps a person in the book.
  ///
  /// - Returns: Whether the book took it; if not, the user is told.
  func keep(_ person: Person) -> Bool {
    do {
      try allPeople.keepingPlace {
        try recentPeople.keepingPlace { try book.keep(person) }
      }
      return true
    } catch {
      notice = "\(error)"
      return false
    }
  }
}
