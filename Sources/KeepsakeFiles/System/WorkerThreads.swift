#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Threads that are started for one piece of work and end with it.
///
/// Threads of Dispatch are not used: they need file descriptors, and the process ends when none is left
/// (Spec/Decisions/threads.md).
package enum WorkerThreads {
  #if canImport(Darwin)
    private typealias Thread = pthread_t?
  #else
    private typealias Thread = pthread_t
  #endif

  /// Runs `body` on the calling thread and on up to `count - 1` more, and returns when all are done.
  ///
  /// The system may give fewer threads. So each call of `body` takes shares of the work until no work is
  /// left.
  package static func perform(_ count: Int, _ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { perform(count, Job($0)) }
  }

  /// Runs `body` on a new thread; false when the system cannot start one.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    withoutSignals {
      guard let thread = start(Job(body)) else { return false }
      detach(thread)
      return true
    }
  }

  /// Runs `body` on a new thread; throws when the system cannot start one.
  package static func begin(_ body: @escaping @Sendable () -> Void) throws(FileError) {
    guard start(body) else {
      throw FileError(SystemFailure(call: "pthread_create", number: EAGAIN), path: nil)
    }
  }

  private static func perform(_ count: Int, _ job: Job) {
    let threads = withoutSignals {
      var threads: [Thread] = []
      while threads.count < count - 1, let thread = start(job) { threads.append(thread) }
      return threads
    }
    job.body()
    for thread in threads { join(thread) }
  }

  /// Calls `body` with all signals blocked.
  ///
  /// Threads that `body` starts inherit this, so only the program's own threads handle signals.
  private static func withoutSignals<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  private static func detach(_ thread: Thread) {
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  private static func start(_ job: Job) -> Thread? {
    #if canImport(Darwin)
      var thread: Thread = nil
    #else
      var thread = Thread()
    #endif
    let retained = unsafe Unmanaged.passRetained(job)
    let result = unsafe pthread_create(&thread, nil, runJob, retained.toOpaque())
    guard result == 0 else {
      unsafe retained.release()
      return nil
    }
    return thread
  }

  private static func join(_ thread: Thread) {
    #if canImport(Darwin)
      if let thread { pthread_join(thread, nil) }
    #else
      pthread_join(thread, nil)
    #endif
  }
}

/// The work of a thread, as an object that `pthread_create` can pass on.
private final class Job: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The entry point of a new thread.
private func runJob(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument {
    unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
  }
  return nil
}

package enum CurrentThread {
  /// The size of the thread's stack in bytes; nil when the system does not tell it.
  ///
  /// For the first thread the C library reads the list of all mappings, so each thread caches the answer.
  package static var stackByteCount: Int? {
    guard let stackKey else { return findStackByteCount() }
    if let known = unsafe pthread_getspecific(stackKey) { return Int(bitPattern: known) }
    let count = findStackByteCount()
    unsafe pthread_setspecific(stackKey, count.flatMap { unsafe UnsafeRawPointer(bitPattern: $0) })
    return count
  }

  private static let stackKey: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  private static func findStackByteCount() -> Int? {
    #if canImport(Darwin)
      return pthread_get_stacksize_np(pthread_self())
    #else
      // The header hides the function from programs that do not enable GNU extensions.
      typealias Query =
        @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
      guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
      let query = unsafe unsafeBitCast(symbol, to: Query.self)
      var attributes = pthread_attr_t()
      guard unsafe query(pthread_self(), &attributes) == 0 else { return nil }
      defer { unsafe pthread_attr_destroy(&attributes) }
      var count = 0
      return unsafe pthread_attr_getstacksize(&attributes, &count) == 0 ? count : nil
    #endif
  }

  /// A number that is unique among the living threads.
  package static var identifier: UInt64 {
    #if canImport(Darwin)
      return UInt64(pthread_mach_thread_np(pthread_self()))
    #elseif canImport(Musl)
      return unsafe UInt64(UInt(bitPattern: pthread_self()))
    #else
      return UInt64(pthread_self())
    #endif
  }
}
