import KeepsakeRestoration

/// A text field that also saves its text, and whether it is the first responder.
///
/// Use it for text that only the user knows, such as an unsent reply. Setting the text or the first responder marks
/// the state as changed, so that a saver saves it in time. A restore makes the field the first responder again, with
/// the text and the selected range that it had. The controller needs no code for that.
@MainActor
open class HeadlessDraftField: HeadlessTextField {
  @Saved("text") private var savedText = ""
  @Saved("isFirstResponder") private var wasFirstResponder = false

  override func textChanged() {
    if savedText != text { savedText = text }
  }

  override func firstResponderChanged() {
    if wasFirstResponder != isFirstResponder { wasFirstResponder = isFirstResponder }
  }

  /// Takes over the restored text, then reads the selected range.
  override func decodeOwnState(with coder: borrowing RestorationDecoder) throws {
    text = savedText
    try super.decodeOwnState(with: coder)
    if wasFirstResponder { becomeFirstResponder() }
  }
}
