import CGTK

/// A widget of GTK, which lives at least as long as this object.
///
/// No class of GTK is subclassed: a Swift class holds a widget, and gives it a Swift interface.
@MainActor
@safe
public class Widget {
  let pointer: UnsafeMutablePointer<GtkWidget>

  init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
    unsafe self.pointer = pointer
    unsafe g_object_ref_sink(pointer)
  }

  isolated deinit { unsafe g_object_unref(pointer) }

  /// The pointer in the type for GTK's functions of one class.
  func cast<Instance>(to type: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
  }

  /// The pointer in the type for GTK's functions of opaque classes.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  /// The name of the widget in style sheets and in a ``WidgetState``.
  public var name: String {
    get { unsafe gtk_widget_get_name(pointer).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_widget_set_name(pointer, newValue) }
  }

  /// True when the widget is shown when its container is.
  public var isVisible: Bool {
    get { unsafe gtk_widget_get_visible(pointer) != 0 }
    set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
  }

  /// True when the widget is on the screen now, and not on a covered page.
  public var isMapped: Bool { unsafe gtk_widget_get_mapped(pointer) != 0 }

  /// True when the widget takes the remaining space.
  public var expands = false {
    didSet {
      unsafe gtk_widget_set_hexpand(pointer, expands ? 1 : 0)
      unsafe gtk_widget_set_vexpand(pointer, expands ? 1 : 0)
    }
  }

  /// Leaves space around the widget.
  ///
  /// - Parameter margin: The space at each side, in pixels.
  public func setMargin(_ margin: Int) {
    let margin = gint(clamping: margin)
    unsafe gtk_widget_set_margin_start(pointer, margin)
    unsafe gtk_widget_set_margin_end(pointer, margin)
    unsafe gtk_widget_set_margin_top(pointer, margin)
    unsafe gtk_widget_set_margin_bottom(pointer, margin)
  }

  /// Gives the widget a look of the theme.
  ///
  /// - Parameter style: A class of GTK's style sheets, such as `suggested-action`.
  public func addStyle(_ style: String) { unsafe gtk_widget_add_css_class(pointer, style) }

  /// Moves the keyboard focus to the widget; a text keeps its selection.
  public func grabFocus() { unsafe gtk_widget_grab_focus(pointer) }

  /// Calls a closure whenever the widget appears on the screen.
  func onMap(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "map", body)
  }

  /// Calls a closure once, after the widget was drawn on the screen.
  ///
  /// - Parameter body: Called before the second frame.
  public func onFirstFrame(_ body: @escaping @MainActor () -> Void) {
    var isDrawn = false
    onFrame {
      if isDrawn { body() }
      defer { isDrawn = true }
      return !isDrawn
    }
  }

  /// Calls a closure before each frame while the widget is on the screen, until it returns `false`.
  func onFrame(_ body: @escaping @MainActor () -> Bool) {
    unsafe Signals.connectFrames(of: pointer, body)
  }
}

/// A line of text that the user cannot change.
public final class Label: Widget {
  /// Creates a label.
  ///
  /// - Parameter text: The text.
  public init(_ text: String = "") {
    unsafe super.init(gtk_label_new(text))
    unsafe gtk_label_set_xalign(opaque, 0)
    unsafe gtk_label_set_wrap(opaque, 1)
    unsafe gtk_label_set_max_width_chars(opaque, 1)
    unsafe gtk_widget_set_hexpand(pointer, 1)
  }

  /// True when the text is in the middle of all remaining space, for example in place of an empty list.
  public var isCentered = false {
    didSet {
      expands = isCentered
      unsafe gtk_label_set_xalign(opaque, isCentered ? 0.5 : 0)
      unsafe gtk_label_set_justify(opaque, isCentered ? GTK_JUSTIFY_CENTER : GTK_JUSTIFY_LEFT)
    }
  }

  /// The text.
  public var text: String {
    get { unsafe String(cString: gtk_label_get_text(opaque)) }
    set { unsafe gtk_label_set_text(opaque, newValue) }
  }
}

/// A button with a label.
public final class Button: Widget {
  /// Creates a button.
  ///
  /// - Parameters:
  ///   - label: The label; an underscore marks the letter that clicks it together with Alt.
  ///   - action: Called at a click.
  public init(_ label: String, _ action: @escaping @MainActor () -> Void) {
    unsafe super.init(gtk_button_new_with_mnemonic(label))
    name = label.filter { $0 != "_" }
    // A click does not take the focus away from a text that is being edited.
    unsafe gtk_widget_set_focus_on_click(pointer, 0)
    unsafe Signals.connect(pointer, "clicked", action)
  }

  /// The label.
  public var label: String {
    get { unsafe gtk_button_get_label(cast()).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_button_set_label(cast(), newValue) }
  }
}

/// The bar at the top of a window: its title, with buttons beside it.
public final class HeaderBar: Widget {
  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - start: The widgets before the title.
  ///   - end: The widgets after the title, the last one at the edge.
  ///   - closes: True when the bar has the button that closes the window.
  public init(start: [Widget] = [], end: [Widget] = [], closes: Bool = true) {
    unsafe super.init(gtk_header_bar_new())
    for widget in start { unsafe gtk_header_bar_pack_start(opaque, widget.pointer) }
    for widget in end.reversed() { unsafe gtk_header_bar_pack_end(opaque, widget.pointer) }
    unsafe gtk_header_bar_set_show_title_buttons(opaque, closes ? 1 : 0)
    // The place of the other buttons belongs to the title.
    unsafe gtk_header_bar_set_decoration_layout(opaque, ":close")
  }
}

/// Widgets in a row or in a column.
public final class Box: Widget {
  /// Creates a box.
  ///
  /// - Parameters:
  ///   - isVertical: True when the widgets are below each other.
  ///   - widgets: The widgets.
  public init(isVertical: Bool, _ widgets: [Widget] = []) {
    unsafe super.init(
      gtk_box_new(isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, 6))
    for widget in widgets { append(widget) }
  }

  /// Puts a widget after the others.
  ///
  /// - Parameter widget: The widget.
  public func append(_ widget: Widget) { unsafe gtk_box_append(cast(), widget.pointer) }

  /// Removes a widget.
  ///
  /// - Parameter widget: One of the widgets.
  public func remove(_ widget: Widget) { unsafe gtk_box_remove(cast(), widget.pointer) }
}
