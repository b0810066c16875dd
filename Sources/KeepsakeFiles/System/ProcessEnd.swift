#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

/// Reacts to the end of this process: to the signals that request it, and to a normal exit.
package enum ProcessEnd {
  /// The signals that ask a process to end: from the system, from ^C, and from a terminal that has closed.
  package static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// Whether the user sends this signal, by ^C.
  package static func isOfUser(_ number: Int32) -> Bool { number == SIGINT }

  /// Identifies a function that is called at a signal, until ``endWatch(_:)``.
  package struct SignalWatch: Equatable, Sendable {
    fileprivate let number: Int
  }

  /// Calls a function at each of ``signals``, before the signal's default action, which ends the process.
  ///
  /// A signal that the program already handles or ignores is left to it. The function is called with the number of the
  /// signal, on a thread of its own, where it may block. It returns whether the process may end now; when all functions
  /// have returned true, the default action follows. A function that comes first is called before those of earlier
  /// watches, and must not wait.
  @discardableResult
  package static func watchSignals(
    comesFirst: Bool = false, _ work: @escaping @Sendable (Int32) -> Bool
  ) throws(FileError) -> SignalWatch {
    try watches.withLock { watches throws(FileError) in
      try watches.begin()
      let watch = SignalWatch(number: watches.nextNumber)
      watches.nextNumber += 1
      watches.works.insert((watch, work), at: comesFirst ? 0 : watches.works.count)
      for number in signals where handler(of: number) == .effect { _ = signal(number, notice) }
      return watch
    }
  }

  /// Ends a watch; after the last one the signals have their default actions again.
  package static func endWatch(_ watch: SignalWatch) {
    watches.withLock { watches in
      watches.works.removeAll { $0.watch == watch }
      guard watches.works.isEmpty else { return }
      for number in signals where handler(of: number) == .notice { _ = signal(number, SIG_DFL) }
    }
  }

  /// The functions to call at a signal.
  fileprivate struct Watches {
    var works: [(watch: SignalWatch, work: @Sendable (Int32) -> Bool)] = []
    var nextNumber = 0
    private var hasThread = false

    /// Starts the thread that waits for signals, once in a process.
    mutating func begin() throws(FileError) {
      guard !hasThread else { return }
      let (input, output) = try callingSystem { () throws(SystemFailure) in try makePair() }
      noticeDescriptor.store(output, ordering: .sequentiallyConsistent)
      do throws(FileError) {
        try WorkerThreads.begin {
          while let number = nextSignal(from: input) { ProcessEnd.end(by: number) }
        }
      } catch {
        close(input)
        close(output)
        throw error
      }
      hasThread = true
    }
  }

  private static func end(by number: Int32) {
    var mayEnd = true
    for work in watches.withLock({ $0.works.map(\.work) }) where !work(number) { mayEnd = false }
    if mayEnd { raise(number) }
  }

  /// Restores the default action of a signal and raises it, so that the exit status shows it.
  ///
  /// When the signal has no effect, as on the first process of a container, the process exits with the status
  /// that shells use for a signal.
  package static func raise(_ number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_kill(pthread_self(), number)
    _exit(128 + number)
  }

  /// Calls a function when the main function returns or `exit` is called, on the thread that exits.
  package static func atNormalExit(_ work: @escaping @Sendable () -> Void) {
    exitWork.withLock { $0.append(work) }
    if !isExitWatched.exchange(true, ordering: .sequentiallyConsistent) {
      _ = atexit { for work in exitWork.withLock({ $0 }) { work() } }
    }
  }

  private enum Handler {
    /// The signal has its default action.
    case effect
    /// ``notice(_:)`` handles the signal.
    case notice
    /// The program handles or ignores it.
    case program
  }

  private static func handler(of number: Int32) -> Handler {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return .program }
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    guard let handler else { return .effect }
    let own: @convention(c) (Int32) -> Void = notice
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(own, to: Int.self)
      ? .notice : .program
  }

  /// A pair of sockets; writing to the output never blocks, since the signal handler does it.
  ///
  /// A pipe would be unsafe: another part of the process could reopen it by its path, /dev/fd/3, and read the signals.
  private static func makePair() throws(SystemFailure) -> (input: Int32, output: Int32) {
    #if canImport(Glibc)
      let kind = Int32(bitPattern: SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    var ends: [Int32] = [-1, -1]
    try retrying("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
    for end in ends { try retrying("fcntl") { fcntl(end, F_SETFD, FD_CLOEXEC) } }
    try retrying("fcntl") { fcntl(ends[1], F_SETFL, O_NONBLOCK) }
    return (ends[0], ends[1])
  }

  private static func nextSignal(from input: Int32) -> Int32? {
    var byte: UInt8 = 0
    let count = try? retrying("read") { unsafe read(input, &byte, 1) }
    return count == 1 ? Int32(byte) : nil
  }
}

/// The descriptor that ``notice(_:)`` writes to; -1 before the first watch.
private let noticeDescriptor = Atomic<Int32>(-1)
private let watches = Mutex(ProcessEnd.Watches())
private let exitWork = Mutex<[@Sendable () -> Void]>([])
private let isExitWatched = Atomic(false)

/// The signal handler.
///
/// It can run at any moment, so it may only write.
private func notice(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = unsafe write(noticeDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = before
}
