import CGTK

/// A widget with a text that the user edits.
@MainActor
public protocol EditableText: Widget {
  /// The text.
  var text: String { get set }
  /// True while the program sets the text; the user changes it at all other times.
  var isBeingSet: Bool { get }
  /// The selected part, as offsets of Unicode scalars; if nothing is selected, both ends are the cursor.
  var selection: Range<Int> { get }
  /// True when the cursor is before the selected part, as after a selection from right to left.
  var isCursorFirst: Bool { get }
  /// Calls a closure when the text, the selection or the cursor changed.
  func onChange(_ body: @escaping @MainActor () -> Void)
  /// Selects a part of the text, cut at its end.
  func select(_ range: Range<Int>, isCursorFirst: Bool)
}

/// One line of text that the user edits.
public final class Entry: Widget, EditableText {
  /// Creates an entry.
  ///
  /// - Parameter placeholder: The text that it shows while it is empty.
  public init(placeholder: String = "") {
    unsafe super.init(gtk_entry_new())
    unsafe gtk_entry_set_placeholder_text(cast(), placeholder)
    name = placeholder
  }

  /// True when the text is shown as dots.
  public var isSecret = false {
    didSet { unsafe gtk_entry_set_visibility(cast(), isSecret ? 0 : 1) }
  }

  /// The text.
  public var text: String {
    get { unsafe String(cString: gtk_editable_get_text(opaque)) }
    set {
      isBeingSet = true
      if newValue != text { unsafe gtk_editable_set_text(opaque, newValue) }
      isBeingSet = false
    }
  }

  /// True while the program sets the text.
  public private(set) var isBeingSet = false

  /// The selected part.
  public var selection: Range<Int> {
    var (start, end): (gint, gint) = (0, 0)
    guard unsafe gtk_editable_get_selection_bounds(opaque, &start, &end) != 0, start <= end else {
      let position = unsafe Int(gtk_editable_get_position(opaque))
      return position..<position
    }
    return Int(start)..<Int(end)
  }

  /// True when the cursor is before the selected part.
  public var isCursorFirst: Bool {
    let position = unsafe Int(gtk_editable_get_position(opaque))
    return !selection.isEmpty && position == selection.lowerBound
  }

  /// Selects a part of the text.
  public func select(_ range: Range<Int>, isCursorFirst: Bool) {
    let (start, end) = (gint(clamping: range.lowerBound), gint(clamping: range.upperBound))
    // The cursor is placed at the second offset.
    unsafe gtk_editable_select_region(
      opaque, isCursorFirst ? end : start, isCursorFirst ? start : end)
  }

  /// Calls a closure when the text, the selection or the cursor changed.
  public func onChange(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "changed", body)
    for property in ["cursor-position", "selection-bound"] {
      unsafe Signals.connect(pointer, "notify::" + property, withObject: { _ in body() })
    }
  }

  /// Calls a closure when the user presses Enter.
  ///
  /// - Parameter body: The closure.
  public func onActivate(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "activate", body)
  }

  /// Moves the keyboard focus to the entry, without selecting its text.
  public override func grabFocus() { unsafe gtk_entry_grab_focus_without_selecting(cast()) }
}

/// A text of many lines that the user edits and that scrolls.
@safe
public final class TextArea: ScrollArea, EditableText {
  private let view: OpaquePointer
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>

  /// Creates a text area.
  ///
  /// - Parameter name: Its name.
  public init(name: String) {
    let view: UnsafeMutablePointer<GtkWidget> = unsafe gtk_text_view_new()
    unsafe self.view = OpaquePointer(view)
    let textView = unsafe UnsafeMutableRawPointer(view).assumingMemoryBound(to: GtkTextView.self)
    unsafe buffer = gtk_text_view_get_buffer(textView)
    unsafe gtk_text_view_set_wrap_mode(textView, GTK_WRAP_WORD_CHAR)
    // The tab key moves to the next widget.
    unsafe gtk_text_view_set_accepts_tab(textView, 0)
    unsafe gtk_text_view_set_left_margin(textView, 8)
    unsafe gtk_text_view_set_right_margin(textView, 8)
    unsafe gtk_text_view_set_top_margin(textView, 6)
    unsafe gtk_text_view_set_bottom_margin(textView, 6)
    unsafe gtk_widget_set_name(view, name)
    unsafe super.init(scrolling: view)
  }

  /// The text.
  public var text: String {
    get {
      var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
      unsafe gtk_text_buffer_get_bounds(buffer, &start, &end)
      guard let bytes = unsafe gtk_text_buffer_get_text(buffer, &start, &end, 1) else { return "" }
      defer { unsafe g_free(bytes) }
      return unsafe String(cString: bytes)
    }
    set {
      isBeingSet = true
      if newValue != text { unsafe gtk_text_buffer_set_text(buffer, newValue, -1) }
      isBeingSet = false
    }
  }

  /// True while the program sets the text.
  public private(set) var isBeingSet = false

  /// The selected part.
  public var selection: Range<Int> {
    var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
    unsafe gtk_text_buffer_get_selection_bounds(buffer, &start, &end)
    let first = unsafe Int(gtk_text_iter_get_offset(&start))
    return unsafe first..<max(first, Int(gtk_text_iter_get_offset(&end)))
  }

  /// True when the cursor is before the selected part.
  public var isCursorFirst: Bool {
    var cursor = unsafe GtkTextIter()
    unsafe gtk_text_buffer_get_iter_at_mark(buffer, &cursor, gtk_text_buffer_get_insert(buffer))
    let offset = unsafe Int(gtk_text_iter_get_offset(&cursor))
    return !selection.isEmpty && offset == selection.lowerBound
  }

  /// Selects a part of the text, and leaves the selections of other texts as they are.
  ///
  /// GTK clears the selection of a text when another text takes the primary clipboard. So restoring a selection would
  /// clear the one that was restored before it.
  public func select(_ range: Range<Int>, isCursorFirst: Bool) {
    let widget = unsafe UnsafeMutablePointer<GtkWidget>(view)
    let isRealized = unsafe gtk_widget_get_realized(widget) != 0
    let clipboard = unsafe gtk_widget_get_primary_clipboard(widget)
    if isRealized { unsafe gtk_text_buffer_remove_selection_clipboard(buffer, clipboard) }
    defer { if isRealized { unsafe gtk_text_buffer_add_selection_clipboard(buffer, clipboard) } }
    var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
    unsafe gtk_text_buffer_get_iter_at_offset(buffer, &start, gint(clamping: range.lowerBound))
    unsafe gtk_text_buffer_get_iter_at_offset(buffer, &end, gint(clamping: range.upperBound))
    if isCursorFirst {
      unsafe gtk_text_buffer_select_range(buffer, &start, &end)
    } else {
      unsafe gtk_text_buffer_select_range(buffer, &end, &start)
    }
  }

  /// Calls a closure when the text, the selection or the cursor changed.
  public func onChange(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(buffer, "changed", body)
    unsafe Signals.connect(buffer, "mark-set", ignoringTwo: body)
  }

  /// Moves the keyboard focus to the text.
  public override func grabFocus() {
    unsafe gtk_widget_grab_focus(UnsafeMutablePointer<GtkWidget>(view))
  }
}
