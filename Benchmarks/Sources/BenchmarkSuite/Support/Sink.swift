import CProbe

/// Hides a value from the optimiser, so that the code that made it is not moved or removed.
@inline(never)
func consume<Value>(_ value: Value) {
  unsafe withUnsafePointer(to: value) { unsafe keepsake_benchmark_sink($0) }
}

/// Reused memory: while the clock runs, nothing is allocated and no page is touched for the first time.
@safe
final class ReusedMemory {
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  init(_ count: Int) {
    unsafe buffer = .allocate(capacity: count)
    unsafe buffer.initialize(repeating: 1)
  }

  deinit { unsafe buffer.deallocate() }

  /// Fills the memory from its start.
  func fill<Failure: Error>(
    _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    try body(&output)
    _ = unsafe output.finalize(for: buffer)
  }

  /// Passes the memory to C.
  func withPointer<Result>(_ body: (UnsafeMutablePointer<UInt8>?) -> Result) -> Result {
    unsafe body(buffer.baseAddress)
  }
}
