import KeepsakeArchive

/// A scroll view without a screen: content, a visible part of it, and a magnification.
///
/// Offset, inset and zoom scale are saved; after a restore the offset stays within the content that
/// is there now. Lengths are in points, or in whatever unit the app measures its content in.
@MainActor
open class HeadlessScrollView: HeadlessView {
  /// The height of the content at zoom scale 1, zero or more.
  open var contentHeight: Double = 0
  /// The height of the visible part, zero or more.
  open var visibleHeight: Double = 0
  /// The distance from the top of the content to the top of the visible part.
  public private(set) var contentOffset: Double = 0
  /// Room above and below the content that it may be scrolled into.
  open var contentInset: Double = 0
  /// The magnification of the content, within its range.
  public private(set) var zoomScale: Double = 1
  /// The magnifications that are allowed, above zero.
  open var zoomScaleRange: ClosedRange<Double> = 0.1...10

  /// Scrolls to an offset, or as near to it as the content allows.
  ///
  /// - Parameter offset: The distance from the top of the content to the top of the visible part.
  open func scroll(to offset: Double) {
    let top = 0 - contentInset
    let latest = max(top, contentHeight * zoomScale + contentInset - visibleHeight)
    // An offset that is no finite number means the top.
    contentOffset = offset.isFinite ? min(max(offset, top), latest) : top
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
      coder.encode(contentOffset, forKey: "contentOffset")
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
    scroll(to: try state.decode(Double.self, forKey: "contentOffset"))
  }
}
