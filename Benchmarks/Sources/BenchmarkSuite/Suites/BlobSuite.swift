import BenchmarkHarness

/// 64 MiB of bytes that are nothing but bytes.
@MainActor
enum BlobSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let size = extent == .quick ? 1 << 20 : 64 << 20
    let contenders = Contenders(
      .blob, size: size, items: 1, value: { NamedBlob(byteCount: size) },
      payloadBytes: \.contents.count)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try NamedBlob(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
  }
}
