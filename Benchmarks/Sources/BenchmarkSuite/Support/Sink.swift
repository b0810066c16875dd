import CProbe

/// Hides a value from the optimiser, so that what made it is not moved or left out.
@inline(never)
func consume<Value>(_ value: Value) {
  unsafe withUnsafePointer(to: value) { unsafe keepsake_benchmark_sink($0) }
}
