import BenchmarkHarness
import Foundation
import Testing

@Suite struct `The file of results` {
  private let full: ResultRow = {
    var row = ResultRow(
      BenchmarkIdentity(
        .seal, .blob, .unseal, .libsodium, variant: "v", size: 64, threads: 4), items: 3)
    (row.medianNanoseconds, row.minimumNanoseconds) = (2, 1)
    (row.p10Nanoseconds, row.p90Nanoseconds, row.samples) = (1.5, 3, 9)
    (row.bytesIn, row.bytesOut, row.allocations) = (10, 20, 30)
    (row.peakMemory, row.baseMemory, row.remark) = (200, 150, "r")
    row.instructions = 40
    (row.p99Nanoseconds, row.processorNanoseconds, row.compressedBytes) = (4, 5, 6)
    return row
  }()

  private func objects(_ rows: [ResultRow]) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: ResultFile.encoded(rows))
    return try #require(json as? [[String: Any]])
  }

  @Test func `The file is an array of objects with the documented names`() throws {
    let object = try #require(try objects([full]).first)
    #expect(object["suite"] as? String == "seal" && object["workload"] as? String == "blob")
    #expect(object["operation"] as? String == "unseal")
    #expect(object["subject"] as? String == "libsodium" && object["variant"] as? String == "v")
    #expect(object["size"] as? Int == 64 && object["threads"] as? Int == 4)
    #expect(object["items"] as? Int == 3 && object["samples"] as? Int == 9)
    #expect(object["median_ns"] as? Double == 2 && object["min_ns"] as? Double == 1)
    #expect(object["p10_ns"] as? Double == 1.5 && object["p90_ns"] as? Double == 3)
    #expect(object["bytes_in"] as? Int == 10 && object["bytes_out"] as? Int == 20)
    #expect(object["allocations"] as? Int == 30 && object["instructions"] as? Int == 40)
    #expect(object["p99_ns"] as? Double == 4 && object["cpu_ns"] as? Double == 5)
    #expect(object["zstd_bytes"] as? Int == 6)
    #expect(object["remark"] as? String == "r")
    #expect(object["peak_rss_bytes"] as? Int == 200 && object["base_rss_bytes"] as? Int == 150)
  }

  @Test func `The file has null for unknown figures`() throws {
    let object = try #require(try objects([ResultRow(full.identity)]).first)
    for name in ["median_ns", "min_ns", "p90_ns", "bytes_in", "allocations", "peak_rss_bytes"] {
      #expect(object[name] is NSNull, "\(name)")
    }
  }

  @Test func `Rows are read back from the file`() throws {
    let rows = try ResultFile.decoded(ResultFile.encoded([full, .log()]))
    #expect(rows.map(\.identity) == [full.identity, ResultRow.log().identity])
    #expect(rows[0].medianNanoseconds == 2 && rows[0].addedMemory == 50 && rows[0].remark == "r")
    #expect(rows[0].instructions == 40 && rows[0].p99Nanoseconds == 4)
    #expect(rows[0].processorNanoseconds == 5 && rows[0].compressedBytes == 6)
    #expect(rows[1].medianNanoseconds == nil && rows[1].items == 1)
  }

  @Test func `The file has one line for each row`() throws {
    let text = String(decoding: try ResultFile.encoded([full, .log()]), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 4)
  }

  @Test func `An error names a file that cannot be read`() {
    let failure = #expect(throws: CheckFailure.self) {
      try ResultFile.read(fromFile: "/nowhere/figures.json")
    }
    #expect(failure?.description.contains("/nowhere/figures.json") == true)
  }
}
