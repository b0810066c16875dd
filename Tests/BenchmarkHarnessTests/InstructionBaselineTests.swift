import BenchmarkHarness
import Foundation
import Testing

@Suite struct `A baseline of instructions` {
  private let place = CountingPlace(
    compiler: "Swift version 6.3.1", processorFeatures: ["avx2", "fma"], library: "glibc 2.36",
    counter: "valgrind-3.19.0")

  private func row(
    _ instructions: Int?, _ subject: Subject = .keepsake, items: Int = 1
  ) -> ResultRow {
    var row = ResultRow.log(.encode, subject, bytesOut: 500, items: items)
    row.instructions = instructions
    return row
  }

  private func outcome(
    before: Int, after: Int, threshold: Double = 3
  ) -> BaselineComparison.Outcome {
    InstructionBaseline(place: place, rows: [row(before)])
      .compare([row(after)], threshold: threshold)
  }

  @Test func `A baseline has Keepsake's counted rows and no others`() {
    let baseline = InstructionBaseline(
      place: place, rows: [row(1000), row(5, .json), row(nil, .keepsakeCodable)])
    #expect(baseline.counts == ["archive/log/encode keepsake": 1000])
  }

  @Test func `A comparison names only changes above the threshold`() {
    #expect(outcome(before: 10_000, after: 10_300) == BaselineComparison.Outcome(comparedRows: 1))
    #expect(
      outcome(before: 10_000, after: 10_310).regressions == [
        "archive/log/encode keepsake: instructions went from 10,000 to 10,310 (+3.10 %)."
      ])
    #expect(outcome(before: 10_000, after: 9700) == BaselineComparison.Outcome(comparedRows: 1))
    let better = outcome(before: 10_000, after: 9690)
    #expect(better.regressions.isEmpty)
    #expect(
      better.improvements == [
        "archive/log/encode keepsake: instructions went from 10,000 to 9,690 (-3.10 %)."
      ])
  }

  @Test func `A comparison ignores differences that the allocator explains`() {
    #expect(outcome(before: 2680, after: 2880) == BaselineComparison.Outcome(comparedRows: 1))
    #expect(outcome(before: 2680, after: 2881).regressions.count == 1)
  }

  @Test func `A comparison leaves out rows that one side lacks`() {
    let baseline = InstructionBaseline(place: place, counts: ["archive/log/decode keepsake": 1])
    #expect(baseline.compare([row(9000), row(nil)], threshold: 3).comparedRows == 0)
  }

  @Test func `A baseline is read back from its file`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let baseline = InstructionBaseline(place: place, rows: [row(1000)])
    try baseline.write(toFile: file.path)
    #expect(try InstructionBaseline.read(fromFile: file.path) == baseline)
  }

  @Test func `An error names a file that holds no baseline`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try ResultFile.write([row(1)], toFile: file.path)
    let failure = #expect(throws: CheckFailure.self) {
      try InstructionBaseline.read(fromFile: file.path)
    }
    #expect(failure?.description.contains(file.path) == true)
  }

  @Test func `A baseline belongs to one compiler, processor, library and counter`() {
    #expect(place.differences(from: place).isEmpty)
    var other = place
    other.compiler = "Swift version 6.3.2"
    other.processorFeatures = ["avx2"]
    other.library = "glibc 2.41"
    other.counter = "valgrind-3.24.0"
    #expect(
      place.differences(from: other) == [
        #"The compiler is "Swift version 6.3.1" here and "Swift version 6.3.2" there."#,
        #"The list of processor features is "avx2 fma" here and "avx2" there."#,
        #"The C library is "glibc 2.36" here and "glibc 2.41" there."#,
        #"The counter is "valgrind-3.19.0" here and "valgrind-3.24.0" there."#,
      ])
  }

  @Test(
    arguments: [
      (
        "processor\t: 0\nflags\t\t: fpu avx2 avx512f sse4_2 hypervisor avx\nflags\t: sve\n",
        ["avx", "avx2", "sse4_2"]
      ),
      ("Features\t: fp asimd crc32\n", ["asimd"]),
      ("", []),
    ])
  func `A baseline has the processor features that select code`(table: String, features: [String]) {
    #expect(CountingPlace.features(in: table) == features)
  }

  @Test func `The table has the ratio to Keepsake and the count for each element`() {
    let lines = InstructionTable([row(2000, items: 10), row(24_690, .json, items: 10)]).lines
    #expect(lines.map(\.count) == [InstructionTable.header.count, InstructionTable.header.count])
    let cells = lines.map { $0.split(separator: " ").map(String.init) }
    #expect(cells[0] == ["keepsake", "2,000", "1.00", "200", "500"])
    #expect(cells[1] == ["json", "24,690", "12.3", "2,469", "500"])
  }

  @Test func `The table leaves out unknown figures`() {
    let cells = InstructionTable([row(7, .json)]).lines[0].split(separator: " ")
    #expect(cells == ["json", "7", "500"])
  }
}
