package import Foundation

extension ResultRow: Codable {
  private enum Field: String, CodingKey {
    case suite, workload, operation, subject, variant, size, threads, items
    case medianNanoseconds = "median_ns"
    case minimumNanoseconds = "min_ns"
    case p10Nanoseconds = "p10_ns"
    case p90Nanoseconds = "p90_ns"
    case p99Nanoseconds = "p99_ns"
    case processorNanoseconds = "cpu_ns"
    case samples
    case bytesIn = "bytes_in"
    case bytesOut = "bytes_out"
    case compressedBytes = "zstd_bytes"
    case allocations, instructions
    case peakMemory = "peak_rss_bytes"
    case baseMemory = "base_rss_bytes"
    case remark
  }

  /// Writes every field, unknown ones as null.
  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(identity.suite, forKey: .suite)
    try fields.encode(identity.workload, forKey: .workload)
    try fields.encode(identity.operation, forKey: .operation)
    try fields.encode(identity.subject.rawValue, forKey: .subject)
    try fields.encode(identity.variant, forKey: .variant)
    try fields.encode(identity.size, forKey: .size)
    try fields.encode(identity.threads, forKey: .threads)
    try fields.encode(items, forKey: .items)
    try fields.encode(medianNanoseconds, forKey: .medianNanoseconds)
    try fields.encode(minimumNanoseconds, forKey: .minimumNanoseconds)
    try fields.encode(p10Nanoseconds, forKey: .p10Nanoseconds)
    try fields.encode(p90Nanoseconds, forKey: .p90Nanoseconds)
    try fields.encode(p99Nanoseconds, forKey: .p99Nanoseconds)
    try fields.encode(processorNanoseconds, forKey: .processorNanoseconds)
    try fields.encode(samples, forKey: .samples)
    try fields.encode(bytesIn, forKey: .bytesIn)
    try fields.encode(bytesOut, forKey: .bytesOut)
    try fields.encode(compressedBytes, forKey: .compressedBytes)
    try fields.encode(allocations, forKey: .allocations)
    try fields.encode(instructions, forKey: .instructions)
    try fields.encode(peakMemory, forKey: .peakMemory)
    try fields.encode(baseMemory, forKey: .baseMemory)
    try fields.encode(remark, forKey: .remark)
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let identity = BenchmarkIdentity(
      try fields.decode(BenchmarkIdentity.Suite.self, forKey: .suite),
      try fields.decode(BenchmarkIdentity.Workload.self, forKey: .workload),
      try fields.decode(BenchmarkIdentity.Operation.self, forKey: .operation),
      Subject(rawValue: try fields.decode(String.self, forKey: .subject)),
      variant: try fields.decodeIfPresent(String.self, forKey: .variant),
      size: try fields.decodeIfPresent(Int.self, forKey: .size),
      threads: try fields.decodeIfPresent(Int.self, forKey: .threads))
    self.init(identity, items: try fields.decodeIfPresent(Int.self, forKey: .items) ?? 1)
    medianNanoseconds = try fields.decodeIfPresent(Double.self, forKey: .medianNanoseconds)
    minimumNanoseconds = try fields.decodeIfPresent(Double.self, forKey: .minimumNanoseconds)
    p10Nanoseconds = try fields.decodeIfPresent(Double.self, forKey: .p10Nanoseconds)
    p90Nanoseconds = try fields.decodeIfPresent(Double.self, forKey: .p90Nanoseconds)
    p99Nanoseconds = try fields.decodeIfPresent(Double.self, forKey: .p99Nanoseconds)
    processorNanoseconds = try fields.decodeIfPresent(Double.self, forKey: .processorNanoseconds)
    samples = try fields.decodeIfPresent(Int.self, forKey: .samples) ?? 0
    bytesIn = try fields.decodeIfPresent(Int.self, forKey: .bytesIn)
    bytesOut = try fields.decodeIfPresent(Int.self, forKey: .bytesOut)
    compressedBytes = try fields.decodeIfPresent(Int.self, forKey: .compressedBytes)
    allocations = try fields.decodeIfPresent(Int.self, forKey: .allocations)
    instructions = try fields.decodeIfPresent(Int.self, forKey: .instructions)
    peakMemory = try fields.decodeIfPresent(Int.self, forKey: .peakMemory)
    baseMemory = try fields.decodeIfPresent(Int.self, forKey: .baseMemory)
    remark = try fields.decodeIfPresent(String.self, forKey: .remark)
  }
}

/// The figures of a run as a JSON array, one object for each row.
package enum ResultFile {
  package static func write(_ rows: [ResultRow], toFile path: String) throws {
    try encoded(rows).write(to: URL(filePath: path))
  }

  package static func encoded(_ rows: [ResultRow]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // One row on a line, so that files can be compared line by line.
    let lines = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    return Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8)
  }

  package static func read(fromFile path: String) throws -> [ResultRow] {
    do {
      return try decoded(Data(contentsOf: URL(filePath: path)))
    } catch {
      throw CheckFailure(
        description: "\(path) holds no figures that --json wrote: \(error.localizedDescription)")
    }
  }

  package static func decoded(_ data: Data) throws -> [ResultRow] {
    try JSONDecoder().decode([ResultRow].self, from: data)
  }
}
