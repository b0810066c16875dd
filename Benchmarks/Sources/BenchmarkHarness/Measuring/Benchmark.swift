/// One thing to measure.
@MainActor
package struct Benchmark {
  package var identity: BenchmarkIdentity

  /// How many elements one operation goes through, for times and allocations of one element; 1 when
  /// there is nothing to divide by.
  package var items: Int

  /// What the subject cannot do that Keepsake does here, for the table.
  package var remark: String?

  /// Whether peak memory is measured in a process of its own.
  package var measuresMemory: Bool

  /// The most memory that the last program had which the benchmark ran, for one whose work is done by
  /// other programs.
  package var memoryOfPrograms: (@MainActor () -> Int)?

  /// Whether allocations are counted; those of other processes are not seen.
  package var countsAllocations = true

  /// Whether the whole task is measured in a process that is bound to one core.
  package var isBoundToOneCore: Bool

  /// Makes the input, checks that the subject does its work right, and hands out the work.
  ///
  /// Nothing is made before a benchmark runs, so that one of them can be run alone.
  package var prepare: @MainActor () async throws -> PreparedBenchmark

  package init(
    _ identity: BenchmarkIdentity, items: Int = 1, remark: String? = nil,
    measuresMemory: Bool = true, isBoundToOneCore: Bool = false,
    prepare: @escaping @MainActor () async throws -> PreparedBenchmark
  ) {
    self.identity = identity
    self.items = items
    self.remark = remark
    self.measuresMemory = measuresMemory
    self.isBoundToOneCore = isBoundToOneCore
    self.prepare = prepare
  }
}
