import KeepsakeArchive

/// A text view without a screen: a long text that scrolls, a selection, and whether it can be edited.
///
/// Scroll position, selection and editability are saved; the selection is dropped at the restore when it
/// no longer fits the text. The text itself is the app's to save.
@MainActor
open class HeadlessTextView: HeadlessScrollView {
  /// The text.
  open var text: String = "" {
    didSet { selection.fit(text) }
  }
  /// The selected part, as offsets of characters; `nil` when nothing is selected.
  public var selectedRange: Range<Int>? { selection.range }
  /// Whether the user may edit the text.
  open var isEditable = true
  /// A text that may be edited can receive what the user types.
  open override var canBecomeFirstResponder: Bool { isEditable }
  private var selection = TextSelection()

  /// Selects a part of the text.
  ///
  /// - Parameter range: Offsets of characters; a range beyond the text selects nothing.
  public func select(_ range: Range<Int>?) {
    selection.select(range, in: text)
  }

  /// Writes selection and editability, beside what a scroll view writes.
  open override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    try coder.withScope("TextView") { coder in
      coder.encode(selection)
      coder.encode(isEditable, forKey: "isEditable")
    }
  }

  /// Reads selection and editability, beside what a scroll view reads.
  open override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let state = coder.scope("TextView")
    isEditable = try state.decode(Bool.self, forKey: "isEditable")
    if let range = try state.decodeSelection() { select(range) }
  }
}
