import Foundation
import KeepsakeCodable

extension Suite {
  /// 10,000 small records, as objects of the program's own types and back.
  static let log = Suite(name: "log") {
    let records = try LogWorkload.make()
    let json = try JSONEncoder().encode(records)
    let decoded = try JSONDecoder().decode(LogRecords.self, from: json)
    try check(decoded == records, "JSON does not bring the log records back.")
    let archive = try ArchiveEncoder().encode(records)
    let unarchived = try ArchiveDecoder().decode(LogRecords.self, from: archive)
    try check(unarchived == records, "ArchiveDecoder does not bring the log records back.")
    return [
      Benchmark(name: "log/encode/JSON", byteCount: 0, outputByteCount: json.count) { iterations in
        let encoder = JSONEncoder()
        for _ in 0..<iterations { consume(try encoder.encode(records)) }
      },
      Benchmark(
        name: "log/encode/Keepsake Codable", byteCount: 0, outputByteCount: archive.count
      ) { iterations in
        let encoder = ArchiveEncoder()
        for _ in 0..<iterations { consume(try encoder.encode(records)) }
      },
      Benchmark(name: "log/decode/Keepsake Codable", byteCount: 0) { iterations in
        let decoder = ArchiveDecoder()
        for _ in 0..<iterations { consume(try decoder.decode(LogRecords.self, from: archive)) }
      },
      Benchmark(name: "log/decode/JSON", byteCount: 0) { iterations in
        let decoder = JSONDecoder()
        for _ in 0..<iterations { consume(try decoder.decode(LogRecords.self, from: json)) }
      },
    ]
  }
}
