import BenchmarkHarness
import Testing

@Suite struct `Comparing with a baseline` {
  private let before = [
    ResultRow.log(median: 1000, bytesOut: 500, allocations: 100),
    ResultRow.log(.encode, .json, median: 1000, bytesOut: 500, allocations: 100),
  ]

  private func outcome(
    _ rows: [ResultRow], threshold: Double = 10, comparesTimes: Bool = true
  ) -> BaselineComparison.Outcome {
    BaselineComparison(threshold: threshold, comparesTimes: comparesTimes)
      .compare(rows, with: before)
  }

  @Test func `Equal figures are neither worse nor better`() {
    #expect(outcome(before) == BaselineComparison.Outcome(comparedRows: 1))
  }

  @Test func `Each figure that is worse by more than the threshold is named`() {
    let worse = outcome([.log(median: 1101, bytesOut: 551, allocations: 113)])
    #expect(
      worse.regressions == [
        "archive/log/encode keepsake: the median went from 1.00 µs to 1.10 µs.",
        "archive/log/encode keepsake: bytes went from 500 to 551.",
        "archive/log/encode keepsake: allocations went from 100 to 113.",
      ])
  }

  @Test func `A difference within the threshold is not reported`() {
    let same = outcome([.log(median: 1100, bytesOut: 550, allocations: 112)])
    #expect(same.regressions.isEmpty && same.improvements.isEmpty)
  }

  @Test func `An improvement is reported and is no regression`() {
    let better = outcome([.log(median: 500, bytesOut: 400, allocations: 10)])
    #expect(better.regressions.isEmpty && better.improvements.count == 3)
  }

  @Test func `A comparison may leave out the times`() {
    let slower = outcome([.log(median: 9000, bytesOut: 500)], comparesTimes: false)
    #expect(slower.regressions.isEmpty && slower.comparedRows == 1)
  }

  @Test func `A rival that became slower is no regression`() {
    #expect(outcome([.log(.encode, .json, median: 9000)]) == BaselineComparison.Outcome())
  }

  @Test func `A record has our sizes and allocations, and no times`() {
    let untold = ResultRow.log(.open, median: 5)
    let record = BaselineComparison.record(of: before + [untold])
    #expect(record.map(\.identity) == [before[0].identity])
    #expect(record[0].bytesOut == 500 && record[0].allocations == 100)
    #expect(record[0].medianNanoseconds == nil)
  }

  @Test func `Unknown figures and new rows are not compared`() {
    #expect(outcome([.log()]) == BaselineComparison.Outcome(comparedRows: 1))
    #expect(outcome([.log(.decode, median: 9000)]).comparedRows == 0)
    #expect(outcome([.log(size: 3, median: 9000)]).comparedRows == 0)
  }
}
