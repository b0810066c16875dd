import Foundation

/// Measures the benchmarks of one task in turns, so that a slow moment of the machine affects all of them.
@MainActor
package struct Harness {
  /// Counts the allocations of one call.
  package typealias AllocationCounter =
    @MainActor (
      _ body: @MainActor () async throws -> Void
    ) async throws -> Int?

  package var plan: SamplingPlan
  package var countAllocations: AllocationCounter

  package init(
    plan: SamplingPlan,
    countAllocations: @escaping AllocationCounter = { body in
      try await body()
      return nil
    }
  ) {
    self.plan = plan
    self.countAllocations = countAllocations
  }

  private struct Contender {
    var benchmark: Benchmark
    var prepared: PreparedBenchmark
    var iterations: Int
    var sampleCount: Int
    var allocations: Int?
    var samples = Samples()
    /// The processor time of all cores for all samples, in nanoseconds.
    var processorTime = 0.0
  }

  /// Prepares all benchmarks of a task, then samples them in turns.
  package func measure(_ task: [Benchmark]) async throws -> [ResultRow] {
    var contenders: [Contender] = []
    for benchmark in task {
      contenders.append(try await contender(benchmark))
    }
    defer { contenders.forEach { $0.prepared.finish() } }
    let rounds = contenders.map(\.sampleCount).max() ?? 0
    for round in 0..<rounds {
      for index in contenders.indices
      where Self.takesPart(contenders[index].sampleCount, in: round, of: rounds) {
        let begin = clock()
        let sample = try await time(contenders[index].prepared, contenders[index].iterations)
        contenders[index].processorTime += Double(clock() - begin) * 1e9 / Double(CLOCKS_PER_SEC)
        contenders[index].samples.nanoseconds.append(
          sample / Double(contenders[index].iterations)
            / Double(contenders[index].prepared.operationsPerIteration))
      }
    }
    return contenders.map(row)
  }

  /// Spreads fewer samples evenly over all rounds.
  package static func takesPart(_ count: Int, in round: Int, of rounds: Int) -> Bool {
    (round + 1) * count / rounds > round * count / rounds
  }

  private func contender(_ benchmark: Benchmark) async throws -> Contender {
    let prepared: PreparedBenchmark
    do {
      prepared = try await benchmark.prepare()
      let (iterations, batchTime, allocations) = try await calibrate(
        prepared, counts: benchmark.countsAllocations)
      return Contender(
        benchmark: benchmark, prepared: prepared, iterations: iterations,
        sampleCount: plan.sampleCount(batchTime: batchTime),
        allocations: allocations.map { $0 / prepared.operationsPerIteration })
    } catch {
      throw CheckFailure(description: "\(benchmark.identity): \(error)")
    }
  }

  /// Grows the batch until it is long enough, which also warms up.
  ///
  /// Allocations are those of the last call of one iteration, since earlier calls make what is made only
  /// once. A long call is not repeated for that.
  private func calibrate(
    _ prepared: PreparedBenchmark, counts: Bool
  ) async throws -> (iterations: Int, batchTime: Double, allocations: Int?) {
    var first = 0.0
    let allocations = try await counted(counts) { first = try await time(prepared, 1) }
    if first >= plan.sampleTime { return (1, first, allocations) }
    var count = 1
    var batchTime = first
    while batchTime < plan.sampleTime, count < 1 << 30 {
      // Approaches the aim, but does not overshoot because of one short batch.
      let aim = plan.sampleTime / max(batchTime, 1) * Double(count)
      count = min(max(count * 2, Int(aim)), count * 16)
      batchTime = try await time(prepared, count)
    }
    let warm = try await counted(counts) { try await prepared.run(iterations: 1) }
    return (count, batchTime, warm)
  }

  private func counted(
    _ counts: Bool, _ body: @MainActor () async throws -> Void
  ) async throws -> Int? {
    if counts { return try await countAllocations(body) }
    try await body()
    return nil
  }

  private func time(_ prepared: PreparedBenchmark, _ iterations: Int) async throws -> Double {
    let clock = ContinuousClock()
    let begin = clock.now
    try await prepared.run(iterations: iterations)
    return begin.duration(to: clock.now) / .nanoseconds(1)
  }

  private func row(_ contender: Contender) -> ResultRow {
    var row = ResultRow(contender.benchmark.identity, items: contender.benchmark.items)
    row.remark = contender.prepared.remark ?? contender.benchmark.remark
    row.medianNanoseconds = contender.samples.median
    row.minimumNanoseconds = contender.samples.quantile(0)
    row.p90Nanoseconds = contender.samples.quantile(0.9)
    row.p10Nanoseconds = contender.samples.quantile(0.1)
    row.p99Nanoseconds = contender.samples.p99
    row.samples = contender.samples.count
    let operations =
      contender.samples.count * contender.iterations * contender.prepared.operationsPerIteration
    row.processorNanoseconds = contender.processorTime / Double(max(operations, 1))
    row.bytesIn = contender.prepared.bytesIn
    row.bytesOut = contender.prepared.bytesOut
    row.compressedBytes = contender.prepared.compressedBytes
    row.allocations = contender.allocations
    return row
  }
}
