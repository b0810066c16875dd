import BenchmarkHarness
import Testing

@Suite struct `Samples of a benchmark` {
  @Test func `The median is the middle sample, or halfway between the middle two`() {
    #expect(Samples([3, 1, 2]).median == 2)
    #expect(Samples([4, 1, 2, 3]).median == 2.5)
    #expect(Samples().median == nil)
  }

  @Test func `Quantiles are between the least and the greatest sample`() {
    let samples = Samples((0...10).map(Double.init))
    #expect(samples.quantile(0) == 0)
    #expect(samples.quantile(0.9) == 9)
    #expect(samples.quantile(1) == 10)
    #expect(Samples([7]).quantile(0.9) == 7)
  }

  @Test func `A benchmark has a 99th percentile if it has at least a hundred samples`() {
    #expect(Samples((0..<99).map(Double.init)).p99 == nil)
    #expect(Samples((0...100).map(Double.init)).p99 == 99)
    #expect(Samples((0..<100).map(Double.init)).p99.map { $0 > 98 && $0 < 99 } == true)
  }

  @Test func `The number of samples depends on the time, within bounds`() {
    var plan = SamplingPlan(.standard)
    (plan.totalTime, plan.minimumSamples, plan.maximumSamples) = (100, 3, 20)
    #expect(plan.sampleCount(batchTime: 10) == 10)
    #expect(plan.sampleCount(batchTime: 1000) == 3)
    #expect(plan.sampleCount(batchTime: 0) == 20)
  }
}
