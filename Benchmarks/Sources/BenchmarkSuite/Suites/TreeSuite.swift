import BenchmarkHarness
import Foundation

/// 11,111 nested views with eight keys each, as objects with identity and as one value.
@MainActor
enum TreeSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let small = contenders(depth: 3)
    let quadratic = "1,111 objects, since its encoding is quadratic; no lazy reading"
    let smallTree =
      objects(small)
      + small.roundTrip(
        .nsKeyedArchiver, remark: quadratic, model: { CodedView($0) }, value: \.record,
        count: \.count, encode: { try KeyedArchiver.encode($0) },
        decode: { try KeyedArchiver.decode(CodedView.self, of: CodedView.classes, from: $0) })
    if extent == .quick {
      return smallTree + byHand(small) + values(small) + sealed(small) + reading(small)
    }
    let contenders = contenders(depth: 4)
    return objects(contenders) + byHand(contenders) + values(contenders)
      + contenders.copies(of: objectArchive)
      + contenders.codable() + contenders.protobuf() + sealed(contenders)
      + reading(contenders) + smallTree
      + objects(self.contenders(depth: 2)).withoutMemory
  }

  private static func contenders(depth: Int) -> Contenders<ViewRecord> {
    let count = TreeWorkload.count(depth: depth)
    return Contenders(
      .tree, size: count, items: count, value: { TreeWorkload.make(depth: depth) },
      payloadBytes: \.payloadSize)
  }

  private static func objectArchive(_ record: ViewRecord) throws -> [UInt8] {
    try ViewObject(record).archive()
  }

  private static func objects(_ contenders: Contenders<ViewRecord>) -> [Benchmark] {
    contenders.roundTrip(
      .keepsake, remark: "objects with identity", model: { ViewObject($0) }, value: \.record,
      count: \.count, encode: { try $0.archive() }, decode: { try ViewObject.unarchive($0) })
  }

  private static func byHand(_ contenders: Contenders<ViewRecord>) -> [Benchmark] {
    contenders.byHand(
      model: { ViewObject($0) }, value: \.record, archive: { try $0.archive() },
      encode: { HardTree.encode($0) }, decode: { try HardTree.decode($0) })
  }

  private static func values(_ contenders: Contenders<ViewRecord>) -> [Benchmark] {
    contenders.keepsake(
      variant: "values", remark: "one value, no identity", encode: { try $0.archive() },
      decode: { try ViewRecord(unarchiving: $0) })
  }

  private static func sealed(_ contenders: Contenders<ViewRecord>) -> [Benchmark] {
    contenders.sealed(
      encode: { try $0.archive() }, decode: { try ViewRecord(unarchiving: $0) })
  }

  private static func reading(_ contenders: Contenders<ViewRecord>) -> [Benchmark] {
    // The order of summation differs between the objects and the tree.
    func rounded(_ sum: Double) -> Int { Int((sum * 100).rounded()) }
    return [
      contenders.lazyRead(
        .keepsake, remark: "three of eight keys, opening included", encode: objectArchive,
        expected: { rounded($0.sum) }
      ) { rounded(try ViewObject.sumLazily($0)) },
      contenders.lazyRead(
        .json, remark: "has to decode all of it", encode: { try JSONEncoder().encode($0) },
        expected: { rounded($0.sum) }
      ) { rounded(try JSONDecoder().decode(ViewRecord.self, from: $0).sum) },
    ]
  }
}
