import BenchmarkHarness
import Testing

@Suite struct `Figures as text` {
  @Test func `Times have the unit that fits`() {
    #expect(Figures.time(2.26) == "2.26 ns")
    #expect(Figures.time(1234) == "1.23 µs")
    #expect(Figures.time(12_345_678) == "12.3 ms")
    #expect(Figures.time(2.5e9) == "2.50 s")
  }

  @Test func `Figures have three significant digits at most, or all digits before the point`() {
    #expect(Figures.significant(0) == "0")
    #expect(Figures.significant(0.00312) == "0.0031")
    #expect(Figures.significant(0.0456) == "0.046")
    #expect(Figures.significant(0.456) == "0.46")
    #expect(Figures.significant(99.97) == "100")
    #expect(Figures.significant(4247.4) == "4247")
  }

  @Test func `Bytes have binary units and thousands are set apart`() {
    #expect(Figures.bytes(1023) == "1023 B")
    #expect(Figures.bytes(64 << 20) == "64 MiB")
    #expect(Figures.bytes(1_453_240) == "1.39 MiB")
    #expect(Figures.grouped(1_453_240) == "1,453,240")
    #expect(Figures.grouped(-1000) == "-1,000")
    #expect(Figures.grouped(999) == "999")
  }

  @Test func `Marks of an axis are round`() {
    #expect(Figures.compact(1_000_000) == "1M")
    #expect(Figures.compact(12_500) == "12500")
    #expect(Figures.compact(10_000) == "10k")
    #expect(Figures.roundTime(10_000) == "10 µs")
    #expect(Figures.roundTime(1e9) == "1 s")
  }
}
