import Foundation

/// The figures of a run with the machine that they were measured on.
struct Report: Encodable {
  struct Row: Encodable {
    var name: String
    var medianNanoseconds: Double
    var fastestNanoseconds: Double
    var spread: Double
    var samples: Int
    var iterationsPerSample: Int
    var byteCount: Int
    var outputByteCount: Int?
  }

  var machine = Machine()
  var rows: [Row] = []

  mutating func add(_ measurements: [Measurement]) {
    for measurement in measurements {
      rows.append(
        Row(
          name: measurement.benchmark.name,
          medianNanoseconds: measurement.median,
          fastestNanoseconds: measurement.fastest,
          spread: measurement.spread,
          samples: measurement.samples.count,
          iterationsPerSample: measurement.iterationsPerSample,
          byteCount: measurement.benchmark.byteCount,
          outputByteCount: measurement.benchmark.outputByteCount))
    }
  }

  func write(toFile path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(filePath: path))
  }

  static let header =
    column("benchmark", 40) + column("median", 12, right: true) + column("fastest", 12, right: true)
    + column("spread", 9, right: true) + column("GB/s", 8, right: true)
    + column("output bytes", 14, right: true)

  /// One line of the table.
  static func line(_ measurement: Measurement) -> String {
    column(measurement.benchmark.name, 40)
      + column(time(measurement.median), 12, right: true)
      + column(time(measurement.fastest), 12, right: true)
      + column("±" + number(measurement.spread * 100, 1) + " %", 9, right: true)
      + column(measurement.gigabytesPerSecond.map { number($0, 2) } ?? "", 8, right: true)
      + column(measurement.benchmark.outputByteCount.map(String.init) ?? "", 14, right: true)
  }

  private static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: number(nanoseconds, 1) + " ns"
    case ..<1e6: number(nanoseconds / 1e3, 2) + " µs"
    default: number(nanoseconds / 1e6, 3) + " ms"
    }
  }

  private static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }

  private static func column(_ text: String, _ width: Int, right: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return right ? padding + text : text + padding
  }
}
