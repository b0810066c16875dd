import KeepsakeArchive

/// What a table or a collection shows: the number of its elements, section by section.
///
/// Adopt ``RestorationModelAssociation`` too, so that selection and position follow the model.
@MainActor
public protocol HeadlessDataSource: AnyObject {
  /// The number of elements in each section.
  var elementCounts: [Int] { get }
}

/// The common part of tables and collections: elements in lines of equal height, section by section, a
/// scroll position and a selection.
///
/// The first visible element and the selected ones are saved: by model identifier when the data source
/// adopts ``RestorationModelAssociation``, otherwise by index path. An element whose model object is
/// gone is not selected. Whether the view is in editing mode is the app's to save.
@MainActor
open class HeadlessElementView: HeadlessScrollView {
  /// What the view shows.
  public weak var dataSource: (any HeadlessDataSource)? {
    didSet { reloadData() }
  }
  /// The height of a line, above zero.
  public let lineHeight: Double
  /// The number of elements side by side in a line, at least 1.
  public let elementsPerLine: Int
  /// The selected elements, in their order.
  public private(set) var selectedIndexPaths: [RestorationIndexPath] = []
  /// What could not be shown when this view decoded, because its elements were not there yet.
  private var waitingElements: SavedElements?

  init(restorationIdentifier: String?, lineHeight: Double, elementsPerLine: Int) {
    self.lineHeight = lineHeight > 0 && lineHeight.isFinite ? lineHeight : 1
    self.elementsPerLine = max(1, elementsPerLine)
    super.init(restorationIdentifier: restorationIdentifier)
  }

  /// Takes over the number of elements of the data source, and drops selected ones that are gone.
  public func reloadData() {
    contentHeight = Double(elementCounts.map(lineCount).reduce(0, +)) * lineHeight
    selectedIndexPaths.removeAll { !contains($0) }
    scroll(to: contentOffset)
  }

  /// The first element of the first line that is at least partly visible, if there is any.
  public var firstVisibleIndexPath: RestorationIndexPath? {
    // No call of a mathematical function, so that a program links without the library of them.
    let position = max(0, contentOffset.y) / lineHeight
    guard position < Double(1 << 53) else { return nil }
    var line = Int(position)
    for (section, count) in elementCounts.enumerated() {
      if line < lineCount(of: count) {
        return RestorationIndexPath(section: section, row: line * elementsPerLine)
      }
      line -= lineCount(of: count)
    }
    return nil
  }

  /// Scrolls so that an element's line is at the top, or as near to it as the content allows.
  ///
  /// - Parameter indexPath: The element; one that does not exist is ignored.
  public func scrollToTop(_ indexPath: RestorationIndexPath) {
    guard contains(indexPath) else { return }
    scroll(to: top(of: indexPath))
  }

  /// Selects elements in place of those that were selected before.
  ///
  /// - Parameter indexPaths: The elements; those that do not exist are ignored.
  public func select(_ indexPaths: [RestorationIndexPath]) {
    selectedIndexPaths = Set(indexPaths.filter(contains)).sorted()
  }

  /// Returns whether an element exists.
  ///
  /// - Parameter indexPath: A position.
  /// - Returns: Whether the data source has an element there.
  public func contains(_ indexPath: RestorationIndexPath) -> Bool {
    let counts = elementCounts
    return counts.indices.contains(indexPath.section)
      && (0..<counts[indexPath.section]).contains(indexPath.row)
  }

  private var elementCounts: [Int] { (dataSource?.elementCounts ?? []).map { max(0, $0) } }

  private func lineCount(of count: Int) -> Int {
    count / elementsPerLine + (count % elementsPerLine == 0 ? 0 : 1)
  }

  private func top(of indexPath: RestorationIndexPath) -> Double {
    let linesAbove = elementCounts[..<indexPath.section].map(lineCount).reduce(0, +)
    return Double(linesAbove + indexPath.row / elementsPerLine) * lineHeight
  }

  /// Writes the first visible element and the selection, beside what a scroll view writes.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("ElementView") { coder in
      if let association = dataSource as? any RestorationModelAssociation {
        let identifier = { association.modelIdentifier(forElementAt: $0, in: self) }
        let first = firstVisibleIndexPath
        coder.encode(first.flatMap(identifier), forKey: "firstVisibleModel")
        coder.encode(
          first.map { contentOffset.y - top(of: $0) }, forKey: "offsetInFirstVisibleLine")
        coder.encode(selectedIndexPaths.compactMap(identifier), forKey: "selectedModels")
      } else {
        coder.encode(selectedIndexPaths.map(\.section), forKey: "selectedSections")
        coder.encode(selectedIndexPaths.map(\.row), forKey: "selectedRows")
      }
    }
  }

  /// Reads the first visible element and the selection, and finds them in today's model.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    reloadData()
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("ElementView")
    var saved = SavedElements(
      offset: try coder.scope("ScrollView").decode([Double].self, forKey: "contentOffset"))
    if dataSource is any RestorationModelAssociation,
      let models = try state.decodeIfPresent([String].self, forKey: "selectedModels")
    {
      saved.models = models
      saved.firstVisibleModel = try state.decodeIfPresent(String.self, forKey: "firstVisibleModel")
      saved.offsetInFirstVisibleLine =
        try state.decodeIfPresent(Double.self, forKey: "offsetInFirstVisibleLine") ?? 0
    } else {
      let sections = try state.decodeIfPresent([Int].self, forKey: "selectedSections") ?? []
      let rows = try state.decodeIfPresent([Int].self, forKey: "selectedRows") ?? []
      saved.indexPaths = zip(sections, rows).map { RestorationIndexPath(section: $0, row: $1) }
    }
    show(saved)
    waitingElements = isComplete(saved) ? nil : saved
  }

  /// Shows what was missing before, when the data source was restored after this view.
  open override func applicationFinishedRestoringState() {
    super.applicationFinishedRestoringState()
    guard let saved = waitingElements else { return }
    waitingElements = nil
    reloadData()
    show(saved)
  }
}

// What was saved, and may have to wait for its elements.
extension HeadlessElementView {
  /// What was selected and visible when the state was saved.
  struct SavedElements {
    let offset: [Double]
    /// The selected model objects; `nil` where index paths were saved.
    var models: [String]?
    var firstVisibleModel: String?
    var offsetInFirstVisibleLine = 0.0
    var indexPaths: [RestorationIndexPath] = []
  }

  private func indexPath(of model: String) -> RestorationIndexPath? {
    let association = dataSource as? any RestorationModelAssociation
    let found = association?.indexPath(forModelIdentifier: model, in: self)
    return found.flatMap { contains($0) ? $0 : nil }
  }

  private func isComplete(_ saved: SavedElements) -> Bool {
    guard let models = saved.models else { return saved.indexPaths.allSatisfy(contains) }
    let wanted = models + (saved.firstVisibleModel.map { [$0] } ?? [])
    return wanted.allSatisfy { indexPath(of: $0) != nil }
  }

  private func show(_ saved: SavedElements) {
    if saved.offset.count == 2 {
      scroll(to: HeadlessPoint(x: saved.offset[0], y: saved.offset[1]))
    }
    guard let models = saved.models else { return select(saved.indexPaths) }
    select(models.compactMap(indexPath))
    if let first = saved.firstVisibleModel.flatMap(indexPath) {
      scroll(to: top(of: first) + saved.offsetInFirstVisibleLine)
    }
  }
}

/// A table without a screen: one element in each row.
@MainActor
open class HeadlessTableView: HeadlessElementView {
  /// Creates a table.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - rowHeight: The height of a row; a value that is not above zero and finite counts as 1.
  public init(restorationIdentifier: String? = nil, rowHeight: Double = 1) {
    super.init(
      restorationIdentifier: restorationIdentifier, lineHeight: rowHeight, elementsPerLine: 1)
  }

  /// The height of a row, above zero.
  public var rowHeight: Double { lineHeight }
}

/// A collection without a screen: elements side by side in a grid.
@MainActor
open class HeadlessCollectionView: HeadlessElementView {
  /// Creates a collection.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  ///   - lineHeight: The height of a line; a value that is not above zero and finite counts as 1.
  ///   - elementsPerLine: The number of elements side by side; less than 1 counts as 1.
  public override init(
    restorationIdentifier: String? = nil, lineHeight: Double = 1, elementsPerLine: Int
  ) {
    super.init(
      restorationIdentifier: restorationIdentifier, lineHeight: lineHeight,
      elementsPerLine: elementsPerLine)
  }
}
