import Keepsake
import TerminalScreen

/// A list of people: a table whose selected row is the one that the keys act on.
class ListScreen: Screen {
  let table = HeadlessTableView(restorationIdentifier: "Table", rowHeight: 1)

  override init(_ identifier: String, of app: ContactsApp) {
    super.init(identifier, of: app)
    table.dataSource = self
    addView(table)
  }

  /// The people in the list, in its order.
  var people: [Person] { [] }

  override var hint: String { "↑↓ choose   Enter open   n new   Tab next tab   q quit" }

  private var selectedRow: Int? { table.selectedIndexPaths.first?.row }

  override func draw(in canvas: inout Canvas, lines: Range<Int>) {
    let people = people
    let first = table.firstVisibleIndexPath?.row ?? 0
    for (line, row) in zip(lines, first...) {
      guard people.indices.contains(row) else {
        canvas.write("", inLine: line)
        continue
      }
      let name = people[row].name.fitted(to: canvas.width / 2)
      let gap = String(repeating: " ", count: max(1, canvas.width / 2 - name.displayWidth))
      canvas.write(
        " \(name)\(gap)\(people[row].phone)", inLine: line,
        row == selectedRow ? .reversed : .plain)
    }
    if people.isEmpty, let line = lines.first { canvas.write(" Nobody yet.", inLine: line, .dim) }
  }

  override func handle(_ key: TerminalKey) -> Bool {
    table.reloadData()
    let page = max(1, Int(table.visibleHeight) - 1)
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -page)
    case .pageDown, .character(" "): move(by: page)
    case .home, .character("g"): select(0)
    case .end, .character("G"): select(people.count - 1)
    case .enter, .right: open()
    case .character("n"): app.beginNewPerson()
    default: return false
    }
    return true
  }

  private func move(by distance: Int) {
    select((selectedRow ?? (distance > 0 ? -1 : people.count)) + distance)
  }

  /// Selects a row, or the nearest one that exists, and scrolls no more than it takes to see it.
  func select(_ row: Int) {
    guard !people.isEmpty else { return }
    let row = min(max(0, row), people.count - 1)
    table.select([RestorationIndexPath(row: row)])
    let first = Int(table.contentOffset)
    let height = max(1, Int(table.visibleHeight))
    if row < first { table.scroll(to: Double(row)) }
    if row >= first + height { table.scroll(to: Double(row - height + 1)) }
  }

  /// Fits the table into a number of lines, whether it is visible now or later.
  func layOut(height: Int) {
    table.visibleHeight = Double(height)
    table.reloadData()
  }

  /// Lets the people change and keeps the place: whom is selected, and who is at the top.
  func keepingPlace(_ change: () throws -> Void) rethrows {
    table.reloadData()
    let first = table.firstVisibleIndexPath.flatMap { modelIdentifier(forElementAt: $0, in: table) }
    let selected = table.selectedIndexPaths.compactMap {
      modelIdentifier(forElementAt: $0, in: table)
    }
    defer {
      table.reloadData()
      table.select(selected.compactMap { indexPath(forModelIdentifier: $0, in: table) })
      if let first = first.flatMap({ indexPath(forModelIdentifier: $0, in: table) }) {
        table.scrollToTop(first)
      }
    }
    try change()
  }

  private func open() {
    guard let row = selectedRow, people.indices.contains(row) else { return }
    app.show(people[row].identifier)
  }
}

extension ListScreen: HeadlessDataSource, RestorationModelAssociation {
  var elementCounts: [Int] { [people.count] }

  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath, in view: any RestorableView
  ) -> String? {
    people.indices.contains(indexPath.row) ? people[indexPath.row].identifier : nil
  }

  func indexPath(
    forModelIdentifier identifier: String, in view: any RestorableView
  ) -> RestorationIndexPath? {
    people.firstIndex { $0.identifier == identifier }.map { RestorationIndexPath(row: $0) }
  }
}

/// Everybody in the address book.
final class AllPeopleScreen: ListScreen {
  override var title: String { "Contacts" }
  override var people: [Person] { app.book.people }
}

/// Those whom the user has looked at, the last one first; who they are is part of the screen's state.
final class RecentPeopleScreen: ListScreen {
  private static let limit = 50
  private var identifiers: [String] = []

  override var title: String { "Recent" }
  override var people: [Person] { identifiers.compactMap(app.book.person) }

  func look(at identifier: String) {
    keepingPlace {
      identifiers.removeAll { $0 == identifier }
      identifiers.insert(identifier, at: 0)
      if identifiers.count > Self.limit { identifiers.removeLast() }
    }
  }

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(identifiers, forKey: "people")
  }

  /// A screen decodes before its table, which has to find its rows among these people.
  override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    identifiers = try coder.decode([String].self, forKey: "people")
  }
}
