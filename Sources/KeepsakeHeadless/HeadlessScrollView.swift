import KeepsakeArchive
import KeepsakeRestoration

/// A point in the content of a view, in points or in whatever unit the app measures its content in.
public struct HeadlessPoint: Hashable, Sendable {
  /// The distance from the left.
  public var x: Double
  /// The distance from the top.
  public var y: Double

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - x: The distance from the left.
  ///   - y: The distance from the top.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }
}

/// A scroll view without a screen: content, a visible part of it, and a magnification.
///
/// Offset, inset and zoom scale are saved; after a restore the offset stays within the content. Until there is enough
/// content for the saved offset, the view keeps it and each save writes it again; a scroll in the meantime drops it.
/// Lengths are in points, or in the unit in which the app measures its content.
@MainActor
open class HeadlessScrollView: HeadlessView {
  /// The width of the content at zoom scale 1, zero or more.
  open var contentWidth: Double = 0 { didSet { showWantedPart() } }
  /// The height of the content at zoom scale 1, zero or more.
  open var contentHeight: Double = 0 { didSet { showWantedPart() } }
  /// The width of the visible part, zero or more.
  open var visibleWidth: Double = 0 { didSet { showWantedPart() } }
  /// The height of the visible part, zero or more.
  open var visibleHeight: Double = 0 { didSet { showWantedPart() } }
  /// The point of the content that is at the top left of the visible part.
  public private(set) var contentOffset = HeadlessPoint()
  /// The width of the margin around the content into which the view may scroll.
  open var contentInset: Double = 0 { didSet { showWantedPart() } }
  /// The magnification of the content, within its range.
  public private(set) var zoomScale: Double = 1
  /// The allowed magnifications, above zero.
  open var zoomScaleRange: ClosedRange<Double> = 0.1...10 { didSet { showWantedPart() } }
  /// The saved offset, as long as there is too little content for it; nil after the view was scrolled.
  var wantedOffset: HeadlessPoint?
  /// The saved magnification, as long as it is not allowed; nil after the view was zoomed.
  private var wantedZoomScale: Double?
  /// True while the view itself scrolls or zooms, as opposed to the app or the user.
  private var isShowingWantedPart = false

  /// Scrolls to a point, or as near to it as the content allows.
  ///
  /// - Parameter offset: The point to show at the top left of the visible part.
  open func scroll(to offset: HeadlessPoint) {
    if !isShowingWantedPart { forgetWantedOffset() }
    contentOffset = HeadlessPoint(
      x: nearest(offset.x, content: contentWidth, visible: visibleWidth),
      y: nearest(offset.y, content: contentHeight, visible: visibleHeight))
  }

  /// Scrolls vertically, as far as the content allows.
  ///
  /// - Parameter offset: The distance from the top of the content to the top of the visible part.
  public func scroll(to offset: Double) {
    scroll(to: HeadlessPoint(x: contentOffset.x, y: offset))
  }

  private func nearest(_ offset: Double, content: Double, visible: Double) -> Double {
    let first = 0 - contentInset
    let last = max(first, content * zoomScale + contentInset - visible)
    // An infinite offset or NaN counts as the beginning.
    return offset.isFinite ? min(max(offset, first), last) : first
  }

  /// Changes the magnification and keeps the offset within the content.
  ///
  /// - Parameter scale: The magnification, which is brought into its range.
  open func zoom(to scale: Double) {
    guard !scale.isNaN else { return }
    if !isShowingWantedPart { wantedZoomScale = nil }
    zoomScale = min(max(scale, zoomScaleRange.lowerBound), zoomScaleRange.upperBound)
    keepOffsetWithinContent()
  }

  /// Writes offset, inset and zoom scale in a scope of their own.
  ///
  /// An offset or a zoom scale that a restore could not set yet is written in place of the present one.
  override func encodeOwnState(with coder: inout RestorationEncoder) throws {
    try super.encodeOwnState(with: &coder)
    let offset = wantedOffset ?? contentOffset
    try coder.withScope("ScrollView") { coder in
      coder.encode([offset.x, offset.y], forKey: "contentOffset")
      coder.encode(contentInset, forKey: "contentInset")
      coder.encode(wantedZoomScale ?? zoomScale, forKey: "zoomScale")
    }
  }

  /// Reads offset, inset and zoom scale.
  override func decodeOwnState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeOwnState(with: coder)
    let state = coder.scope("ScrollView")
    let inset = try state.decode(Double.self, forKey: "contentInset")
    if inset.isFinite { contentInset = inset }
    let scale = try state.decode(Double.self, forKey: "zoomScale")
    let offset = try state.decode([Double].self, forKey: "contentOffset")
    zoom(to: scale)
    if scale.isFinite, zoomScale != scale { wantedZoomScale = scale }
    guard offset.count == 2 else { return }
    scroll(to: HeadlessPoint(x: offset[0], y: offset[1]))
    if offset.allSatisfy(\.isFinite) { wantedOffset = HeadlessPoint(x: offset[0], y: offset[1]) }
    showWantedPart()
  }

  /// Drops the offset that a restore could not set yet.
  func forgetWantedOffset() { wantedOffset = nil }

  /// The place of the wanted offset in the present content, and whether the restore is done once the view has scrolled
  /// there.
  func place(ofWanted offset: HeadlessPoint) -> (offset: HeadlessPoint, isFound: Bool) {
    (offset, true)
  }
}

extension HeadlessScrollView {
  /// Sets the offset and the magnification that a restore could not set yet, as far as the content allows by now.
  final func showWantedPart() {
    guard !isShowingWantedPart, wantedOffset != nil || wantedZoomScale != nil else { return }
    isShowingWantedPart = true
    defer { isShowingWantedPart = false }
    if let scale = wantedZoomScale {
      zoom(to: scale)
      if zoomScale == scale { wantedZoomScale = nil }
    }
    if let wanted = wantedOffset {
      let place = place(ofWanted: wanted)
      scroll(to: place.offset)
      if place.isFound, contentOffset == place.offset { forgetWantedOffset() }
    }
  }

  /// Scrolls back into the content; unlike other scrolling, this keeps the offset that a restore could not set yet.
  final func keepOffsetWithinContent() {
    let isOuter = !isShowingWantedPart
    isShowingWantedPart = true
    scroll(to: contentOffset)
    if isOuter { isShowingWantedPart = false }
    showWantedPart()
  }
}
