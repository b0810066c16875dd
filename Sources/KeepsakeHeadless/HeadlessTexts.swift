import KeepsakeArchive
import KeepsakeRestoration

/// A text field without a screen: a text and a selected range.
///
/// The selected range is saved. A restore drops it when it no longer fits the text; while the text is empty, the
/// range waits for the first text. The app saves the text itself, and which object is the first responder, since
/// unsaved input belongs to the controller; a ``HeadlessDraftField`` saves both.
@MainActor
open class HeadlessTextField: HeadlessView {
  /// The text.
  open var text: String = "" {
    didSet {
      selection.fit(text)
      textChanged()
    }
  }
  /// The selected part, as offsets of characters; `nil` when nothing is selected.
  public var selectedRange: Range<Int>? { selection.range }
  private var selection = TextSelection()
  override var takesText: Bool { true }

  /// Called when the text was set.
  func textChanged() {}

  /// Selects a part of the text.
  ///
  /// - Parameter range: Offsets of characters; a range beyond the text selects nothing.
  public func select(_ range: Range<Int>?) {
    selection.select(range, in: text)
  }

  /// Writes the selected range in a scope of its own.
  override func encodeOwnState(with coder: inout RestorationEncoder) throws {
    try super.encodeOwnState(with: &coder)
    try coder.withScope("TextField") { coder in
      coder.encode(selection)
    }
  }

  /// Reads the selected range.
  override func decodeOwnState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeOwnState(with: coder)
    if let range = try coder.scope("TextField").decodeSelection() {
      selection.restore(range, in: text)
    }
  }
}

/// A text view without a screen: a long text that scrolls, a selection, and whether it can be edited.
///
/// Scroll position, selection and editability are saved. A restore drops the selection when it no longer fits the
/// text; while the text is empty, the selection waits for the first text. The app saves the text itself.
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
  override var takesText: Bool { isEditable }
  private var selection = TextSelection()

  /// Selects a part of the text.
  ///
  /// - Parameter range: Offsets of characters; a range beyond the text selects nothing.
  public func select(_ range: Range<Int>?) {
    selection.select(range, in: text)
  }

  /// Writes the state of a scroll view, the selection and the editability.
  override func encodeOwnState(with coder: inout RestorationEncoder) throws {
    try super.encodeOwnState(with: &coder)
    try coder.withScope("TextView") { coder in
      coder.encode(selection)
      coder.encode(isEditable, forKey: "isEditable")
    }
  }

  /// Reads the state of a scroll view, the selection and the editability.
  override func decodeOwnState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeOwnState(with: coder)
    let state = coder.scope("TextView")
    isEditable = try state.decode(Bool.self, forKey: "isEditable")
    if let range = try state.decodeSelection() { selection.restore(range, in: text) }
  }
}

/// A selected part of a text, as offsets of characters; it never reaches beyond the text.
struct TextSelection {
  private(set) var range: Range<Int>?
  /// The range that a restore selects in the first text, while the text is still empty.
  private var wanted: Range<Int>?

  var savedRange: Range<Int>? { wanted ?? range }

  /// Selects a part; a range beyond the text selects nothing.
  mutating func select(_ range: Range<Int>?, in text: String) {
    wanted = nil
    self.range = range
    fit(text)
  }

  /// Selects the saved range, as soon as there is a text.
  mutating func restore(_ range: Range<Int>, in text: String) {
    select(range, in: text)
    if text.isEmpty, self.range == nil { wanted = range }
  }

  /// Selects the range that waits for the first text, and drops a selection that no longer fits the text.
  mutating func fit(_ text: String) {
    if let wanted, !text.isEmpty {
      range = wanted
      self.wanted = nil
    }
    guard let range else { return }
    if range.lowerBound < 0 || range.upperBound > text.count { self.range = nil }
  }
}

extension RestorationEncoder {
  mutating func encode(_ selection: TextSelection) {
    encode(selection.savedRange?.lowerBound, forKey: "selectionStart")
    encode(selection.savedRange?.upperBound, forKey: "selectionEnd")
  }
}

extension RestorationDecoder {
  /// Reads the selection of this scope; nil when nothing was selected.
  func decodeSelection() throws(ArchiveError) -> Range<Int>? {
    guard let start = try decodeIfPresent(Int.self, forKey: "selectionStart"),
      let end = try decodeIfPresent(Int.self, forKey: "selectionEnd"), start <= end
    else { return nil }
    return start..<end
  }
}
