#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lets a thread sleep until another one has got on; signals that nobody waits for are kept.
@safe
final class ThreadSignal: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var count = 0

  init() {
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
  }

  func signal() {
    unsafe pthread_mutex_lock(mutex)
    count += 1
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Returns at once when there was a signal since the last wait.
  func wait() {
    unsafe pthread_mutex_lock(mutex)
    while count == 0 { unsafe pthread_cond_wait(condition, mutex) }
    count -= 1
    unsafe pthread_mutex_unlock(mutex)
  }
}
