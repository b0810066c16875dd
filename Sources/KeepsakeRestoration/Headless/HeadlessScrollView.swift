import KeepsakeArchive

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
/// Offset, inset and zoom scale are saved; after a restore the offset stays within the content that
/// is there now. Lengths are in points, or in whatever unit the app measures its content in.
@MainActor
open class HeadlessScrollView: HeadlessView {
  /// The width of the content at zoom scale 1, zero or more.
  open var contentWidth: Double = 0
  /// The height of the content at zoom scale 1, zero or more.
  open var contentHeight: Double = 0
  /// The width of the visible part, zero or more.
  open var visibleWidth: Double = 0
  /// The height of the visible part, zero or more.
  open var visibleHeight: Double = 0
  /// The point of the content that is at the top left of the visible part.
  public private(set) var contentOffset = HeadlessPoint()
  /// Room around the content that it may be scrolled into.
  open var contentInset: Double = 0
  /// The magnification of the content, within its range.
  public private(set) var zoomScale: Double = 1
  /// The magnifications that are allowed, above zero.
  open var zoomScaleRange: ClosedRange<Double> = 0.1...10

  /// Scrolls to a point, or as near to it as the content allows.
  ///
  /// - Parameter offset: The point that comes to the top left of the visible part.
  open func scroll(to offset: HeadlessPoint) {
    contentOffset = HeadlessPoint(
      x: nearest(offset.x, content: contentWidth, visible: visibleWidth),
      y: nearest(offset.y, content: contentHeight, visible: visibleHeight))
  }

  /// Scrolls up or down, or as far as the content allows.
  ///
  /// - Parameter offset: The distance from the top of the content to the top of the visible part.
  public func scroll(to offset: Double) {
    scroll(to: HeadlessPoint(x: contentOffset.x, y: offset))
  }

  private func nearest(_ offset: Double, content: Double, visible: Double) -> Double {
    let first = 0 - contentInset
    let last = max(first, content * zoomScale + contentInset - visible)
    // An offset that is no finite number means the beginning.
    return offset.isFinite ? min(max(offset, first), last) : first
  }

  /// Changes the magnification and keeps the offset within the content.
  ///
  /// - Parameter scale: The magnification, which is brought into its range.
  open func zoom(to scale: Double) {
    guard !scale.isNaN else { return }
    zoomScale = min(max(scale, zoomScaleRange.lowerBound), zoomScaleRange.upperBound)
    scroll(to: contentOffset)
  }

  /// Writes offset, inset and zoom scale in a scope of their own.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("ScrollView") { coder in
      coder.encode([contentOffset.x, contentOffset.y], forKey: "contentOffset")
      coder.encode(contentInset, forKey: "contentInset")
      coder.encode(zoomScale, forKey: "zoomScale")
    }
  }

  /// Reads offset, inset and zoom scale.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("ScrollView")
    let inset = try state.decode(Double.self, forKey: "contentInset")
    if inset.isFinite { contentInset = inset }
    zoom(to: try state.decode(Double.self, forKey: "zoomScale"))
    let offset = try state.decode([Double].self, forKey: "contentOffset")
    if offset.count == 2 { scroll(to: HeadlessPoint(x: offset[0], y: offset[1])) }
  }
}
