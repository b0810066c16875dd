#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A value behind a lock; threads can wait until it changes.
///
/// It uses the system's mutex and condition variable, because thread sanitizers do not know the mutex of the
/// standard library.
@safe
package final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// The value, behind a pointer: Swift would check each access to a stored property for exclusivity, which the
  /// mutex already ensures.
  private let state: UnsafeMutablePointer<State>
  /// The number of waiting threads; guarded by the mutex.
  private let waiterCount: UnsafeMutablePointer<Int>

  package init(_ state: sending State) {
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

  /// Calls `body` with the value, then wakes the threads that wait for it to change.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      if unsafe waiterCount.pointee > 0 { unsafe pthread_cond_broadcast(condition) }
      unsafe pthread_mutex_unlock(mutex)
    }
    return try unsafe body(&state.pointee)
  }

  /// Sleeps until `isWanted` holds for the value.
  package func wait(until isWanted: (State) -> Bool) {
    unsafe pthread_mutex_lock(mutex)
    unsafe waiterCount.pointee += 1
    while unsafe !isWanted(state.pointee) { unsafe pthread_cond_wait(condition, mutex) }
    unsafe waiterCount.pointee -= 1
    unsafe pthread_mutex_unlock(mutex)
  }
}
