internal import Synchronization

/// Calls a function after each change of a file: when it is replaced, changed in place, made or removed, by this
/// process or another one.
///
/// The directory of the file may be made, removed and replaced meanwhile. The system reports changes that are made on
/// this machine. Where it reports none, the file is polled once per interval, and on a network drive once per ten.
/// Several changes in a short time may lead to one call.
///
/// ```swift
/// let watch = try FileWatch(of: path) { changed.signal() }
/// ```
package final class FileWatch: Sendable {
  private let loop: Loop

  /// Begins to watch a file, which need not exist; a change after this call is noticed.
  ///
  /// The watch ends with its last reference; a call that has begun by then continues. `onChange` is called on a thread
  /// of the watch. The interval is the time between two looks at a file that is polled.
  package init(
    of path: String, polling interval: Duration = .seconds(1),
    onChange: @escaping @Sendable () -> Void
  ) throws(FileError) {
    let loop = Loop(location: try FileLocation(path), interval: interval, onChange: onChange)
    let version = loop.version
    try WorkerThreads.begin { loop.run(since: version) }
    self.loop = loop
  }

  deinit { loop.end() }

  /// The thread of a watch, which does not keep the watch alive.
  private final class Loop: Sendable {
    private struct State {
      var notices: DirectoryNotices?
      var isEnded = false
    }

    private let location: FileLocation
    private let interval: Duration
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    init(location: FileLocation, interval: Duration, onChange: @escaping @Sendable () -> Void) {
      self.location = location
      self.interval = interval
      self.onChange = onChange
    }

    /// The present version of the file; nil also when the system cannot tell.
    var version: FileVersion? { (try? DurableFile.version(of: location.path)) ?? nil }

    func run(since version: FileVersion?) {
      var known = version
      let longestWait = DirectoryNotices.longestWait(polling: interval)
      while !state.withLock({ $0.isEnded }) {
        // In this order no change is missed between the look and the wait.
        let notices = presentNotices()
        let found = self.version
        if found != known {
          known = found
          onChange()
        }
        if let notices {
          if !notices.wait(upTo: longestWait) { state.withLock { $0.notices = nil } }
        } else {
          FileDescriptor.pause(interval)
        }
      }
    }

    func end() {
      state.withLock { state in
        state.isEnded = true
        state.notices?.end()
      }
    }

    /// The notices of the directory; nil while the system gives none.
    private func presentNotices() -> DirectoryNotices? {
      state.withLock { state in
        if state.notices == nil, !state.isEnded {
          state.notices = try? DirectoryNotices(path: location.directoryPath)
        }
        return state.notices
      }
    }
  }
}
