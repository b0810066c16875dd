/// The 500 polygons of the `rings` workload: 3 to 400 points in degrees with six decimals, each a short
/// distance from the previous one.
enum RingsWorkload {
  static let ringCount = 500

  static func make() throws -> Rings {
    var random = PermutedCongruentialGenerator(state: 20_260_101, stream: 1)
    let rings = Rings(rings: (0..<ringCount).map { _ in ring(&random) })
    try facts.verify(rings)
    return rings
  }

  private static let facts = WorkloadFacts(
    byteCount: 2_043_058,
    hash: "1b6148050d435d799185c5be3aec21f7e0506b01b71916b3a8f4d06259607852")

  private static func ring(_ random: inout PermutedCongruentialGenerator) -> Rings.Ring {
    let count = 3 + random.next32(below: 398)
    // Millionths of a degree.
    var x = random.number(-179_000_000...179_000_000)
    var y = random.number(-84_000_000...84_000_000)
    let points = (0..<count).map { _ in
      x += random.number(-2000...2000)
      y += random.number(-2000...2000)
      return Rings.Point(x: Double(x) / 1e6, y: Double(y) / 1e6)
    }
    return Rings.Ring(points: points)
  }
}
