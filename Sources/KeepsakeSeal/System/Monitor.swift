#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A value that one thread at a time can get at, and whose changes others can wait for.
///
/// It is made of the system's own mutex and condition, which thread sanitizers understand; they take
/// the standard library's for none at all.
@safe
final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// Not a stored value: each use of one would be checked for another at the same time, which the mutex
  /// rules out.
  private let state: UnsafeMutablePointer<State>
  /// How many threads wait; guarded by the mutex.
  private let waiterCount: UnsafeMutablePointer<Int>

  init(_ state: sending State) {
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
    unsafe waiterCount = .allocate(capacity: 1)
    unsafe waiterCount.initialize(to: 0)
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe waiterCount.deallocate()
  }

  /// Works on the value; those who wait look at it again afterwards.
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      if unsafe waiterCount.pointee > 0 { unsafe pthread_cond_broadcast(condition) }
      unsafe pthread_mutex_unlock(mutex)
    }
    return try unsafe body(&state.pointee)
  }

  /// Sleeps until the value is as wanted.
  func wait(until isWanted: (State) -> Bool) {
    unsafe pthread_mutex_lock(mutex)
    unsafe waiterCount.pointee += 1
    while unsafe !isWanted(state.pointee) { unsafe pthread_cond_wait(condition, mutex) }
    unsafe waiterCount.pointee -= 1
    unsafe pthread_mutex_unlock(mutex)
  }
}
