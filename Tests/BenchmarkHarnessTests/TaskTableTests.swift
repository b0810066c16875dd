import BenchmarkHarness
import Testing

@Suite struct `The table of a task` {
  private let rows = [
    ResultRow.log(.encode, .keepsake, variant: "packed", median: 500),
    ResultRow.log(.encode, .keepsake, median: 1000, bytesOut: 1_453_240, items: 10),
    ResultRow.log(.encode, .json, median: 12_345, allocations: 100_043),
  ]

  @Test func `The table compares every time with that of plain Keepsake`() throws {
    let table = TaskTable(rows)
    #expect(table.reference?.identity.variant == nil)
    #expect(table.ratio(of: rows[2]) == 12.345)
    #expect(table.ratio(of: rows[0]) == 0.5)
    #expect(TaskTable([rows[0]]).reference?.identity.variant == "packed")
    #expect(TaskTable([rows[2]]).ratio(of: rows[2]) == nil)
  }

  @Test func `The table has a cell for each column`() {
    let cells = TaskTable(rows).cells(of: rows[1])
    #expect(cells.count == TaskTable.columns.count)
    #expect(cells == ["1.00 µs", nil, nil, "1.00", nil, "100 ns", nil, "1,453,240", nil, nil, nil])
  }

  @Test func `The columns of the table are aligned, with the remark at the end`() {
    var noted = rows[2]
    noted.remark = "has to decode all of it"
    let lines = TaskTable([rows[1], noted]).lines
    #expect(lines[0].count == TaskTable([rows[1], noted]).header.count)
    #expect(lines[1].hasSuffix("100,043            has to decode all of it"))
    #expect(lines[1].hasPrefix("  json "))
  }

  @Test func `The table marks the fastest of several subjects, and no limit`() {
    let limit = ResultRow.log(.encode, .memcpy, median: 1)
    let table = TaskTable(rows + [limit])
    #expect(table.best?.identity == rows[0].identity)
    #expect(table.lines.map { $0.hasPrefix("* ") } == [true, false, false, false])
    #expect(TaskTable([rows[0], rows[1], limit]).best == nil)
  }

  @Test func `The table shows rare columns only if they have figures`() {
    #expect(!TaskTable(rows).header.contains("zstd") && !TaskTable(rows).header.contains("CPU"))
    var row = rows[1]
    (row.compressedBytes, row.p99Nanoseconds, row.processorNanoseconds) = (77, 2000, 1200)
    let table = TaskTable([row])
    #expect(table.header.contains("p99") && table.header.contains("zstd"))
    #expect(!table.header.contains("CPU"), "both times are equal on one thread")
    #expect(table.lines[0].contains("2.00 µs") && table.lines[0].count == table.header.count)
    row.processorNanoseconds = 1900
    #expect(TaskTable([row]).header.contains("CPU"))
  }

  @Test func `A row has a spread if there are enough samples`() {
    var row = rows[0]
    (row.p10Nanoseconds, row.p90Nanoseconds, row.samples) = (450, 550, 5)
    #expect(row.spread == 0.1)
    row.samples = 4
    #expect(row.spread == nil)
    #expect(rows[0].spread == nil)
  }
}
