import CGTK

/// Closures that GObject calls at its signals.
///
/// A closure lives as long as the object that it is connected to, so it should hold widgets weakly.
@MainActor
enum Signals {
  private final class Handler<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }
  }

  /// Connects a closure to a signal without arguments.
  static func connect(
    _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping @MainActor () -> Void
  ) {
    let function: @convention(c) @MainActor (gpointer, gpointer) -> Void = { _, data in
      unsafe Signals.handler(data, of: (@MainActor () -> Void).self)()
    }
    unsafe attach(object, name, unsafeBitCast(function, to: GCallback.self), body)
  }

  /// Connects a closure to a signal with one object as argument, such as the change of a property.
  static func connect(
    _ object: UnsafeMutableRawPointer, _ name: String,
    withObject body: @escaping @MainActor (OpaquePointer) -> Void
  ) {
    let function: @convention(c) @MainActor (gpointer, OpaquePointer, gpointer) -> Void = {
      _, argument, data in
      unsafe Signals.handler(data, of: (@MainActor (OpaquePointer) -> Void).self)(argument)
    }
    unsafe attach(object, name, unsafeBitCast(function, to: GCallback.self), body)
  }

  /// Connects a closure to a signal with two pointers as arguments, which it ignores.
  static func connect(
    _ object: UnsafeMutableRawPointer, _ name: String,
    ignoringTwo body: @escaping @MainActor () -> Void
  ) {
    let function: @convention(c) @MainActor (gpointer, gpointer?, gpointer?, gpointer) -> Void = {
      _, _, _, data in
      unsafe Signals.handler(data, of: (@MainActor () -> Void).self)()
    }
    unsafe attach(object, name, unsafeBitCast(function, to: GCallback.self), body)
  }

  /// Connects a closure to a signal with a number as argument.
  static func connect(
    _ object: UnsafeMutableRawPointer, _ name: String,
    withNumber body: @escaping @MainActor (Int) -> Void
  ) {
    let function: @convention(c) @MainActor (gpointer, guint, gpointer) -> Void = {
      _, number, data in
      unsafe Signals.handler(data, of: (@MainActor (Int) -> Void).self)(Int(number))
    }
    unsafe attach(object, name, unsafeBitCast(function, to: GCallback.self), body)
  }

  /// Connects a closure to a signal that expects an answer: whether it was handled.
  static func connect(
    _ object: UnsafeMutableRawPointer, _ name: String,
    answering body: @escaping @MainActor () -> Bool
  ) {
    let function: @convention(c) @MainActor (gpointer, gpointer) -> gboolean = { _, data in
      unsafe Signals.handler(data, of: (@MainActor () -> Bool).self)() ? 1 : 0
    }
    unsafe attach(object, name, unsafeBitCast(function, to: GCallback.self), body)
  }

  /// Calls a closure before each frame of a widget, until it returns `false`.
  static func connectFrames(
    of widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> Bool
  ) {
    let function: GtkTickCallback = { _, _, data in
      guard let data = unsafe data else { return 0 }
      nonisolated(unsafe) let held = unsafe data
      return MainActor.assumeIsolated {
        unsafe Signals.handler(held, of: (@MainActor () -> Bool).self)() ? 1 : 0
      }
    }
    let data = unsafe Unmanaged.passRetained(Handler(body)).toOpaque()
    unsafe gtk_widget_add_tick_callback(widget, function, data) { data in
      if let data = unsafe data { unsafe Unmanaged<AnyObject>.fromOpaque(data).release() }
    }
  }

  private static func handler<Body>(_ data: gpointer, of type: Body.Type) -> Body {
    unsafe Unmanaged<Handler<Body>>.fromOpaque(data).takeUnretainedValue().body
  }

  private static func attach<Body>(
    _ object: UnsafeMutableRawPointer, _ name: String, _ function: GCallback, _ body: Body
  ) {
    let data = unsafe Unmanaged.passRetained(Handler(body)).toOpaque()
    unsafe g_signal_connect_data(
      object, name, function, data,
      { data, _ in
        if let data = unsafe data { unsafe Unmanaged<AnyObject>.fromOpaque(data).release() }
      }, GConnectFlags(rawValue: 0))
  }
}
