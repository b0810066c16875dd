import BenchmarkHarness
import Testing

@Suite struct `The table of a task` {
  private let rows = [
    ResultRow.log(.encode, .keepsake, variant: "packed", median: 500),
    ResultRow.log(.encode, .keepsake, median: 1000, bytesOut: 1_453_240, items: 10),
    ResultRow.log(.encode, .json, median: 12_345, allocations: 100_043),
  ]

  @Test func `holds every time against Keepsake's plain one`() throws {
    let table = TaskTable(rows)
    #expect(table.reference?.identity.variant == nil)
    #expect(table.ratio(of: rows[2]) == 12.345)
    #expect(table.ratio(of: rows[0]) == 0.5)
    #expect(TaskTable([rows[0]]).reference?.identity.variant == "packed")
    #expect(TaskTable([rows[2]]).ratio(of: rows[2]) == nil)
  }

  @Test func `has a cell for each column`() {
    let cells = TaskTable(rows).cells(of: rows[1])
    #expect(cells.count == TaskTable.columns.count)
    #expect(cells == ["1.00 µs", nil, "1.00", "100 ns", nil, "1,453,240", nil, nil])
  }

  @Test func `lines up, with the remark behind`() {
    var noted = rows[2]
    noted.remark = "has to decode all of it"
    let lines = TaskTable([rows[1], noted]).lines
    #expect(lines[0].count == TaskTable.header.count)
    #expect(lines[1].hasSuffix("100,043            has to decode all of it"))
    #expect(lines[1].hasPrefix("  json "))
  }

  @Test func `knows the spread where there are enough samples`() {
    var row = rows[0]
    (row.p10Nanoseconds, row.p90Nanoseconds, row.samples) = (450, 550, 5)
    #expect(row.spread == 0.1)
    row.samples = 4
    #expect(row.spread == nil)
    #expect(rows[0].spread == nil)
  }
}
