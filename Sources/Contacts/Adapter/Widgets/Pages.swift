import CGTK

/// A stack of pages without tabs; the user sees one page.
public final class Stack: Widget {
  private var pages: [Widget] = []

  /// Creates a stack without pages.
  public init() {
    unsafe super.init(gtk_stack_new())
    expands = true
  }

  /// Replaces the pages, and shows the last one.
  ///
  /// - Parameter pages: The pages.
  public func setPages(_ pages: [Widget]) {
    for page in self.pages where !pages.contains(where: { $0 === page }) {
      unsafe gtk_stack_remove(opaque, page.pointer)
    }
    for page in pages where !self.pages.contains(where: { $0 === page }) {
      unsafe gtk_stack_add_child(opaque, page.pointer)
    }
    self.pages = pages
    if let last = pages.last { unsafe gtk_stack_set_visible_child(opaque, last.pointer) }
  }
}

/// Pages with tabs.
public final class Notebook: Widget {
  /// Creates a notebook without pages.
  public init() {
    unsafe super.init(gtk_notebook_new())
    expands = true
  }

  /// Puts a page after the others.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - title: The title of its tab.
  public func append(_ page: Widget, title: String) {
    unsafe gtk_notebook_append_page(opaque, page.pointer, gtk_label_new(title))
  }

  /// The index of the visible page; -1 (GTK's value) without pages.
  public var selectedPage: Int {
    get { unsafe Int(gtk_notebook_get_current_page(opaque)) }
    set { unsafe gtk_notebook_set_current_page(opaque, gint(clamping: newValue)) }
  }

  /// Calls a closure when another page is shown.
  ///
  /// - Parameter body: The closure.
  public func onSelect(_ body: @escaping @MainActor () -> Void) {
    unsafe Signals.connect(pointer, "notify::page", withObject: { _ in body() })
  }
}
