import BenchmarkHarness

/// The 125,000 triangles of the `mesh` workload, checked against their published hash.
enum MeshWorkload {
  static let triangleCount = 125_000

  static func make() throws -> Mesh {
    var random = PermutedCongruentialGenerator.published
    let count = triangleCount + Int(random.next64(below: 1))
    var triangles: [Mesh.Triangle] = []
    triangles.reserveCapacity(count)
    for _ in 0..<count {
      let v0 = vector(&random)
      let v1 = vector(&random)
      let v2 = vector(&random)
      triangles.append(Mesh.Triangle(v0: v0, v1: v1, v2: v2, normal: vector(&random)))
    }
    let mesh = Mesh(triangles: triangles)
    let bytes = mesh.numbers.flatMap { number in
      let bits = number.bitPattern
      return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
    }
    let hash = Digest.sha256(bytes)
    try check(
      bytes.count == 6_000_000 && hash.hasPrefix("5fba479de61c1c92") && hash.hasSuffix("3492b9"),
      "The mesh workload differs from the published one.")
    return mesh
  }

  private static func vector(_ random: inout PermutedCongruentialGenerator) -> Mesh.Vector {
    let x = random.nextFloat()
    let y = random.nextFloat()
    return Mesh.Vector(x: x, y: y, z: random.nextFloat())
  }
}
