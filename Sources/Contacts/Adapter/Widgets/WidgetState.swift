import CGTK

/// The visible state of a widget, read from GTK itself.
///
/// Tests compare it before and after a restart; it does not use the saved state.
public struct WidgetState: Codable, Hashable, Sendable {
  /// The class of the widget in GTK.
  public let kind: String
  /// The name of the widget.
  public let name: String
  /// True when the widget is on the screen, and not on a covered page.
  public let isMapped: Bool
  /// Left, top, width and height within the window, in pixels.
  public let bounds: [Double]
  /// The text of an entry, a text area, a label or a button.
  public var text: String?
  /// The ends of the selected part of a text, the cursor last.
  public var selection: [Int]?
  /// The text of the selected row of a list.
  public var selectedRow: String?
  /// The number of rows of a list.
  public var rowCount: Int?
  /// The text of the row in the middle of a list, which depends on its order.
  public var middleRow: String?
  /// The text of the first visible row.
  public var firstRow: String?
  /// The distance from the top of the content, or of the first visible row, in pixels.
  public var position: Double?
  /// The index of the visible page of a notebook, or the number of pages of a stack.
  public var page: Int?
  /// The width and the height of a window that is not maximized, in pixels.
  public var size: [Int]?
  /// True when the widget has the keyboard focus.
  public var isFocused = false
  /// True when a window marks the widget with the focus, as GTK does for three seconds after a key.
  public var marksFocus: Bool?
}

extension Window {
  /// The state of this window's widgets, in depth-first order.
  public var widgetStates: [WidgetState] {
    var states: [WidgetState] = []
    var pending = unsafe [pointer]
    while let widget = unsafe pending.popLast() {
      let state = unsafe state(of: widget)
      states.append(state)
      if ["GtkEntry", "GtkTextView", "GtkListView", "GtkButton", "GtkLabel"].contains(state.kind) {
        continue
      }
      var children: [UnsafeMutablePointer<GtkWidget>] = unsafe []
      var child = unsafe gtk_widget_get_first_child(widget)
      while let next = unsafe child {
        unsafe children.append(next)
        unsafe child = gtk_widget_get_next_sibling(next)
      }
      unsafe pending.append(contentsOf: children.reversed())
    }
    return states
  }

  private func state(of widget: UnsafeMutablePointer<GtkWidget>) -> WidgetState {
    let raw = UnsafeMutableRawPointer(widget)
    let kind = unsafe g_type_name_from_instance(raw.assumingMemoryBound(to: GTypeInstance.self))
      .map { unsafe String(cString: $0) }
    var (x, y) = (0.0, 0.0)
    unsafe gtk_widget_translate_coordinates(widget, pointer, 0, 0, &x, &y)
    var state = unsafe WidgetState(
      kind: kind ?? "", name: String(cString: gtk_widget_get_name(widget)),
      isMapped: gtk_widget_get_mapped(widget) != 0,
      bounds: [
        x, y, Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)),
      ])
    if let focus = unsafe gtk_window_get_focus(cast()) {
      state.isFocused = unsafe focus == widget || gtk_widget_is_ancestor(focus, widget) != 0
    }
    if unsafe widget == pointer {
      state.size = [size.width, size.height]
      state.marksFocus = unsafe gtk_window_get_focus_visible(cast()) != 0
    }
    unsafe read(widget, into: &state)
    return state
  }

  private func read(_ widget: UnsafeMutablePointer<GtkWidget>, into state: inout WidgetState) {
    let opaque = OpaquePointer(widget)
    switch state.kind {
    case "GtkLabel": state.text = unsafe String(cString: gtk_label_get_text(opaque))
    case "GtkButton":
      let button = unsafe UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkButton.self)
      state.text = unsafe gtk_button_get_label(button).map { unsafe String(cString: $0) }
    case "GtkEntry":
      state.text = unsafe String(cString: gtk_editable_get_text(opaque))
      var (start, end): (gint, gint) = (0, 0)
      let cursor = unsafe gtk_editable_get_position(opaque)
      let isSelected = unsafe gtk_editable_get_selection_bounds(opaque, &start, &end) != 0
      let other = isSelected ? (cursor == start ? end : start) : cursor
      state.selection = [Int(other), Int(cursor)]
    case "GtkNotebook": state.page = unsafe Int(gtk_notebook_get_current_page(opaque))
    case "GtkStack":
      state.page = unsafe Int(g_list_model_get_n_items(gtk_stack_get_pages(opaque)))
    case "GtkTextView": unsafe readText(of: opaque, into: &state)
    case "GtkListView": unsafe readList(opaque, into: &state)
    default: break
    }
  }

  private func readText(of view: OpaquePointer, into state: inout WidgetState) {
    let textView = unsafe UnsafeMutableRawPointer(view).assumingMemoryBound(to: GtkTextView.self)
    guard let buffer = unsafe gtk_text_view_get_buffer(textView) else { return }
    var (start, end) = unsafe (GtkTextIter(), GtkTextIter())
    unsafe gtk_text_buffer_get_bounds(buffer, &start, &end)
    if let bytes = unsafe gtk_text_buffer_get_text(buffer, &start, &end, 1) {
      state.text = unsafe String(cString: bytes)
      unsafe g_free(bytes)
    }
    unsafe gtk_text_buffer_get_iter_at_mark(
      buffer, &start, gtk_text_buffer_get_selection_bound(buffer))
    unsafe gtk_text_buffer_get_iter_at_mark(buffer, &end, gtk_text_buffer_get_insert(buffer))
    state.selection = unsafe [
      Int(gtk_text_iter_get_offset(&start)), Int(gtk_text_iter_get_offset(&end)),
    ]
    state.position = unsafe adjustment(of: view).map { unsafe gtk_adjustment_get_value($0) }
  }

  private func readList(_ view: OpaquePointer, into state: inout WidgetState) {
    guard let model = unsafe gtk_list_view_get_model(view) else { return }
    let count = unsafe g_list_model_get_n_items(model)
    let text = { (row: guint) -> String? in
      guard let item = unsafe g_list_model_get_item(model, row) else { return nil }
      defer { unsafe g_object_unref(item) }
      return unsafe String(cString: gtk_string_object_get_string(OpaquePointer(item)))
    }
    state.rowCount = Int(count)
    state.middleRow = text(count / 2)
    state.selectedRow = unsafe text(gtk_single_selection_get_selected(model))
    guard let adjustment = unsafe adjustment(of: view), count > 0 else { return }
    let height = unsafe gtk_adjustment_get_upper(adjustment) / Double(count)
    let position = unsafe gtk_adjustment_get_value(adjustment)
    guard height >= 1 else { return }
    let first = (position / height).rounded(.down)
    state.firstRow = text(guint(first))
    state.position = position - first * height
  }

  private func adjustment(of view: OpaquePointer) -> UnsafeMutablePointer<GtkAdjustment>? {
    unsafe gtk_scrollable_get_vadjustment(view)
  }
}
