/// PCG32 (XSH RR, 64 bits of state), with the integer sampling of Rust's `rand` 0.8.
///
/// It generates the workloads of rust_serialization_benchmark; only the same numbers in the same order make
/// the same records.
struct PermutedCongruentialGenerator {
  /// The generator that each published workload starts with.
  static var published: PermutedCongruentialGenerator {
    PermutedCongruentialGenerator(state: 3_141_592_653, stream: 5_897_932_384)
  }

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

  /// A number below a bound from 64-bit draws, as Rust samples an index.
  mutating func next64(below bound: UInt64) -> UInt64 {
    let zone = bound << UInt64(bound.leadingZeroBitCount) &- 1
    while true {
      let product = bound.multipliedFullWidth(by: nextUInt64())
      if product.low <= zone { return product.high }
    }
  }

  mutating func nextInt8() -> Int8 { Int8(truncatingIfNeeded: nextUInt32()) }

  mutating func nextUInt16() -> UInt16 { UInt16(truncatingIfNeeded: nextUInt32()) }

  mutating func nextInt32() -> Int32 { Int32(bitPattern: nextUInt32()) }

  mutating func nextInt64() -> Int64 { Int64(bitPattern: nextUInt64()) }

  /// A number of at least 0 and less than 1, from the upper 24 bits.
  mutating func nextFloat() -> Float { Float(nextUInt32() >> 8) * 0x1p-24 }

  /// A number of at least 0 and less than 1, from the upper 53 bits.
  mutating func nextDouble() -> Double { Double(nextUInt64() >> 11) * 0x1p-53 }

  /// A whole number in a range of less than 2^32 numbers.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next32(below: UInt32(range.count)))
  }

  /// True half of the time.
  mutating func nextBool() -> Bool { nextUInt64() < 1 << 63 }

  /// A value in half of the cases, else nil.
  mutating func optional<Wrapped>(
    _ make: (inout PermutedCongruentialGenerator) -> Wrapped
  ) -> Wrapped? {
    nextBool() ? make(&self) : nil
  }

  /// A list with less than `bound` elements; the length is drawn first.
  mutating func list<Element>(
    shorterThan bound: UInt64, _ make: (inout PermutedCongruentialGenerator) -> Element
  ) -> [Element] {
    let count = next64(below: bound)
    return (0..<count).map { _ in make(&self) }
  }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(next64(below: UInt64(list.count)))]
  }
}
