/// An order that a seed decides.
///
/// It depends on the identity of each mutant and not on their number. So every machine chooses the same mutants, and
/// a change of the sources or of the list of equivalent mutants does not change the choice elsewhere.
struct SeededOrder {
  let seed: UInt64

  func sorted(_ mutants: [Mutant]) -> [Mutant] {
    let ranks = mutants.map { mutant in
      EquivalentList.identity(of: mutant).reduce(mix(seed)) { hash, line in
        line.utf8.reduce(mix(hash)) { mix($0 ^ UInt64($1)) }
      }
    }
    return mutants.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { mutants[$0] }
  }

  /// A step of SplitMix64.
  private func mix(_ state: UInt64) -> UInt64 {
    var value = state &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
