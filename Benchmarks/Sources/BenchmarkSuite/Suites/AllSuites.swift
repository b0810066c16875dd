import BenchmarkHarness

/// All benchmarks of an extent, in the order of the report.
@MainActor
enum AllSuites {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    if extent == .scale { return ScaleSuite.benchmarks() }
    return archive(extent) + SealSuite.benchmarks(extent) + StreamSuite.benchmarks(extent)
      + RangeSuite.benchmarks(extent) + RewrapSuite.benchmarks(extent)
      + WholeProcessSuite.benchmarks(extent) + StoreSuite.benchmarks(extent)
      + JournalSuite.benchmarks(extent) + RemoteSuite.benchmarks(extent)
      + RestorationSuite.benchmarks(extent) + MigrationSuite.benchmarks(extent)
      + CommandSuite.benchmarks(extent)
  }

  private static func archive(_ extent: Options.Extent) -> [Benchmark] {
    LogSuite.benchmarks(extent) + MeshSuite.benchmarks(extent)
      + MinecraftSuite.benchmarks(extent) + MediaSuite.benchmarks(extent)
      + EverydaySuite.benchmarks(extent)
      + NumbersSuite.benchmarks(extent) + TreeSuite.benchmarks(extent)
      + GraphSuite.benchmarks(extent) + StringsSuite.benchmarks(extent)
      + BlobSuite.benchmarks(extent) + KeySuite.benchmarks(extent)
      + RandomAccessSuite.benchmarks(extent) + ColdFileSuite.benchmarks(extent)
      + DynamicSuite.benchmarks(extent) + ArchiveStreamSuite.benchmarks(extent)
      + ImportSuite.benchmarks(extent)
      + (extent == .quick ? [] : LogSuite.growth(extent))
  }
}
