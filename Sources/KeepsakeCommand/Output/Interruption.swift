import CommandSupport
import Foundation
import Keepsake
import Synchronization
import TerminalScreen

/// Ends the process when a signal asks for it, as ^C does.
///
/// While a file is being written, the work is cancelled and cleans up; at any other moment there is nothing
/// to clean up, and the process ends at once. Further signals change nothing: `timeout` and terminals send
/// more than one. `SIGQUIT` ends it in any case.
enum Interruption {
  private struct State {
    var signal: Int32?
    var isWriting = false
    var onSignal: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  static func watch() throws(FileError) {
    try ProcessEnd.watchSignals { number in
      HiddenLine.restore()
      let wake = state.withLock { state -> (@Sendable () -> Void)? in
        guard state.isWriting else { return nil }
        guard state.signal == nil else { return {} }
        state.signal = number
        return state.onSignal ?? {}
      }
      guard let wake else { return true }
      wake()
      RemoteRequests.cancel()
      return false
    }
  }

  /// The failure of work that waited for input when a signal stopped it.
  static let stopped = Failure("Interrupted; nothing was written.", .inputOutput)

  /// True when the work has to stop.
  static var isRequested: Bool { state.withLock { $0.signal != nil } }

  /// Runs work that cleans up when it is stopped.
  static func whileWriting<Result>(
    onSignal: (@Sendable () -> Void)? = nil, _ work: () throws -> Result
  ) throws -> Result {
    begin(onSignal)
    defer { end() }
    return try work()
  }

  private static func begin(_ onSignal: (@Sendable () -> Void)?) {
    state.withLock { state in
      state.isWriting = true
      state.onSignal = onSignal
    }
  }

  private static func end() {
    let signal = state.withLock { state in
      state.isWriting = false
      state.onSignal = nil
      return state.signal
    }
    // The work has cleaned up, or finished before it could be stopped.
    if let signal { ProcessEnd.raise(signal) }
  }
}
