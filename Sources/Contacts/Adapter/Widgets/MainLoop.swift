import CGTK
import Dispatch
import Foundation
import Synchronization

/// GLib's loop and the main actor on one thread.
///
/// The run loop of the main thread is Foundation's, which runs the main actor's jobs. GLib's context takes its turns
/// within it: a separate thread polls for GLib, and then requests a turn on the main thread.
/// Spec/Decisions/threads.md gives the reasons.
@MainActor
public enum MainLoop {
  /// GTK could not be started.
  public struct StartError: Error, CustomStringConvertible {
    /// A full sentence.
    public let description =
      "There is no display to open a window on; set DISPLAY or WAYLAND_DISPLAY."
  }

  private static let waiting = WaitingThread()
  private static var isRunning = false

  /// Starts GTK.
  ///
  /// - Throws: ``StartError`` when there is no display.
  public static func start() throws(StartError) {
    guard gtk_init_check() != 0 else { throw StartError() }
  }

  /// Runs GTK and the main actor until the process exits.
  public static func run() -> Never {
    if !isRunning {
      isRunning = true
      waiting.start { MainActor.assumeIsolated { takeTurn() } }
      beginTurn()
    }
    while true { RunLoop.main.run() }
  }

  /// Lets GLib dispatch due events, and then wait again.
  private static func takeTurn() {
    unsafe g_main_context_acquire(g_main_context_default())
    waiting.withWait { wait in
      _ = unsafe wait.descriptors
        .withUnsafeMutableBufferPointer { buffer in
          unsafe g_main_context_check(
            g_main_context_default(), wait.priority,
            buffer.baseAddress, gint(wait.count))
        }
    }
    unsafe g_main_context_dispatch(g_main_context_default())
    unsafe g_main_context_release(g_main_context_default())
    beginTurn()
  }

  /// Asks GLib for its descriptors and timeout, and lets the other thread wait for them.
  private static func beginTurn() {
    unsafe g_main_context_acquire(g_main_context_default())
    waiting.withWait { wait in
      _ = unsafe g_main_context_prepare(g_main_context_default(), &wait.priority)
      while true {
        let room = gint(wait.descriptors.count)
        let count = unsafe wait.descriptors.withUnsafeMutableBufferPointer { buffer in
          unsafe g_main_context_query(
            g_main_context_default(), wait.priority, &wait.timeout, buffer.baseAddress, room)
        }
        wait.count = Int(count)
        if count <= room { break }
        wait.descriptors = Array(repeating: GPollFD(), count: Int(count))
      }
    }
    unsafe g_main_context_release(g_main_context_default())
    waiting.wait()
  }
}

/// The thread that waits in place of GLib's loop.
private final class WaitingThread: Sendable {
  struct Wait {
    var descriptors = [GPollFD](repeating: GPollFD(), count: 8)
    var count = 0
    var priority: gint = 0
    var timeout: gint = 0
  }

  private let state = Mutex(Wait())
  private let wanted = DispatchSemaphore(value: 0)
  private let begun = DispatchSemaphore(value: 0)

  func withWait(_ body: (inout Wait) -> Void) { state.withLock { body(&$0) } }

  /// Lets the thread wait, and returns when it owns the context: any source attached from then on wakes it.
  func wait() {
    wanted.signal()
    begun.wait()
  }

  func start(_ becameDue: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      while true {
        wanted.wait()
        // GLib wakes the owner of a context when another thread attaches a source to it, as the main
        // thread does in jobs of the main actor between two turns.
        unsafe g_main_context_acquire(g_main_context_default())
        begun.signal()
        var wait = state.withLock { $0 }
        _ = unsafe wait.descriptors.withUnsafeMutableBufferPointer { buffer in
          unsafe g_poll(buffer.baseAddress, guint(wait.count), wait.timeout)
        }
        unsafe g_main_context_release(g_main_context_default())
        let done = wait.descriptors
        state.withLock { $0.descriptors = done }
        DispatchQueue.main.async(execute: becameDue)
      }
    }
    thread.name = "GLib"
    thread.start()
  }
}
