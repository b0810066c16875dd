import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeHeadless
import KeepsakeRestoration
import KeepsakeTesting
import Testing

// The contacts application of source document S2: a list in the root navigation, a pushed detail, and a
// modal navigation with a new contact, which is of the same class as the detail. Rows 9, 11, 13, 26, 27
// and 32; scenarios 14, 51 and 54.
@MainActor
@Suite struct `The contacts application` {
  /// The model, which the application keeps elsewhere.
  struct Book {
    var names: [(id: String, name: String)] = (0..<40).map { ("id\($0)", "Name \($0)") }
    func name(_ id: String) -> String? { names.first { $0.id == id }?.name }
  }

  final class ListController: HeadlessViewController, HeadlessDataSource,
    RestorationModelAssociation
  {
    let table = HeadlessTableView(restorationIdentifier: "Table", rowHeight: 10)
    var isEditing = false
    var book: Book

    init(_ book: Book) {
      self.book = book
      super.init(restorationIdentifier: "List")
      table.visibleHeight = 100
      table.dataSource = self
      addView(table)
    }

    var elementCounts: [Int] { [book.names.count] }

    func modelIdentifier(
      forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
    ) -> String? { book.names[indexPath.row].id }

    func indexPath(
      forModelIdentifier identifier: String, in view: any RestorableView
    ) -> RestorationIndexPath? {
      book.names.firstIndex { $0.id == identifier }.map { RestorationIndexPath(row: $0) }
    }

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(isEditing, forKey: "isEditing")
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      isEditing = try coder.decode(forKey: "isEditing")
    }
  }

  final class DetailController: HeadlessViewController, RestorationClass {
    @TaskLocal static var book = Book()

    let isNew: Bool
    var contact: String?
    private(set) var shownName = ""

    init(isNew: Bool, contact: String? = nil) {
      self.isNew = isNew
      self.contact = contact
      super.init(restorationIdentifier: "Detail")
      restorationClass = DetailController.self
    }

    static func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableNode)? {
      CallLog.add("class \(path)")
      // The length of the path tells a pushed detail from a new contact in its modal navigation.
      return DetailController(isNew: path.count > 2)
    }

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      coder.encode(contact, forKey: "contact")
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      contact = try coder.decodeIfPresent(forKey: "contact")
      shownName = contact.flatMap { Self.book.name($0) } ?? ""
    }
  }

  final class ContactsApp: RestorationDelegate {
    let window = HeadlessWindow()
    let list: ListController
    var isDefault = false
    var restorationWindows: [any RestorationWindow] { [window] }

    init(_ book: Book) { list = ListController(book) }

    func willFinishLaunching() { CallLog.add("willFinishLaunching") }
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }

    func restorableNode(
      withPath path: RestorationPath, coder: borrowing RestorationDecoder
    ) throws -> (any RestorableNode)? {
      CallLog.add("make \(path)")
      switch path.identifier {
      case "Root":
        let navigation = HeadlessNavigationController()
        if path.count == 1 { window.rootController = navigation }
        return navigation
      case "List": return list
      case "New": return HeadlessNavigationController()
      default: return nil
      }
    }

    func didFinishLaunching(_ report: RestoreReport) {
      CallLog.add("didFinishLaunching")
      guard window.rootController == nil else { return }
      isDefault = true
      window.rootController = HeadlessNavigationController(
        restorationIdentifier: "Root", root: list)
    }
  }

  private let store = InMemoryStateStore()

  private func coordinator() throws -> RestorationCoordinator {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: DetailController.self)
    return RestorationCoordinator(store: store, gate: try .version("1"), registry: registry)
  }

  /// Launches the application for the first time, uses it, and saves it.
  private func use(_ book: Book) async throws -> SaveReport {
    let app = ContactsApp(book)
    let coordinator = try coordinator()
    await coordinator.launch(app)
    #expect(app.isDefault, "nothing was restored, so that the default interface was built")
    app.list.table.scroll(to: 123)
    app.list.table.select([RestorationIndexPath(row: 14)])
    app.list.isEditing = true
    let root = try #require(app.window.rootController as? HeadlessNavigationController)
    root.push(DetailController(isNew: false, contact: "id14"))
    root.present(
      HeadlessNavigationController(
        restorationIdentifier: "New", root: DetailController(isNew: true)))
    return try await coordinator.save(app)
  }

  private func relaunch(_ book: Book) async throws -> (app: ContactsApp, report: RestoreReport) {
    let app = ContactsApp(book)
    let coordinator = try coordinator()
    let report = await DetailController.$book.withValue(book) { await coordinator.launch(app) }
    return (app, report)
  }

  // Scenario 14.
  @Test func `The length of a path distinguishes the pushed detail from the modal one`()
    async throws
  {
    let saved = try await use(Book())
    #expect(
      saved.paths == [
        ["Root"], ["Root", "List"], ["Root", "Detail"], ["Root", "New"],
        ["Root", "List", "Table"], ["Root", "New", "Detail"],
      ])
    try await CallLog.record { log in
      let (app, report) = try await relaunch(Book())
      #expect(report.diagnostics.isEmpty, "\(report)")
      #expect(!app.isDefault)
      let root = try #require(app.window.rootController)
      let pushed = try #require(root.children.last as? DetailController)
      let modal = try #require(root.presentedController?.children.first as? DetailController)
      #expect((pushed.isNew, modal.isNew) == (false, true))
      #expect((pushed.contact, pushed.shownName) == ("id14", "Name 14"))
      #expect((modal.contact, modal.shownName) == (nil, ""))
      // Rows 11, 13 and 32: a class makes its own nodes and the delegate all others, before didFinishLaunching.
      #expect(
        log.calls == [
          "willFinishLaunching", "make [Root]", "make [Root, List]", "class [Root, Detail]",
          "make [Root, New]", "class [Root, New, Detail]", "didFinishLaunching",
        ])
    }
  }

  // Scenario 51.
  // The model changed between the launches.
  @Test func `The table of contacts finds its rows where they are today`() async throws {
    _ = try await use(Book())
    var book = Book()
    book.names.insert(contentsOf: [(id: "new0", name: "A"), (id: "new1", name: "B")], at: 0)
    let (app, report) = try await relaunch(book)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(app.list.table.selectedIndexPaths == [RestorationIndexPath(row: 16)])
    #expect(app.list.table.firstVisibleIndexPath == RestorationIndexPath(row: 14))
    #expect(app.list.table.contentOffset.y == 143)
  }

  // Row 27.
  // The contact that the detail showed no longer exists.
  @Test func `The detail of a contact that no longer exists is empty`() async throws {
    _ = try await use(Book())
    var book = Book()
    book.names.removeAll { $0.id == "id14" }
    let (app, report) = try await relaunch(book)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(app.list.table.selectedIndexPaths.isEmpty)
    let detail = try #require(app.window.rootController?.children.last as? DetailController)
    #expect((detail.contact, detail.shownName) == ("id14", ""))
  }

  // Row 26, scenario 54.
  // A table does not save whether it is edited; the application's Bool does.
  @Test func `The list is restored in editing mode because it saves that itself`() async throws {
    _ = try await use(Book())
    let (app, _) = try await relaunch(Book())
    #expect(app.list.isEditing)
    let archive = try Archive(try #require(store.archive))
    for number in 1...archive.objectCount {
      let record = try archive.object(ArchiveObjectID(UInt32(number))).dynamicRecord()
      let keys = record.fields.filter { $0.key.name == "isEditing" }
      #expect(keys.isEmpty || record.typeName.hasSuffix(".ListController"))
    }
  }
}
