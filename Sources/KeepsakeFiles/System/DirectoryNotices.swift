#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits for changes in a directory, as the system reports them: by inotify on Linux, by kqueue on Apple's systems.
///
/// The system reports changes that are made on this machine. kqueue does not report that a file grows.
final class DirectoryNotices: Sendable {
  private let path: String
  private let identity: FileStatus.Identity
  private let queue: FileDescriptor
  #if canImport(Darwin)
    private let directory: FileDescriptor
  #else
    /// The number of the directory in the queue.
    private let watch: Int32
  #endif

  /// Begins to collect changes in the directory at a path.
  init(path: String) throws(SystemFailure) {
    #if canImport(Darwin)
      let directory = FileDescriptor(
        try retrying("open") { unsafe open(path, O_EVTONLY | O_CLOEXEC) })
      let queue = FileDescriptor(try retrying("kqueue") { kqueue() })
      var request = unsafe kevent(
        ident: UInt(directory.rawValue), filter: Int16(EVFILT_VNODE),
        flags: UInt16(EV_ADD | EV_CLEAR), fflags: UInt32(NOTE_WRITE | NOTE_DELETE | NOTE_RENAME),
        data: 0, udata: nil)
      try retrying("kevent") { unsafe kevent(queue.rawValue, &request, 1, nil, 0, nil) }
      self.directory = directory
    #else
      let queue = FileDescriptor(
        try retrying("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
      let changes = IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO
      watch = try retrying("inotify_add_watch") {
        unsafe inotify_add_watch(queue.rawValue, path, UInt32(changes | IN_ONLYDIR))
      }
    #endif
    guard let status = try FileStatus.followingLinks(path) else {
      throw SystemFailure(call: "stat", number: ENOENT)
    }
    identity = status.identity
    self.path = path
    self.queue = queue
  }

  /// The maximum time to wait between two looks at a file that is polled once per interval otherwise.
  static func longestWait(polling interval: Duration) -> Duration {
    #if canImport(Darwin)
      return interval
    #else
      // A network drive does not report changes of other machines, so the file is polled as well.
      return interval * 10
    #endif
  }

  /// Waits until something in the directory changes, the time has passed, or ``end()`` is called.
  ///
  /// The result is false when the path no longer leads to this directory, or no more changes are reported.
  func wait(upTo limit: Duration) -> Bool {
    guard (try? waitForReport(limit)) == true, let status = try? FileStatus.followingLinks(path)
    else {
      return false
    }
    return status.identity == identity
  }

  /// Ends the collection, and on Linux also a wait.
  func end() {
    #if !canImport(Darwin)
      _ = inotify_rm_watch(queue.rawValue, watch)
    #endif
  }

  #if canImport(Darwin)
    private func waitForReport(_ limit: Duration) throws(SystemFailure) -> Bool {
      let (seconds, attoseconds) = limit.components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      var report = unsafe kevent()
      try retrying("kevent") { unsafe kevent(queue.rawValue, nil, 0, &report, 1, &time) }
      return true
    }
  #else
    /// The size of a report without its name, and the offsets of two of its fields, each of four bytes.
    private static let (headLength, maskOffset, nameLengthOffset) = (16, 4, 12)

    private func waitForReport(_ limit: Duration) throws(SystemFailure) -> Bool {
      var entry = pollfd(fd: queue.rawValue, events: Int16(POLLIN), revents: 0)
      let time = limit.wholeMilliseconds
      guard try retrying("poll", { unsafe poll(&entry, 1, time) }) > 0 else { return true }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = try retrying("read") { unsafe read(queue.rawValue, &bytes, bytes.count) }
      var start = 0
      while start + Self.headLength <= count {
        let mask = Self.field(of: bytes, at: start + Self.maskOffset)
        // The watch was ended, or the directory was removed.
        if mask & UInt32(IN_IGNORED) != 0 { return false }
        start += Self.headLength + Int(Self.field(of: bytes, at: start + Self.nameLengthOffset))
      }
      return true
    }

    private static func field(of bytes: [UInt8], at offset: Int) -> UInt32 {
      unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      }
    }
  #endif
}

extension FileDescriptor {
  /// Lets some time pass.
  static func pause(_ duration: Duration) {
    _ = poll(nil, 0, duration.wholeMilliseconds)
  }
}

extension Duration {
  /// The duration in milliseconds, at least one and at most a million seconds.
  fileprivate var wholeMilliseconds: Int32 {
    Int32(min(max(self / .milliseconds(1), 1), 1e9))
  }
}
