import BenchmarkHarness
import Testing

@Suite struct `The page of results` {
  private let machine = Machine(
    processor: "P", cores: 4, memory: 1 << 30, system: "S", compiler: "C", date: "D", load: 0.25)

  private func lines(_ rows: [ResultRow]) -> [Substring] {
    ResultsDigest(machine: machine, rows: rows).markdown.split(separator: "\n")
  }

  @Test func `The page has a row for each task with a rival, and a column for each subject`() {
    let page = lines([
      .log(.encode, .keepsake, size: 1000, median: 2e6, bytesOut: 1234),
      .log(.encode, .json, size: 1000, median: 4e7, bytesOut: 5678),
      .log(.encode, .memcpy, size: 1000, median: 1),
      .log(.open, .keepsake, median: 5),
    ])
    #expect(page.contains("| log encode, 1,000 | **2.00 ms** |  | 40.0 ms |  |  |  |"))
    #expect(page.contains("| log encode, 1,000 | **1,234** |  | 5,678 |  |  |  |"))
    #expect(!page.contains { $0.hasPrefix("| log open") })
  }

  @Test
  func `The page marks the best figure of a row, even if it is a rival's`() {
    let page = lines([
      .log(.encode, .keepsake, median: 2e6), .log(.encode, .json, median: 4e6),
      .log(.encode, .fory, median: 1e6),
    ])
    #expect(
      page.contains(
        "| | keepsake | keepsake-codable | json | plist | nskeyedarchiver | protobuf | fory |"))
    #expect(page.contains("| log encode | 2.00 ms |  | 4.00 ms |  |  |  | **1.00 ms** |"))
  }

  @Test func `The page has a line for each contender of other suites, with its throughput`() {
    let identity = BenchmarkIdentity(
      .seal, .blob, .seal, .keepsake, variant: "stream", size: 4096, threads: 1)
    var row = ResultRow(identity)
    (row.medianNanoseconds, row.bytesIn) = (1000, 4096)
    #expect(
      lines([row]).contains(
        "| seal: blob seal, 4,096, 1 thread | keepsake (stream) | 1.00 µs | 4.10 GB/s |"))
  }

  @Test func `The page marks the best of other suites, without the limits`() {
    let rows = [Subject.keepsake, .protobuf, .systemCalls].map { subject in
      var row = ResultRow(BenchmarkIdentity(.store, .log, .save, subject))
      row.medianNanoseconds = subject == .systemCalls ? 1 : subject == .protobuf ? 2000 : 1000
      return row
    }
    #expect(lines(rows).contains("| store: log save | keepsake | **1.00 µs** |  |"))
    #expect(lines(rows).contains("| store: log save | protobuf | 2.00 µs |  |"))
  }

  @Test func `The page shows its cautions`() {
    let page = ResultsDigest(machine: machine, rows: [], cautions: ["Not to be quoted."]).markdown
    #expect(page.split(separator: "\n").contains("Not to be quoted."))
  }

  @Test func `The page names the machine with its load`() {
    #expect(lines([]).contains("P, 4 cores, 1 GiB; S; C, release; load 0.25; D"))
  }

  @Test func `A machine that is busy with other work gets a warning`() {
    var busy = machine
    busy.load = 30
    #expect(busy.warning?.contains("load 30.0 on 4 cores") == true)
    #expect(machine.warning == nil)
  }
}
