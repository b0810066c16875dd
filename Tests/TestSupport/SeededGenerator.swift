/// Random numbers from a seed (SplitMix64), so that a failed test can be repeated with the same numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// A number from zero, below a count above zero.
  package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// True for one of `count` calls on average.
  package mutating func chance(of count: Int) -> Bool { below(count) == 0 }
}
