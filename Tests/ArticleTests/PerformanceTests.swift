import Foundation
import Testing

/// A line of the article *Know the costs*, and the range of results for which it is true.
///
/// When a new run of the benchmarks leaves the range, the words change, and the range with them.
private struct Claim: CustomTestStringConvertible, Sendable {
  /// The line of the article, word for word.
  let line: String
  let allowed: ClosedRange<Double>
  /// The figures in nanoseconds, bytes, or as a ratio.
  let figures: @Sendable (Results) throws -> [Double]

  var testDescription: String { line }

  init(
    _ line: String, _ allowed: ClosedRange<Double>,
    figures: @escaping @Sendable (Results) throws -> [Double]
  ) {
    (self.line, self.allowed, self.figures) = (line, allowed, figures)
  }

  static let all = [
    Claim(
      "| write a small record | *log encode* | a tenth to two tenths of a microsecond |", 50...249
    ) {
      [try $0.time("log encode, 10,000", "keepsake") / 10_000]
    },
    Claim("| read it again | *log decode* | a quarter to half a microsecond |", 200...549) {
      [try $0.time("log decode, 10,000", "keepsake") / 10_000]
    },
    Claim("| read one key of it | *log read* | some hundredths of a microsecond |", 10...50) {
      [try $0.time("log read, 10,000", "keepsake") / 10_000]
    },
    Claim(
      "| the same with `Codable` | *log*, column `keepsake-codable` | four to eight times as long |",
      3.5...8.5
    ) { try $0.ratios("log", "keepsake-codable") },
    Claim(
      "| the same with `JSONEncoder` | *log*, column `json` | some forty times as long |", 30...55
    ) { try $0.ratios("log", "json") },
    Claim(
      "| an object in a graph | *graph encode*, *graph decode* | a third of a microsecond to one |",
      290...1249
    ) { results in
      try ["graph encode, 10,000", "graph decode, 10,000"].map {
        try results.time($0, "keepsake") / 10_000
      }
    },
    Claim(
      "| save an element of an app's state | *tree save, 1,000* | less than a microsecond; less than two with `@Saved` |",
      500...2000
    ) { results in
      try ["keepsake", "keepsake (saved properties)"].map {
        try results.time("restoration: tree save, 1,000", $0) / 1000
      }
    },
    Claim(
      "| restore it | *tree restore, 1,000* | one to two microseconds; five to ten with `@Saved` |",
      800...2249
    ) { [try $0.time("restoration: tree restore, 1,000", "keepsake") / 1000] },
    Claim("five to ten with `@Saved`", 4500...10_499) {
      [try $0.time("restoration: tree restore, 1,000", "keepsake (saved properties)") / 1000]
    },
    Claim("| an array of numbers | *doubles*, *floats* | a copy of the bytes |", 0...0.1) {
      // The unit is nanoseconds per byte. No work on single numbers reaches ten gigabytes per second.
      [try $0.time("doubles encode, 100,000", "keepsake") / 800_000]
    },
    Claim(
      "| encrypt or decrypt | *blob seal*, *blob unseal* | about a second for each gigabyte and core |",
      0.6...1.49
    ) { results in
      try ["seal", "unseal"].map {
        try results.time("seal: blob \($0), 1,048,576, 1 thread", "keepsake") / 1_048_576
      }
    },
    Claim(
      "| open a small sealed file | *state load* | a tenth to a fifth of a millisecond |",
      7e4...2.49e5
    ) {
      [try $0.time("store: state load, 8,192", "keepsake")]
    },
    Claim(
      "| replace a file durably | *state save* | what the disk needs for `fsync`: half a millisecond to some tens of milliseconds |",
      4e5...4e7
    ) { [try $0.time("store: state save, 8,192", "keepsake")] },
    Claim(
      "An archive of records is about half the size of the same data in JSON (*Archive: bytes* in the results)",
      1.7...2.6
    ) { [try $0.bytes("log encode, 10,000", "json") / $0.bytes("log encode, 10,000", "keepsake")] },
  ]
}

/// The tables of the last run of the benchmarks.
private struct Results {
  private var times: [String: [String: String]] = [:]
  private var sizes: [String: [String: String]] = [:]

  init(_ page: String) {
    var columns: [String] = []
    var isAboutBytes = false
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") { isAboutBytes = line.hasSuffix("bytes") }
      guard line.hasPrefix("|"), !line.hasPrefix("|---") else { continue }
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false
      )
      .map { $0.trimmingCharacters(in: .whitespaces).replacing("**", with: "") }
      if cells[0].isEmpty {
        columns = cells
      } else if columns.contains("keepsake") {
        let row = Dictionary(zip(columns, cells).dropFirst()) { first, _ in first }
        if isAboutBytes { sizes[cells[0]] = row } else { times[cells[0]] = row }
      } else {
        times[cells[0], default: [:]][cells[1]] = cells[2]
      }
    }
  }

  /// A time in nanoseconds.
  func time(_ row: String, _ column: String) throws -> Double {
    let parts = try #require(times[row]?[column], "There is no \(row) of \(column).")
      .split(separator: " ")
    let unit = try #require(["ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9][parts.last.map(String.init)])
    return try #require(Double(parts[0])) * unit
  }

  func bytes(_ row: String, _ column: String) throws -> Double {
    let text = try #require(sizes[row]?[column], "There is no size of \(row) of \(column).")
    return try #require(Double(text.replacing(",", with: "")))
  }

  /// The times of encoding and decoding, as multiples of Keepsake's.
  func ratios(_ workload: String, _ column: String) throws -> [Double] {
    try ["encode", "decode"].map { operation in
      let row = "\(workload) \(operation), 10,000"
      return try time(row, column) / time(row, "keepsake")
    }
  }
}

@Suite struct `The factors of the documentation` {
  private let results: Results
  private let article: String

  init() throws {
    results = Results(try Page("Benchmarks/Results.md").text)
    article = try Page("Sources/Keepsake/Keepsake.docc/Performance.md").text
  }

  @Test(arguments: Claim.all)
  private func `The factors are those of the last results`(claim: Claim) throws {
    #expect(article.contains(claim.line), "The article says something else.")
    for figure in try claim.figures(results) {
      #expect(claim.allowed.contains(figure), "The results say \(figure).")
    }
  }

  @Test func `Every line of the table is a claim that is checked`() {
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("*") }
    #expect(rows.count == 12)
    for row in rows { #expect(Claim.all.contains { $0.line == row }, "\(row)") }
  }
}
