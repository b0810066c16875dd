import CProbe

/// Measures a piece of work through the allocator and the kernel.
@MainActor
enum Probe {
  /// The allocations of all threads while `body` runs; nil when they cannot be counted.
  static func allocations(_ body: @MainActor () async throws -> Void) async throws -> Int? {
    guard keepsake_benchmark_begin_counting() != 0 else {
      try await body()
      return nil
    }
    do {
      try await body()
    } catch {
      _ = keepsake_benchmark_end_counting()
      throw error
    }
    return Int(keepsake_benchmark_end_counting())
  }

  /// The memory of the process before `body`, and its peak while `body` ran.
  static func memory(
    _ body: @MainActor () async throws -> Void
  ) async throws -> (base: Int, peak: Int)? {
    let base = keepsake_benchmark_begin_memory()
    try await body()
    let peak = keepsake_benchmark_peak_memory()
    return base >= 0 && peak >= 0 ? (Int(base), Int(peak)) : nil
  }
}

/// The compiler that built the suite.
enum Compiler {
  static var name: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }
}
