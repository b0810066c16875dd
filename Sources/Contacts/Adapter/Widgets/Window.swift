import CGTK

/// A window of the desktop.
public final class Window: Widget {
  /// Creates a window that is not shown yet.
  ///
  /// - Parameters:
  ///   - title: Its title.
  ///   - width: Its width, in pixels.
  ///   - height: Its height, in pixels.
  public init(title: String, width: Int, height: Int) {
    unsafe super.init(gtk_window_new())
    // Without a group of its own, a modal window blocks the keys of all windows of the app.
    if let group = unsafe gtk_window_group_new() {
      unsafe gtk_window_group_add_window(group, cast())
      unsafe g_object_unref(group)
    }
    self.title = title
    setSize(width: width, height: height)
  }

  /// The title.
  public var title: String {
    get { unsafe gtk_window_get_title(cast()).map { unsafe String(cString: $0) } ?? "" }
    set { unsafe gtk_window_set_title(cast(), newValue) }
  }

  /// The size of the window when it is not maximized, in pixels.
  public var size: (width: Int, height: Int) {
    var (width, height): (gint, gint) = (0, 0)
    unsafe gtk_window_get_default_size(cast(), &width, &height)
    return (Int(width), Int(height))
  }

  /// Sets the size; call it before the window is shown.
  ///
  /// - Parameters:
  ///   - width: The width, in pixels.
  ///   - height: The height, in pixels.
  public func setSize(width: Int, height: Int) {
    unsafe gtk_window_set_default_size(cast(), gint(clamping: width), gint(clamping: height))
  }

  /// True when the window fills the screen.
  public var isMaximized: Bool {
    get { unsafe gtk_window_is_maximized(cast()) != 0 }
    set {
      if newValue {
        unsafe gtk_window_maximize(cast())
      } else {
        unsafe gtk_window_unmaximize(cast())
      }
    }
  }

  /// True when the window has the keyboard focus.
  public var isActive: Bool { unsafe gtk_window_is_active(cast()) != 0 }

  /// Puts a widget into the window.
  ///
  /// - Parameter child: The widget.
  public func setChild(_ child: Widget) { unsafe gtk_window_set_child(cast(), child.pointer) }

  /// Puts a bar at the top of the window; call it before the window is shown.
  ///
  /// - Parameter bar: The bar.
  public func setHeaderBar(_ bar: HeaderBar) {
    unsafe gtk_window_set_titlebar(cast(), bar.pointer)
  }

  /// Makes the window modal over another one.
  ///
  /// - Parameter window: The other window.
  public func setModal(over window: Window) {
    unsafe gtk_window_set_transient_for(cast(), window.cast())
    unsafe gtk_window_group_add_window(gtk_window_get_group(window.cast()), cast())
    unsafe gtk_window_set_modal(cast(), 1)
    unsafe gtk_window_set_destroy_with_parent(cast(), 1)
  }

  /// Shows the window, in front of others.
  public func present() { unsafe gtk_window_present(cast()) }

  /// Closes and destroys the window.
  public func close() { unsafe gtk_window_destroy(cast()) }

  /// True when the widget with the focus is marked, as after a key that moves the focus.
  public var isFocusVisible: Bool {
    get { unsafe gtk_window_get_focus_visible(cast()) != 0 }
    set { unsafe gtk_window_set_focus_visible(cast(), newValue ? 1 : 0) }
  }

  /// Returns true when a widget of this window, or one within it, has the keyboard focus.
  ///
  /// - Parameter widget: The widget.
  /// - Returns: True when it has the focus.
  public func hasFocus(_ widget: Widget) -> Bool {
    guard let focus = unsafe gtk_window_get_focus(cast()) else { return false }
    return unsafe focus == widget.pointer || gtk_widget_is_ancestor(focus, widget.pointer) != 0
  }

  /// Calls a closure when the size, the focus or the maximized state changed.
  ///
  /// - Parameter body: The closure.
  public func onChange(_ body: @escaping @MainActor () -> Void) {
    for property in [
      "default-width", "default-height", "maximized", "focus-widget", "focus-visible",
    ] {
      unsafe Signals.connect(pointer, "notify::" + property, withObject: { _ in body() })
    }
  }

  /// Calls a closure when the window gains or loses the keyboard focus.
  ///
  /// - Parameter body: The closure.
  public func onActivity(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "notify::is-active", withObject: { _ in body() })
  }

  /// Calls a closure when the user closes the window, in place of closing it.
  ///
  /// - Parameter body: The closure.
  public func onClose(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(
      pointer, "close-request",
      answering: {
        body()
        return true
      })
  }
}
