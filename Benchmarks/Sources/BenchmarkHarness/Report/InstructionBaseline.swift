import Foundation

/// The conditions that instruction counts depend on, in addition to the program.
///
/// Another compiler generates other code, and the C library chooses its copying loops by the features of the
/// processor. Counts are compared only if all of this is equal.
package struct CountingPlace: Codable, Equatable, Sendable {
  /// The first line of `swift --version`.
  package var compiler: String
  /// The features of the processor that determine which code runs.
  package var processorFeatures: [String]
  package var library: String
  package var counter: String

  package init(
    compiler: String, processorFeatures: [String], library: String, counter: String
  ) {
    self.compiler = compiler
    self.processorFeatures = processorFeatures
    self.library = library
    self.counter = counter
  }

  /// The features that compilers and C libraries choose code by, sorted by name.
  ///
  /// AVX-512 is left out: valgrind's processor does not have it, and counts were equal with and without it.
  ///
  /// - Parameter table: The contents of `/proc/cpuinfo`.
  /// - Returns: The features that the first processor of the table has.
  package static func features(in table: String) -> [String] {
    let chosen: Set<Substring> = [
      "asimd", "avx", "avx2", "bmi1", "bmi2", "erms", "fma", "fsrm", "movbe", "popcnt", "sse4_2",
      "sve",
    ]
    let line = table.split(separator: "\n").first {
      $0.hasPrefix("flags") || $0.hasPrefix("Features")
    }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return words.filter(chosen.contains).map(String.init).sorted()
  }

  /// A sentence for each difference to another place.
  package func differences(from other: CountingPlace) -> [String] {
    var sentences: [String] = []
    func compare(_ name: String, _ own: String, _ others: String) {
      if own != others { sentences.append("\(name) is \"\(own)\" here and \"\(others)\" there.") }
    }
    compare("The compiler", compiler, other.compiler)
    compare(
      "The list of processor features", processorFeatures.joined(separator: " "),
      other.processorFeatures.joined(separator: " "))
    compare("The C library", library, other.library)
    compare("The counter", counter, other.counter)
    return sentences
  }
}

/// The instruction counts of Keepsake's main benchmarks, and the conditions under which they were counted.
package struct InstructionBaseline: Codable, Equatable, Sendable {
  package var place: CountingPlace
  /// The instructions of one operation, by the name of the benchmark.
  package var counts: [String: Int]

  package init(place: CountingPlace, counts: [String: Int]) {
    self.place = place
    self.counts = counts
  }

  /// Makes a baseline of the rows of Keepsake whose instructions were counted.
  package init(place: CountingPlace, rows: [ResultRow]) {
    let pairs = rows.filter(\.identity.subject.isOurs).compactMap { row in
      row.instructions.map { (row.identity.description, $0) }
    }
    self.init(place: place, counts: Dictionary(pairs) { first, _ in first })
  }

  /// The difference between two runs of one program in a benchmark of some thousand instructions: the path
  /// through `malloc` depends on what was freed before.
  private static let slack = 200

  /// Finds rows that are worse or better by more than a threshold.
  ///
  /// - Parameters:
  ///   - rows: The rows that were counted now, under the same conditions.
  ///   - threshold: The percentage of additional instructions that counts as worse.
  /// - Returns: A sentence for each row that changed by more.
  package func compare(
    _ rows: [ResultRow], threshold: Double
  ) -> BaselineComparison.Outcome {
    var outcome = BaselineComparison.Outcome()
    for row in rows {
      guard let now = row.instructions, let before = counts[row.identity.description] else {
        continue
      }
      outcome.comparedRows += 1
      let change = Double(now - before) * 100 / Double(max(before, 1))
      let sentence =
        "\(row.identity): instructions went from \(Figures.grouped(before)) to "
        + "\(Figures.grouped(now)) (\(change < 0 ? "" : "+")\(Figures.significant(change)) %)."
      guard abs(now - before) > Self.slack else { continue }
      if change > threshold {
        outcome.regressions.append(sentence)
      } else if change < -threshold {
        outcome.improvements.append(sentence)
      }
    }
    return outcome
  }

  package static func read(fromFile path: String) throws -> InstructionBaseline {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
    } catch {
      throw CheckFailure(
        description:
          "\(path) holds no instruction counts that --instructions --record wrote: "
          + error.localizedDescription)
    }
  }

  package func write(toFile path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
  }
}
