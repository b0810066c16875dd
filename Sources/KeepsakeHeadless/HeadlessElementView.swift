import KeepsakeArchive
public import KeepsakeRestoration

/// The model of a table or a collection: the number of elements in each section.
///
/// Adopt ``/KeepsakeRestoration/RestorationModelAssociation`` too, so that selection and position follow the model.
@MainActor
public protocol HeadlessDataSource: AnyObject {
  /// The number of elements in each section.
  var elementCounts: [Int] { get }
}

/// The common part of tables and collections: elements in lines of equal height, section by section, a
/// scroll position and a selection.
///
/// A save writes the first visible element and the selected ones: by model identifier when the data source adopts
/// ``/KeepsakeRestoration/RestorationModelAssociation``, otherwise by index path. An element whose model object no
/// longer exists is not selected.
///
/// Elements that the data source gets after the restore are selected and scrolled to as soon as they exist; each save
/// until then writes them again. A selection or a scroll by the user in the meantime wins. The view does not save its
/// editing mode; an app that has one saves it itself.
@MainActor
open class HeadlessElementView: HeadlessScrollView {
  /// The model of the view.
  public weak var dataSource: (any HeadlessDataSource)? {
    didSet { reloadData() }
  }
  /// The height of a line, above zero.
  public let lineHeight: Double
  /// The number of elements side by side in a line, at least 1.
  package let elementsPerLine: Int
  /// The selected elements, in their order.
  public private(set) var selectedIndexPaths: [RestorationIndexPath] = []
  /// The elements that a restore could not select, because they do not exist yet; emptied by the next selection.
  private var wantedSelection = WantedSelection()
  /// The element that a restore could not scroll to, because it does not exist yet.
  private var wantedFirst: WantedFirst?

  init(restorationIdentifier: String?, lineHeight: Double, elementsPerLine: Int) {
    self.lineHeight = lineHeight > 0 && lineHeight.isFinite ? lineHeight : 1
    self.elementsPerLine = max(1, elementsPerLine)
    super.init(restorationIdentifier: restorationIdentifier)
  }

  /// Reads the number of elements from the data source, and deselects elements that no longer exist.
  public func reloadData() {
    contentHeight = Double(elementCounts.map(lineCount).reduce(0, +)) * lineHeight
    selectedIndexPaths.removeAll { !contains($0) }
    selectWantedElements()
    keepOffsetWithinContent()
  }

  /// The first element of the first line that is at least partly visible, if there is any.
  public var firstVisibleIndexPath: RestorationIndexPath? {
    // No mathematical function is called, so that a program links without the math library.
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

  /// Replaces the selection.
  ///
  /// - Parameter indexPaths: The elements; those that do not exist are ignored.
  public func select(_ indexPaths: [RestorationIndexPath]) {
    wantedSelection = WantedSelection()
    selectedIndexPaths = Set(indexPaths.filter(contains)).sorted()
  }

  /// Returns true when the data source has an element at a position.
  private func contains(_ indexPath: RestorationIndexPath) -> Bool {
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

  /// Writes the state of a scroll view, the first visible element and the selection, with the elements that a restore
  /// still waits for.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    let association = dataSource as? any RestorationModelAssociation
    // The data source may have lost elements since the last `reloadData()`.
    let selected = selectedIndexPaths.filter(contains)
    let first = wantedOffset == nil ? currentFirst(association) : wantedFirst
    try coder.withScope("ElementView") { coder in
      if association != nil || !wantedSelection.models.isEmpty || wantedFirst != nil {
        let models = selected.compactMap {
          association?.modelIdentifier(forElementAt: $0, in: self)
        }
        coder.encode(first?.model, forKey: "firstVisibleModel")
        coder.encode(first?.offsetInLine, forKey: "offsetInFirstVisibleLine")
        coder.encode(models + wantedSelection.models, forKey: "selectedModels")
      }
      if association == nil || !wantedSelection.indexPaths.isEmpty {
        let indexPaths = (association == nil ? selected : []) + wantedSelection.indexPaths
        coder.encode(indexPaths.map(\.section), forKey: "selectedSections")
        coder.encode(indexPaths.map(\.row), forKey: "selectedRows")
      }
    }
  }

  /// The first visible element as a save writes it; nil when no element is visible.
  private func currentFirst(_ association: (any RestorationModelAssociation)?) -> WantedFirst? {
    firstVisibleIndexPath.map {
      WantedFirst(
        model: association?.modelIdentifier(forElementAt: $0, in: self),
        offsetInLine: contentOffset.y - top(of: $0))
    }
  }

  /// Reads the first visible element and the selection, and looks them up in the current model.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    reloadData()
    let state = coder.scope("ElementView")
    let models = try state.decodeIfPresent([String].self, forKey: "selectedModels") ?? []
    let sections = try state.decodeIfPresent([Int].self, forKey: "selectedSections") ?? []
    let rows = try state.decodeIfPresent([Int].self, forKey: "selectedRows") ?? []
    let first = WantedFirst(
      model: try state.decodeIfPresent(String.self, forKey: "firstVisibleModel"),
      offsetInLine: try state.decodeIfPresent(Double.self, forKey: "offsetInFirstVisibleLine") ?? 0)
    try super.decodeRestorableState(with: coder)
    select([])
    wantedSelection.models = models
    wantedSelection.indexPaths = zip(sections, rows).map {
      RestorationIndexPath(section: $0, row: $1)
    }
    selectWantedElements()
    guard first.model != nil else { return }
    // The view scrolls to where the element is now, not to the saved offset.
    let offset = try coder.scope("ScrollView").decode([Double].self, forKey: "contentOffset")
    guard offset.count == 2, offset.allSatisfy(\.isFinite), first.offsetInLine.isFinite else {
      return
    }
    wantedFirst = first
    wantedOffset = HeadlessPoint(x: offset[0], y: offset[1])
    showWantedPart()
  }

  /// Reloads once more, since the data source may have been restored after this view.
  open override func applicationFinishedRestoringState() {
    super.applicationFinishedRestoringState()
    if wantedOffset != nil || !wantedSelection.isEmpty { reloadData() }
  }

  override func forgetWantedOffset() {
    super.forgetWantedOffset()
    wantedFirst = nil
  }

  override func place(ofWanted offset: HeadlessPoint) -> (offset: HeadlessPoint, isFound: Bool) {
    guard let wantedFirst else { return super.place(ofWanted: offset) }
    guard let model = wantedFirst.model, let first = indexPath(of: model) else {
      return (offset, false)
    }
    // When lines are lower than they were at the save, the saved offset may be beyond the line; then the top of the
    // line is shown.
    let isInLine = wantedFirst.offsetInLine < lineHeight
    return (
      HeadlessPoint(x: offset.x, y: top(of: first) + (isInLine ? wantedFirst.offsetInLine : 0)),
      true
    )
  }
}

// A saved selection and position whose elements may not exist yet.
extension HeadlessElementView {
  /// Saved selected elements that do not exist yet.
  private struct WantedSelection {
    var models: [String] = []
    var indexPaths: [RestorationIndexPath] = []

    var isEmpty: Bool { models.isEmpty && indexPaths.isEmpty }
  }

  /// The saved first visible element, and how much of its line was above the visible part.
  private struct WantedFirst {
    let model: String?
    let offsetInLine: Double
  }

  private func indexPath(of model: String) -> RestorationIndexPath? {
    let association = dataSource as? any RestorationModelAssociation
    let found = association?.indexPath(forModelIdentifier: model, in: self)
    return found.flatMap { contains($0) ? $0 : nil }
  }

  /// Selects the elements that a restore still waits for, as far as they exist now.
  private func selectWantedElements() {
    guard !wantedSelection.isEmpty else { return }
    var found = selectedIndexPaths
    wantedSelection.models.removeAll { model in
      guard let indexPath = indexPath(of: model) else { return false }
      found.append(indexPath)
      return true
    }
    wantedSelection.indexPaths.removeAll { indexPath in
      guard contains(indexPath) else { return false }
      found.append(indexPath)
      return true
    }
    selectedIndexPaths = Set(found).sorted()
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
