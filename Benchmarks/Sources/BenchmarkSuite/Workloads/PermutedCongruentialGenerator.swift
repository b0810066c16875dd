/// PCG32 (XSH RR, 64 bits of state), with the integer sampling of Rust's `rand` 0.8.
///
/// The workloads of rust_serialization_benchmark come from it; only the same numbers in the same
/// order make the same records.
struct PermutedCongruentialGenerator {
  private var state: UInt64
  private let increment: UInt64

  init(state: UInt64, stream: UInt64) {
    increment = stream << 1 | 1
    self.state = state &+ increment
    step()
  }

  private mutating func step() {
    state = state &* 6_364_136_223_846_793_005 &+ increment
  }

  mutating func nextUInt32() -> UInt32 {
    let old = state
    step()
    let mixed = UInt32(truncatingIfNeeded: ((old >> 18) ^ old) >> 27)
    let turns = UInt32(old >> 59)
    return mixed >> turns | mixed << ((32 &- turns) & 31)
  }

  /// Two words, the low one first.
  mutating func nextUInt64() -> UInt64 {
    let low = UInt64(nextUInt32())
    return UInt64(nextUInt32()) << 32 | low
  }

  mutating func nextUInt8() -> UInt8 {
    UInt8(truncatingIfNeeded: nextUInt32())
  }

  /// A number below a bound from 32-bit draws: a widening product, and rejection above a zone.
  mutating func next32(below bound: UInt32) -> UInt32 {
    let zone = bound << UInt32(bound.leadingZeroBitCount) &- 1
    while true {
      let product = bound.multipliedFullWidth(by: nextUInt32())
      if product.low <= zone { return product.high }
    }
  }

  /// The same from 64-bit draws, as Rust samples an index.
  mutating func next64(below bound: UInt64) -> UInt64 {
    let zone = bound << UInt64(bound.leadingZeroBitCount) &- 1
    while true {
      let product = bound.multipliedFullWidth(by: nextUInt64())
      if product.low <= zone { return product.high }
    }
  }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(next64(below: UInt64(list.count)))]
  }
}
