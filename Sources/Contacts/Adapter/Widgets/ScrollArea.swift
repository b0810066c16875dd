import CGTK

/// A part of a tall content, with a scroll bar.
@safe
public class ScrollArea: Widget {
  private let adjustment: UnsafeMutablePointer<GtkAdjustment>

  init(scrolling child: UnsafeMutablePointer<GtkWidget>) {
    let window: UnsafeMutablePointer<GtkWidget> = unsafe gtk_scrolled_window_new()
    unsafe gtk_scrolled_window_set_child(OpaquePointer(window), child)
    unsafe adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(window))
    unsafe super.init(window)
    expands = true
  }

  /// The distance from the top of the content to the top of the visible part, in pixels.
  ///
  /// Setting it before the content was laid out has no effect, and setting it in the middle of a layout makes GTK's
  /// list draw wrong rows; ``ScrollView`` waits for the right moment.
  public var position: Double {
    get { unsafe gtk_adjustment_get_value(adjustment) }
    set { unsafe gtk_adjustment_set_value(adjustment, newValue) }
  }

  /// The height of the content, in pixels; 0 before the first layout.
  public var contentHeight: Double { unsafe gtk_adjustment_get_upper(adjustment) }

  /// The height of the visible part, in pixels; 0 before the first layout.
  public var visibleHeight: Double { unsafe gtk_adjustment_get_page_size(adjustment) }

  /// Calls a closure when the position changed.
  ///
  /// - Parameter body: The closure.
  public func onScroll(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(adjustment, "value-changed", body)
  }

  /// Calls a closure when the height of the content or of the visible part changed.
  ///
  /// - Parameter body: The closure.
  public func onResize(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(adjustment, "changed", body)
  }
}

/// Rows of text, all of one height; one row can be selected.
@safe
public final class List: ScrollArea {
  private let strings: OpaquePointer
  private let selectionModel: OpaquePointer
  private let view: OpaquePointer
  private var isReplacing = false
  private var rowsChanged: (@MainActor () -> Void)?
  /// The widgets of GTK's rows: a few, which GTK reuses for all rows.
  private var items: [OpaquePointer] = unsafe []

  /// Creates a list without rows.
  ///
  /// - Parameter name: Its name.
  public init(name: String) {
    unsafe strings = gtk_string_list_new(nil)
    unsafe selectionModel = gtk_single_selection_new(strings)
    unsafe gtk_single_selection_set_autoselect(selectionModel, 0)
    unsafe gtk_single_selection_set_can_unselect(selectionModel, 1)
    let factory: OpaquePointer =
      unsafe gtk_signal_list_item_factory_new()
    unsafe Signals.connect(
      UnsafeMutableRawPointer(factory), "setup",
      withObject: { item in
        let label: UnsafeMutablePointer<GtkWidget> = unsafe gtk_label_new("")
        unsafe gtk_label_set_xalign(OpaquePointer(label), 0)
        unsafe gtk_widget_set_margin_start(label, 8)
        unsafe gtk_widget_set_margin_end(label, 8)
        unsafe gtk_widget_set_margin_top(label, 3)
        unsafe gtk_widget_set_margin_bottom(label, 3)
        unsafe gtk_list_item_set_child(item, label)
      })
    unsafe Signals.connect(
      UnsafeMutableRawPointer(factory), "bind",
      withObject: { item in
        guard let text = unsafe gtk_list_item_get_item(item),
          let label = unsafe gtk_list_item_get_child(item)
        else { return }
        unsafe gtk_label_set_text(
          OpaquePointer(label), gtk_string_object_get_string(OpaquePointer(text)))
      })
    let view: UnsafeMutablePointer<GtkWidget> = unsafe gtk_list_view_new(selectionModel, factory)
    unsafe self.view = OpaquePointer(view)
    unsafe gtk_widget_set_name(view, name)
    unsafe super.init(scrolling: view)
    unsafe Signals.connect(
      UnsafeMutableRawPointer(factory), "setup",
      withObject: { [weak self] item in unsafe self?.items.append(item) })
    unsafe Signals.connect(
      UnsafeMutableRawPointer(factory), "teardown",
      withObject: { [weak self] item in unsafe self?.items.removeAll { $0 == item } })
  }

  /// The number of rows.
  public var rowCount: Int { unsafe Int(g_list_model_get_n_items(strings)) }

  /// Replaces the rows, and selects none.
  ///
  /// - Parameter rows: The texts of the rows.
  public func setRows(_ rows: [String]) {
    isReplacing = true
    selectedRow = nil
    unsafe gtk_string_list_splice(strings, 0, guint(rowCount), nil)
    for row in rows { unsafe gtk_string_list_append(strings, row) }
    isReplacing = false
    rowsChanged?()
  }

  /// Sets the closure that is called when the list has other rows.
  ///
  /// - Parameter body: The closure.
  public func onRows(_ body: @escaping @MainActor () -> Void) { rowsChanged = body }

  /// The selected row.
  public var selectedRow: Int? {
    get {
      let row = unsafe Int(gtk_single_selection_get_selected(selectionModel))
      return row < rowCount ? row : nil
    }
    set {
      let row = newValue.flatMap { $0 < rowCount ? guint(exactly: $0) : nil }
      unsafe gtk_single_selection_set_selected(selectionModel, row ?? guint.max)
    }
  }

  /// The height of a row, in pixels; `nil` before the first layout, and without rows.
  public var rowHeight: Double? {
    rowCount > 0 && visibleHeight > 0 && contentHeight > 0 ? contentHeight / Double(rowCount) : nil
  }

  /// Calls a closure when another row was selected.
  ///
  /// - Parameter body: The closure.
  public func onSelect(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(
      UnsafeMutableRawPointer(selectionModel), "notify::selected",
      withObject: { [weak self] _ in if self?.isReplacing == false { body() } })
  }

  /// Calls a closure when the user opens a row, by a double click or by Enter.
  ///
  /// - Parameter body: The closure, with the row.
  public func onActivate(_ body: @escaping @MainActor (Int) -> Void) {
    unsafe Signals.connect(UnsafeMutableRawPointer(view), "activate", withNumber: body)
  }

  /// True when the list, or one of its rows, has the keyboard focus.
  public var hasFocus: Bool {
    let list = unsafe UnsafeMutablePointer<GtkWidget>(view)
    guard let root = unsafe gtk_widget_get_root(list), let focus = unsafe gtk_root_get_focus(root)
    else { return false }
    return unsafe focus == list || gtk_widget_is_ancestor(focus, list) != 0
  }

  /// Moves the keyboard focus to the selected row, which scrolls to it; does nothing before the first layout.
  public func focusSelectedRow() {
    guard let row = selectedRow,
      let item = unsafe items.first(where: { unsafe gtk_list_item_get_position($0) == guint(row) }),
      let label = unsafe gtk_list_item_get_child(item),
      let widget = unsafe gtk_widget_get_parent(label)
    else { return }
    unsafe gtk_widget_grab_focus(widget)
  }

  /// Moves the keyboard focus to the list.
  public override func grabFocus() {
    unsafe gtk_widget_grab_focus(UnsafeMutablePointer<GtkWidget>(view))
  }
}
