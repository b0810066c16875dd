import CGTK

/// A widget of GTK, kept alive as long as this object is.
///
/// Nothing of GTK is subclassed: a Swift class holds a widget, and says in Swift what it can do.
@MainActor
@safe
public class Widget {
  let pointer: UnsafeMutablePointer<GtkWidget>

  init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
    unsafe self.pointer = pointer
    unsafe g_object_ref_sink(pointer)
  }

  isolated deinit { unsafe g_object_unref(pointer) }

  /// The pointer as GTK's functions for one class want it.
  func cast<Instance>(to type: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
  }

  /// The pointer as GTK's functions for classes without public members want it.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  /// What the widget is called in style sheets and in a ``WidgetState``.
  public var name: String {
    get { unsafe gtk_widget_get_name(pointer).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_widget_set_name(pointer, newValue) }
  }

  /// Whether the widget is shown where its container is.
  public var isVisible: Bool {
    get { unsafe gtk_widget_get_visible(pointer) != 0 }
    set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
  }

  /// Whether the widget is on the screen now, and not on a page that is covered.
  public var isMapped: Bool { unsafe gtk_widget_get_mapped(pointer) != 0 }

  /// Whether the widget takes the room that is left.
  public var expands = false {
    didSet {
      unsafe gtk_widget_set_hexpand(pointer, expands ? 1 : 0)
      unsafe gtk_widget_set_vexpand(pointer, expands ? 1 : 0)
    }
  }

  /// Lets the widget get what the user types; a text keeps its selection.
  public func grabFocus() { unsafe gtk_widget_grab_focus(pointer) }

  /// Calls a closure whenever the widget appears on the screen.
  func onMap(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "map", body)
  }

  /// Calls a closure once, when the widget was drawn on the screen.
  ///
  /// - Parameter body: Is called before the second frame.
  public func onFirstFrame(_ body: @escaping @MainActor () -> Void) {
    var isDrawn = false
    onFrame {
      if isDrawn { body() }
      defer { isDrawn = true }
      return !isDrawn
    }
  }

  /// Calls a closure before each frame that the widget is on the screen, until it returns `false`.
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

  /// The text.
  public var text: String {
    get { unsafe String(cString: gtk_label_get_text(opaque)) }
    set { unsafe gtk_label_set_text(opaque, newValue) }
  }
}

/// A button with a word on it.
public final class Button: Widget {
  /// Creates a button.
  ///
  /// - Parameters:
  ///   - label: The word; an underscore stands before the letter that clicks it together with Alt.
  ///   - action: What a click does.
  public init(_ label: String, _ action: @escaping @MainActor () -> Void) {
    unsafe super.init(gtk_button_new_with_mnemonic(label))
    name = label.filter { $0 != "_" }
    // A click does not take the focus away from a text that is being edited.
    unsafe gtk_widget_set_focus_on_click(pointer, 0)
    unsafe Signals.connect(pointer, "clicked", action)
  }

  /// The word.
  public var label: String {
    get { unsafe gtk_button_get_label(cast()).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_button_set_label(cast(), newValue) }
  }
}

/// Widgets in a row or in a column.
public final class Box: Widget {
  /// Creates a box.
  ///
  /// - Parameters:
  ///   - isVertical: Whether the widgets stand below each other.
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

  /// Takes a widget out.
  ///
  /// - Parameter widget: One of the widgets.
  public func remove(_ widget: Widget) { unsafe gtk_box_remove(cast(), widget.pointer) }
}
