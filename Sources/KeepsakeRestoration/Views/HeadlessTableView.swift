import KeepsakeArchive

/// A table without a screen: rows of equal height in sections, a scroll position and a selection.
///
/// The first visible row and the selected rows are saved: by model identifier when the data source
/// adopts ``RestorationModelAssociation``, otherwise by index path. A row whose model object is gone
/// is not selected. Whether the table is in editing mode is the app's to save.
@MainActor
open class HeadlessTableView: HeadlessScrollView {
  /// What the table shows.
  public weak var dataSource: (any HeadlessTableDataSource)? {
    didSet { reloadData() }
  }
  /// The height of a row, above zero.
  public let rowHeight: Double
  /// The selected rows, in their order.
  public private(set) var selectedIndexPaths: [RestorationIndexPath] = []

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - rowHeight: The height of a row; a value that is not above zero and finite counts as 1.
  public init(restorationIdentifier: String? = nil, rowHeight: Double = 1) {
    self.rowHeight = rowHeight > 0 && rowHeight.isFinite ? rowHeight : 1
    super.init(restorationIdentifier: restorationIdentifier)
  }

  /// Takes over the number of rows of the data source, and drops selected rows that are gone.
  public func reloadData() {
    contentHeight = Double(rowCounts.reduce(0, +)) * rowHeight
    selectedIndexPaths.removeAll { !contains($0) }
    scroll(to: contentOffset)
  }

  /// The first row that is at least partly visible, if there is any.
  public var firstVisibleIndexPath: RestorationIndexPath? {
    guard var row = Int(exactly: (max(0, contentOffset) / rowHeight).rounded(.down)) else {
      return nil
    }
    for (section, count) in rowCounts.enumerated() {
      if row < count { return RestorationIndexPath(section: section, row: row) }
      row -= count
    }
    return nil
  }

  /// Scrolls so that a row is at the top, or as near to it as the content allows.
  ///
  /// - Parameter indexPath: The row; one that does not exist is ignored.
  public func scrollToTop(_ indexPath: RestorationIndexPath) {
    guard contains(indexPath) else { return }
    scroll(to: top(of: indexPath))
  }

  private func top(of indexPath: RestorationIndexPath) -> Double {
    Double(rowCounts[..<indexPath.section].reduce(0, +) + indexPath.row) * rowHeight
  }

  /// Selects rows in place of those that were selected before.
  ///
  /// - Parameter indexPaths: The rows; those that do not exist are ignored.
  public func select(_ indexPaths: [RestorationIndexPath]) {
    selectedIndexPaths = Set(indexPaths.filter(contains)).sorted()
  }

  /// Returns whether a row exists.
  ///
  /// - Parameter indexPath: A position.
  /// - Returns: Whether the data source has a row there.
  public func contains(_ indexPath: RestorationIndexPath) -> Bool {
    let counts = rowCounts
    return counts.indices.contains(indexPath.section)
      && (0..<counts[indexPath.section]).contains(indexPath.row)
  }

  private var rowCounts: [Int] { (dataSource?.rowCounts ?? []).map { max(0, $0) } }

  /// Writes the first visible row and the selection, beside what a scroll view writes.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("TableView") { coder in
      if let association = dataSource as? any RestorationModelAssociation {
        let identifier = { association.modelIdentifier(forElementAt: $0, in: self) }
        let first = firstVisibleIndexPath
        coder.encode(first.flatMap(identifier), forKey: "firstVisibleModel")
        coder.encode(first.map { contentOffset - top(of: $0) }, forKey: "offsetInFirstVisibleRow")
        coder.encode(selectedIndexPaths.compactMap(identifier), forKey: "selectedModels")
      } else {
        coder.encode(selectedIndexPaths.map(\.section), forKey: "selectedSections")
        coder.encode(selectedIndexPaths.map(\.row), forKey: "selectedRows")
      }
    }
  }

  /// Reads the first visible row and the selection, and finds their rows in today's model.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    reloadData()
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("TableView")
    if let association = dataSource as? any RestorationModelAssociation,
      let models = try state.decodeIfPresent([String].self, forKey: "selectedModels")
    {
      let indexPath = { association.indexPath(forModelIdentifier: $0, in: self) }
      select(models.compactMap(indexPath))
      let first = try state.decodeIfPresent(String.self, forKey: "firstVisibleModel")
      if let first = first.flatMap(indexPath), contains(first) {
        let offset = try state.decodeIfPresent(Double.self, forKey: "offsetInFirstVisibleRow") ?? 0
        scroll(to: top(of: first) + offset)
      }
    } else {
      let sections = try state.decodeIfPresent([Int].self, forKey: "selectedSections") ?? []
      let rows = try state.decodeIfPresent([Int].self, forKey: "selectedRows") ?? []
      select(zip(sections, rows).map { RestorationIndexPath(section: $0, row: $1) })
    }
  }
}
