import BenchmarkHarness
import KeepsakeArchive
import KeepsakeRestoration
import KeepsakeTesting

/// Saves and restores an interface of several sizes, with eight keys in each node, into and from memory; for
/// comparison, the same values in the archive alone.
@MainActor
enum RestorationSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [100]
      case .standard: [100, 1000, 10_000]
      case .full, .scale: [100, 1000, 10_000, 100_000]
      }
    return sizes.flatMap { count in
      let all = saving(count) + restoring(count) + (count == 1000 ? savedProperties(count) : [])
      return count >= 10_000 ? all : all.withoutMemory
    }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ count: Int, variant: String? = nil
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.restoration, .tree, operation, .keepsake, variant: variant, size: count)
  }

  private static func saving(_ count: Int) -> [Benchmark] {
    [
      Benchmark(identity(.save, count), items: count, remark: "the engine, its report included") {
        let app = BenchmarkApp(root: BenchmarkNode(NodeTree.make(count)))
        let store = InMemoryStateStore()
        let coordinator = try BenchmarkApp.coordinator(store)
        await coordinator.prepare()
        try await coordinator.save(app)
        return PreparedBenchmark(bytesOut: store.archive?.count) { iterations in
          for _ in 0..<iterations { consume(try await coordinator.save(app)) }
        }
      },
      Benchmark(
        identity(.save, count, variant: "archive alone"), items: count,
        remark: "the same values, plain encoding"
      ) {
        let root = PlainNode(NodeTree.make(count))
        return PreparedBenchmark(bytesOut: try Archive.encode(root).count) { iterations in
          for _ in 0..<iterations { consume(try Archive.encode(root)) }
        }
      },
    ]
  }

  private static func restoring(_ count: Int) -> [Benchmark] {
    [
      Benchmark(identity(.restore, count), items: count, remark: "the engine, its report included")
      {
        let tree = NodeTree.make(count)
        let archive = try await savedArchive(of: BenchmarkNode(tree))
        let restored = try await restoredApp(from: archive)
        try check(restored.root?.tree == tree, "the interface that was restored is another one.")
        return PreparedBenchmark(bytesIn: archive.count) { iterations in
          for _ in 0..<iterations { consume(try await restoredApp(from: archive)) }
        }
      },
      Benchmark(
        identity(.restore, count, variant: "archive alone"), items: count,
        remark: "the same values, plain decoding"
      ) {
        let tree = NodeTree.make(count)
        let archive = try Archive.encode(PlainNode(tree))
        try check(try PlainNode.unarchive(archive).tree == tree, "the values are other ones.")
        return PreparedBenchmark(bytesIn: archive.count) { iterations in
          for _ in 0..<iterations { consume(try PlainNode.unarchive(archive)) }
        }
      },
    ]
  }

  /// The same nodes with saved properties, which reflection finds when an object is first saved by any state.
  private static func savedProperties(_ count: Int) -> [Benchmark] {
    [
      Benchmark(
        identity(.save, count, variant: "saved properties"), items: count,
        remark: "every save after the first one"
      ) {
        let app = BenchmarkApp(root: SavedNode(NodeTree.make(count)))
        let store = InMemoryStateStore()
        let coordinator = try BenchmarkApp.coordinator(store)
        await coordinator.prepare()
        try await coordinator.save(app)
        return PreparedBenchmark(bytesOut: store.archive?.count) { iterations in
          for _ in 0..<iterations { consume(try await coordinator.save(app)) }
        }
      },
      Benchmark(
        identity(.save, count, variant: "saved properties, first save"), items: count,
        remark: "the first save of a state; another state has saved the objects before"
      ) {
        let app = BenchmarkApp(root: SavedNode(NodeTree.make(count)))
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            let coordinator = try BenchmarkApp.coordinator(InMemoryStateStore())
            await coordinator.prepare()
            consume(try await coordinator.save(app))
          }
        }
      },
      Benchmark(
        identity(.save, count, variant: "saved properties, new objects"), items: count,
        remark: "with making the objects, and with the reflection of each of them"
      ) {
        let tree = NodeTree.make(count)
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            let app = BenchmarkApp(root: SavedNode(tree))
            let coordinator = try BenchmarkApp.coordinator(InMemoryStateStore())
            await coordinator.prepare()
            consume(try await coordinator.save(app))
          }
        }
      },
      Benchmark(
        identity(.restore, count, variant: "saved properties"), items: count,
        remark: "with the reflection of the first object"
      ) {
        let tree = NodeTree.make(count)
        let archive = try await savedArchive(of: SavedNode(tree))
        let restored = try await restoredApp(from: archive)
        try check(
          restored.savedRoot?.tree == tree, "the interface that was restored is another one.")
        return PreparedBenchmark(bytesIn: archive.count) { iterations in
          for _ in 0..<iterations { consume(try await restoredApp(from: archive)) }
        }
      },
    ]
  }

  private static func savedArchive(of root: any RestorableNode) async throws -> [UInt8] {
    let store = InMemoryStateStore()
    let coordinator = try BenchmarkApp.coordinator(store)
    await coordinator.prepare()
    try await coordinator.save(BenchmarkApp(root: root))
    guard let archive = store.archive else {
      throw CheckFailure(description: "nothing was saved.")
    }
    return archive
  }

  private static func restoredApp(from archive: [UInt8]) async throws -> BenchmarkApp {
    let coordinator = try BenchmarkApp.coordinator(InMemoryStateStore(archive: archive))
    let app = BenchmarkApp()
    let report = await coordinator.launch(app)
    try check(report.outcome == .restored, "the interface was not restored: \(report)")
    return app
  }
}
