public import Keepsake

/// A scrolled widget as a view: its position.
///
/// GTK takes a position only when the content was laid out, and content can arrive long after the restore. The
/// view keeps the wanted position until the content has it, or until the user scrolls; until then each save
/// writes the wanted position.
open class ScrollView: WidgetView {
  private let area: ScrollArea
  private var wanted: (@MainActor () -> Double?)?
  private var frameCount = 0
  private var steadyFrameCount = 0
  private var isCounting = false
  private var hasBegun = false
  /// The number of frames after which the view stops trying, until its content changes.
  private static let longestWait = 120

  /// Creates a view of a scrolled widget.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - area: The scrolled widget.
  public init(_ restorationIdentifier: String?, _ area: ScrollArea) {
    self.area = area
    super.init(restorationIdentifier, widget: area)
    area.onScroll { [weak self] in self?.positionChanged() }
    area.onMap { [weak self] in self?.countFrames() }
    area.onResize { [weak self] in self?.contentChanged() }
  }

  /// True when the widget shows the wanted position, or as much of it as its content has.
  public var isSettled: Bool { !isCounting }

  /// True when a position waits for the content to be laid out.
  var isWaiting: Bool { wanted != nil }

  /// Scrolls as soon as the content was laid out.
  ///
  /// - Parameter position: Returns the position, or `nil` while it is unknown.
  public func scroll(to position: @escaping @MainActor () -> Double?) {
    wanted = position
    frameCount = 0
    steadyFrameCount = 0
    hasBegun = false
    countFrames()
  }

  /// Drops the wanted position when the user has scrolled: the position changed while the view was not setting it.
  ///
  /// GTK itself goes back to 0 when a list loses its rows.
  private func positionChanged() {
    if !isCounting, area.position > 0 { wanted = nil }
    noteChange()
  }

  /// Tries again to show the wanted position.
  private func contentChanged() {
    guard wanted != nil, !isCounting else { return }
    frameCount = 0
    steadyFrameCount = 0
    countFrames()
  }

  private func countFrames() {
    guard wanted != nil, !isCounting, area.isMapped else { return }
    isCounting = true
    area.onFrame { [weak self] in
      guard let self else { return false }
      isCounting = keepScrolling()
      return isCounting
    }
  }

  /// Sets the position between two layouts, until three of them have not changed it; true when it has to be checked
  /// again.
  private func keepScrolling() -> Bool {
    guard area.isMapped, let wanted else { return false }
    frameCount += 1
    guard hasContent, area.visibleHeight > 0, let position = wanted() else {
      return frameCount <= Self.longestWait
    }
    if !hasBegun { beginScrolling() }
    hasBegun = true
    let nearest = min(max(0, position), max(0, area.contentHeight - area.visibleHeight))
    steadyFrameCount = area.position == nearest ? steadyFrameCount + 1 : 0
    area.position = nearest
    guard steadyFrameCount >= 3, nearest == position else {
      // GTK lays out a text bit by bit: its end may come with a later frame.
      return frameCount <= Self.longestWait
    }
    self.wanted = nil
    noteChange()
    return false
  }

  /// True when there is anything to scroll; GTK never lays out a list without rows.
  var hasContent: Bool { true }

  /// Called once the content was laid out, before the position is set.
  func beginScrolling() {}

  /// Writes the waiting position, or else the current one.
  open override func encodeRestorableState(
    with coder: inout RestorationEncoder
  ) throws {
    try super.encodeRestorableState(with: &coder)
    let position = wanted.map { $0() } ?? area.position
    coder.encode(position, forKey: "position")
  }

  /// Reads the position, which waits for the first layout.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let position = try coder.decodeIfPresent(Double.self, forKey: "position"), position.isFinite
    {
      scroll { position }
    }
  }
}

extension WidgetNode {
  /// True when every visible scrolled widget shows its wanted position.
  public var isSettled: Bool {
    views.allSatisfy { ($0 as? ScrollView)?.isSettled != false }
      && children.allSatisfy(\.isSettled) && presentedDialog?.isSettled != false
  }
}

/// A list as a view: the selected row and the first visible one, by their model identifiers.
public final class ListView: ScrollView {
  /// The position of a list, by the identifiers of its data source.
  public struct Place: Hashable, Sendable {
    var selected: String?
    var first: String?
    /// The number of hidden pixels of the first row.
    var offset = 0.0

    /// Creates a place from the row to select and the first visible row, if any.
    ///
    /// - Parameters:
    ///   - selected: The selected row.
    ///   - first: The first visible row.
    public init(selected: String? = nil, first: String? = nil) {
      self.selected = selected
      self.first = first
    }
  }

  /// The data source that identifies the rows.
  public weak var dataSource: (any RestorationModelAssociation)?
  private let list: List
  private var waiting: Place?
  /// The row that is selected as soon as the list has it.
  private var wantedSelection: String?

  /// Creates a view of a list.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - list: The list.
  public init(_ restorationIdentifier: String?, _ list: List) {
    self.list = list
    super.init(restorationIdentifier, list)
    // A list that is not on the screen gets no layout when its rows arrive.
    list.onRows { [weak self] in self?.selectWantedRow() }
    list.onSelect { [weak self] in
      self?.wantedSelection = nil
      self?.noteChange()
    }
  }

  /// The current place of the list, or the one that waits for the layout.
  public var place: Place {
    var place = isWaiting ? waiting ?? Place() : Place()
    if !isWaiting, let height = list.rowHeight {
      let row = Int(list.position / height)
      place.first = identifier(of: row)
      place.offset = list.position - Double(row) * height
    }
    place.selected = wantedSelection ?? list.selectedRow.flatMap(identifier)
    return place
  }

  /// Restores the place of the list, after its rows have changed or at a new launch.
  ///
  /// - Parameter place: The place; rows that the list does not have yet are awaited.
  public func show(_ place: Place) {
    list.selectedRow = place.selected.flatMap(row)
    wantedSelection = list.selectedRow == nil ? place.selected : nil
    guard let first = place.first else { return }
    waiting = place
    scroll { [weak self] in
      guard let self, let height = list.rowHeight, let row = row(of: first) else { return nil }
      return Double(row) * height + place.offset
    }
  }

  private func selectWantedRow() {
    if let row = wantedSelection.flatMap(row) { list.selectedRow = row }
  }

  override var hasContent: Bool { list.rowCount > 0 }

  /// Moves the keyboard focus in the list to the selected row, which scrolls.
  override func beginScrolling() {
    if list.hasFocus { list.focusSelectedRow() }
  }

  private func identifier(of row: Int) -> String? {
    dataSource?.modelIdentifier(forElementAt: RestorationIndexPath(row: row), in: self)
  }

  private func row(of identifier: String) -> Int? {
    dataSource?.indexPath(forModelIdentifier: identifier, in: self)?.row
  }

  /// Writes the position and the place.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    let place = place
    coder.encode(place.selected, forKey: "selected")
    coder.encode(place.first, forKey: "first")
    coder.encode(place.offset, forKey: "offset")
  }

  /// Reads the place, and finds it among the current rows.
  public override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let offset = try coder.decode(Double.self, forKey: "offset")
    var place = Place(
      selected: try coder.decodeIfPresent(String.self, forKey: "selected"),
      first: try coder.decodeIfPresent(String.self, forKey: "first"))
    if offset.isFinite { place.offset = offset }
    show(place)
  }
}
