import BenchmarkHarness
import Foundation

/// Triangles of twelve numbers each: by default a tenth of the published 125,000, since the text
/// formats need seconds for all of them.
@MainActor
enum MeshSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let count =
      switch extent {
      case .quick: 1000
      case .standard: 12_500
      case .full, .scale: MeshWorkload.triangleCount
      }
    let contenders = Contenders(
      .mesh, size: count, items: count,
      value: { Mesh(triangles: Array(try MeshWorkload.make().triangles.prefix(count))) },
      payloadBytes: { $0.triangles.count * 48 })
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try Mesh(unarchiving: $0) })
      + contenders.roundTrip(
        .keepsake, variant: "packed", remark: "one list of all numbers",
        model: { Numbers(numbers: $0.numbers) }, value: { Mesh(numbers: $0.numbers) },
        count: \.count, encode: { try $0.archive() },
        decode: { try Numbers<Float>(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
      + contenders.rivals() + contenders.formats()
      + contenders.sealed(encode: { try $0.archive() }, decode: { try Mesh(unarchiving: $0) })
      + [
        contenders.lazyRead(
          .keepsake, remark: "opening included", encode: { try $0.archive() },
          expected: \.normalSum
        ) { try Mesh.sumNormalsLazily($0) },
        contenders.lazyRead(
          .json, remark: "has to decode all of it", encode: { try JSONEncoder().encode($0) },
          expected: \.normalSum
        ) { try JSONDecoder().decode(Mesh.self, from: $0).normalSum },
      ]
  }
}
