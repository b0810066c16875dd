/// A text field without a screen: a text and a selected range.
///
/// The selected range is saved and dropped at the restore when it no longer fits the text. The text
/// itself and the first responder are the app's to save, as unsaved input belongs to the controller.
@MainActor
open class HeadlessTextField: HeadlessView {
  /// The text.
  open var text: String = "" {
    didSet { selection.fit(text) }
  }
  /// The selected part, as offsets of characters; `nil` when nothing is selected.
  public var selectedRange: Range<Int>? { selection.range }
  private var selection = TextSelection()
  /// A field can always be edited.
  open override var canBecomeFirstResponder: Bool { true }

  /// Selects a part of the text.
  ///
  /// - Parameter range: Offsets of characters; a range beyond the text selects nothing.
  public func select(_ range: Range<Int>?) {
    selection.select(range, in: text)
  }

  /// Writes the selected range in a scope of its own.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("TextField") { coder in
      coder.encode(selection)
    }
  }

  /// Reads the selected range.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let range = try coder.scope("TextField").decodeSelection() { select(range) }
  }
}
