#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The thread that runs the code.
enum CurrentThread {
  /// A number that no other living thread has.
  static var identifier: UInt64 {
    #if canImport(Darwin)
      return UInt64(pthread_mach_thread_np(pthread_self()))
    #elseif canImport(Musl)
      return unsafe UInt64(UInt(bitPattern: pthread_self()))
    #else
      return UInt64(pthread_self())
    #endif
  }
}
