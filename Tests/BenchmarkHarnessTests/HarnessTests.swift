import BenchmarkHarness
import Testing

@Suite @MainActor struct `The harness` {
  /// A plan for which every call is long enough.
  private var plan: SamplingPlan {
    var plan = SamplingPlan(.quick)
    (plan.sampleTime, plan.totalTime, plan.minimumSamples, plan.maximumSamples) = (0, 0, 3, 3)
    return plan
  }

  private func benchmark(
    _ subject: Subject, operations: Int = 1, _ body: @escaping (Int) throws -> Void
  ) -> Benchmark {
    Benchmark(BenchmarkIdentity(.archive, .log, .encode, subject), items: 5) {
      PreparedBenchmark(
        bytesIn: 10, bytesOut: 20, operationsPerIteration: operations, body)
    }
  }

  @Test func `The harness prepares all contenders before it samples them in turns`() async throws {
    var calls: [String] = []
    let rows = try await Harness(plan: plan).measure([
      benchmark(.keepsake) { _ in calls.append("a") },
      benchmark(.json) { _ in calls.append("b") },
    ])
    #expect(calls == ["a", "b", "a", "b", "a", "b", "a", "b"])
    #expect(rows.map(\.samples) == [3, 3])
    #expect(rows.map(\.identity.subject) == [.keepsake, .json])
    #expect(rows[0].bytesIn == 10 && rows[0].bytesOut == 20 && rows[0].items == 5)
    #expect(rows[0].medianNanoseconds != nil && rows[0].minimumNanoseconds != nil)
  }

  @Test func `The harness grows a batch until it takes long enough`() async throws {
    var plan = plan
    plan.sampleTime = 50_000
    var batches: [Int] = []
    _ = try await Harness(plan: plan).measure([benchmark(.keepsake) { batches.append($0) }])
    let growing = batches.dropFirst().prefix { $0 != 1 }
    #expect(batches.first == 1 && growing.count > 1)
    #expect(zip(growing, growing.dropFirst()).allSatisfy { $0 < $1 })
    // One more call counts allocations; the samples follow, all of the largest batch.
    #expect(
      batches.suffix(3) == [growing.last, growing.last, growing.last].compactMap(\.self)[...])
  }

  @Test func `The harness spreads fewer samples evenly over the rounds`() async throws {
    var slow = plan
    (slow.totalTime, slow.minimumSamples, slow.maximumSamples) = (1e18, 1, 8)
    #expect((0..<8).filter { Harness.takesPart(2, in: $0, of: 8) } == [3, 7])
    #expect((0..<8).filter { Harness.takesPart(8, in: $0, of: 8) }.count == 8)
    #expect((0..<7).filter { Harness.takesPart(3, in: $0, of: 7) }.count == 3)
  }

  @Test func `The harness divides figures by the operations of an iteration`() async throws {
    let harness = Harness(plan: plan) { body in
      try await body()
      return 1200
    }
    let rows = try await harness.measure([benchmark(.keepsake, operations: 12) { _ in }])
    #expect(rows[0].allocations == 100)
  }

  @Test func `The harness counts no allocations for a benchmark that excludes them`() async throws {
    var quiet = benchmark(.keepsake) { _ in }
    quiet.countsAllocations = false
    let harness = Harness(plan: plan) { _ in 7 }
    #expect(try await harness.measure([quiet])[0].allocations == nil)
  }

  @Test func `The harness says which benchmark failed`() async {
    struct Broken: Error {}
    let failure = await #expect(throws: CheckFailure.self) {
      try await Harness(plan: plan).measure([benchmark(.age) { _ in throw Broken() }])
    }
    #expect(failure?.description.hasPrefix("archive/log/encode age: Broken") == true)
  }

  @Test func `The harness cleans up after a task`() async throws {
    var cleaned = 0
    let identity = BenchmarkIdentity(.store, .state, .save, .keepsake)
    let benchmark = Benchmark(identity) {
      PreparedBenchmark(finish: { cleaned += 1 }, asynchronous: { _ in })
    }
    _ = try await Harness(plan: plan).measure([benchmark])
    #expect(cleaned == 1)
  }
}
