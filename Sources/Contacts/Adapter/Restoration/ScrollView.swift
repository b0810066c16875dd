public import Keepsake

/// A scrolled widget as a view: its position.
///
/// GTK takes a position only when the content was laid out, which a page that is covered never is. What was
/// restored waits for that; until then a save writes what the widget is to show, and not what it shows.
open class ScrollView: WidgetView {
  private let area: ScrollArea
  private var wanted: (@MainActor () -> Double?)?
  private var frameCount = 0
  private var steadyFrameCount = 0
  private var isCounting = false
  private var hasBegun = false
  /// After how many frames a content that never comes is waited for no longer.
  private static let longestWait = 120

  /// Creates a view of a scrolled widget.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - area: The scrolled widget.
  public init(_ restorationIdentifier: String?, _ area: ScrollArea) {
    self.area = area
    super.init(restorationIdentifier, widget: area)
    area.onScroll { [weak self] in self?.noteChange() }
    area.onMap { [weak self] in self?.countFrames() }
  }

  /// Whether the widget shows what it is to show, as far as the user can see it.
  public var isSettled: Bool { wanted == nil || !area.isMapped }

  /// Whether a position waits for the content to be laid out.
  var isWaiting: Bool { wanted != nil }

  /// Scrolls as soon as the content was laid out.
  ///
  /// - Parameter position: Gives the position once it can be known, and `nil` before that.
  public func scroll(to position: @escaping @MainActor () -> Double?) {
    wanted = position
    frameCount = 0
    steadyFrameCount = 0
    hasBegun = false
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

  /// Sets the position between two layouts, until three of them have left it alone.
  ///
  /// - Returns: Whether it has to be looked at again.
  private func keepScrolling() -> Bool {
    guard area.isMapped, let wanted else { return false }
    guard hasContent else { return finish() }
    frameCount += 1
    guard area.visibleHeight > 0, let position = wanted() else {
      return frameCount <= Self.longestWait || finish()
    }
    if !hasBegun { beginScrolling() }
    hasBegun = true
    let nearest = min(max(0, position), max(0, area.contentHeight - area.visibleHeight))
    steadyFrameCount = area.position == nearest ? steadyFrameCount + 1 : 0
    area.position = nearest
    // A text is laid out bit by bit, so that its end may not be there yet.
    let isReached = steadyFrameCount >= 3 && (nearest == position || frameCount > 60)
    return (!isReached && frameCount <= Self.longestWait) || finish()
  }

  /// Whether there is anything to scroll; GTK never lays out a list without rows.
  var hasContent: Bool { true }

  /// Is called once the content was laid out, before the position is set.
  func beginScrolling() {}

  private func finish() -> Bool {
    wanted = nil
    noteChange()
    return false
  }

  /// Writes the position, or the one that waits.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encode(wanted.map { $0() } ?? area.position, forKey: "position")
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
  /// Whether every scrolled widget that the user can see shows what it is to show.
  public var isSettled: Bool {
    views.allSatisfy { ($0 as? ScrollView)?.isSettled != false }
      && children.allSatisfy(\.isSettled) && presentedDialog?.isSettled != false
  }
}

/// A list as a view: the selected row and the first visible one, by what they show.
public final class ListView: ScrollView {
  /// Where a list stands, as its data source knows the rows.
  public struct Place: Hashable, Sendable {
    var selected: String?
    var first: String?
    /// How many pixels of the first row are not visible.
    var offset = 0.0

    /// Names a place by the rows that are to be selected and to come first, as far as there are any.
    ///
    /// - Parameters:
    ///   - selected: The selected row.
    ///   - first: The first visible row.
    public init(selected: String? = nil, first: String? = nil) {
      self.selected = selected
      self.first = first
    }
  }

  /// What tells the rows apart.
  public weak var dataSource: (any RestorationModelAssociation)?
  private let list: List
  private var waiting: Place?

  /// Creates a view of a list.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - list: The list.
  public init(_ restorationIdentifier: String?, _ list: List) {
    self.list = list
    super.init(restorationIdentifier, list)
    list.onSelect { [weak self] in self?.noteChange() }
  }

  /// Where the list stands, or will stand once it was laid out.
  public var place: Place {
    var place = isWaiting ? waiting ?? Place() : Place()
    if !isWaiting, let height = list.rowHeight {
      let row = Int(list.position / height)
      place.first = identifier(of: row)
      place.offset = list.position - Double(row) * height
    }
    place.selected = list.selectedRow.flatMap(identifier)
    return place
  }

  /// Brings the list to where it stood before its rows changed, or before the app ended.
  ///
  /// - Parameter place: The place; what is no longer in the list is passed over.
  public func show(_ place: Place) {
    list.selectedRow = place.selected.flatMap(row)
    guard let first = place.first, row(of: first) != nil else { return }
    waiting = place
    scroll { [weak self] in
      guard let self, let height = list.rowHeight, let row = row(of: first) else { return nil }
      return Double(row) * height + place.offset
    }
  }

  override var hasContent: Bool { list.rowCount > 0 }

  /// Moves the keyboard's place in the list to the selected row, which scrolls.
  override func beginScrolling() {
    if list.hasFocus { list.focusSelectedRow() }
  }

  private func identifier(of row: Int) -> String? {
    dataSource?.modelIdentifier(forElementAt: RestorationIndexPath(row: row), in: self)
  }

  private func row(of identifier: String) -> Int? {
    dataSource?.indexPath(forModelIdentifier: identifier, in: self)?.row
  }

  /// Writes the place, beside the position.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    let place = place
    coder.encode(place.selected, forKey: "selected")
    coder.encode(place.first, forKey: "first")
    coder.encode(place.offset, forKey: "offset")
  }

  /// Reads the place, and finds it in today's rows.
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
