import BenchmarkHarness
import Testing

@Suite struct `Fitting the growth` {
  private func rows(_ time: (Double) -> Double, subject: Subject = .keepsake) -> [ResultRow] {
    [1000, 10, 100].map { ResultRow.log(.encode, subject, size: $0, median: time(Double($0))) }
  }

  @Test func `Proportional, quadratic and constant times have the exponents 1, 2 and 0`() throws {
    for (exponent, time) in [
      (1.0, { (size: Double) in 3 * size }), (2, { $0 * $0 }), (0, { _ in 7 }),
    ] {
      let fit = try #require(GrowthFit.fits(through: rows(time)).first)
      #expect(abs(fit.exponent - exponent) < 1e-9)
    }
  }

  @Test func `The points are sorted and named`() throws {
    let fit = try #require(GrowthFit.fits(through: rows { $0 }).first)
    #expect(fit.points.map(\.size) == [10, 100, 1000])
    #expect(fit.name == "archive/log/encode keepsake")
    #expect(fit.description.hasPrefix("archive/log/encode keepsake: size^1.00  (10: 10.0 ns,"))
  }

  @Test func `The fixed cost of a call does not flatten the line`() throws {
    let rows = [1, 10, 100, 1000, 10_000].map { size in
      ResultRow.log(.encode, size: size, median: max(100, Double(size)))
    }
    let fit = try #require(GrowthFit.fits(through: rows).first)
    #expect(abs(fit.exponent - 1) < 1e-9)
    #expect(fit.points.count == 5)
  }

  @Test func `Two sizes are too few, and limits are left out`() {
    #expect(GrowthFit.fits(through: Array(rows { $0 }.prefix(2))) == [])
    #expect(GrowthFit.fits(through: rows({ $0 }, subject: .memcpy)) == [])
  }

  @Test func `Subjects, operations and threads are fitted apart`() {
    let all = rows { $0 } + rows({ 2 * $0 }, subject: .json)
    #expect(GrowthFit.fits(through: all).map(\.name).count == 2)
  }
}
