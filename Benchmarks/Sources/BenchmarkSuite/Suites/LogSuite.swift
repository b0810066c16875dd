import Foundation
import KeepsakeArchive
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
    let keyed = try records.archive()
    try check(
      try LogRecords(unarchiving: keyed) == records, "The archive does not bring the records back.")
    let sum = records.logs.reduce(into: UInt64(0)) { sum, record in
      sum &+= UInt64(record.code) &+ record.size &+ UInt64(record.address.x3)
    }
    try check(try LogRecords.sumLazily(keyed) == sum, "Reading lazily gives other numbers.")
    return [
      Benchmark(
        name: "log/encode/Keepsake", byteCount: 0, outputByteCount: keyed.count
      ) { iterations in
        for _ in 0..<iterations { consume(try records.archive()) }
      },
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
      Benchmark(name: "log/decode/Keepsake", byteCount: 0) { iterations in
        for _ in 0..<iterations { consume(try LogRecords(unarchiving: keyed)) }
      },
      Benchmark(name: "log/decode/Keepsake Codable", byteCount: 0) { iterations in
        let decoder = ArchiveDecoder()
        for _ in 0..<iterations { consume(try decoder.decode(LogRecords.self, from: archive)) }
      },
      Benchmark(name: "log/decode/JSON", byteCount: 0) { iterations in
        let decoder = JSONDecoder()
        for _ in 0..<iterations { consume(try decoder.decode(LogRecords.self, from: json)) }
      },
      Benchmark(name: "log/read 3 fields/Keepsake", byteCount: 0) { iterations in
        for _ in 0..<iterations { consume(try LogRecords.sumLazily(keyed)) }
      },
      Benchmark(name: "log/open/Keepsake", byteCount: 0) { iterations in
        for _ in 0..<iterations { consume(try Archive(keyed).objectCount) }
      },
      Benchmark(name: "log/verify/Keepsake", byteCount: keyed.count) { iterations in
        for _ in 0..<iterations {
          try Archive(keyed).verify()
          consume(keyed)
        }
      },
    ]
  }
}
