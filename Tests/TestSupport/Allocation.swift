import AllocationProbe

/// Counts in the allocator the memory that a piece of work takes; it measures neither time nor pages.
package enum Allocation {
  /// True when it can be counted: on Linux, without a sanitizer.
  package static let isCounted: Bool = {
    let canCount = keepsake_probe_begin() != 0
    _ = keepsake_probe_end()
    return canCount
  }()

  /// The most bytes that some work has allocated at one time, on the calling thread.
  ///
  /// - Parameter work: The work; it must not wait for other threads.
  /// - Returns: The bytes, above those that were allocated before it.
  package static func most(of work: () throws -> Void) rethrows -> Int {
    _ = keepsake_probe_begin()
    defer { _ = keepsake_probe_end() }
    try work()
    return Int(keepsake_probe_end())
  }

  /// The bytes of all allocations of some work on the calling thread, including those that it frees.
  package static func total(of work: () throws -> Void) rethrows -> Int {
    _ = keepsake_probe_begin()
    defer { _ = keepsake_probe_end() }
    try work()
    return Int(keepsake_probe_total())
  }
}
