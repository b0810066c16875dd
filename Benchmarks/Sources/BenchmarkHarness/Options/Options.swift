/// The options of the command line.
package struct Options: Equatable, Sendable {
  /// The extent of the measurements.
  package enum Extent: String, Sendable {
    case quick, standard, full, scale
  }

  package var extent = Extent.standard
  package var lists = false
  package var showsHelp = false
  /// The filters; if there are any, all words of at least one must be in a benchmark's name.
  package var filters: [String] = []
  package var minimumSamples: Int?
  package var measuresMemory = true
  package var jsonPath: String?
  package var htmlPath: String?
  package var chartDirectory: String?
  package var markdownPath: String?
  package var baselinePath: String?
  package var recordPath: String?
  package var threshold = 10.0
  package var comparesTimes = true
  /// True when instructions are counted instead of times measured.
  package var countsInstructions = false
  /// The work of this process for another process of the same program, if any.
  package var subtask: Subtask?

  /// The work of a process for another process of the same program.
  package enum Subtask: Equatable, Sendable {
    /// Runs one benchmark once and prints its memory.
    case memory(of: String)
    /// Runs one benchmark once under a counter of instructions, and prints its bytes.
    case instructions(of: String)
    /// Measures one task, bound to one core, and prints its rows.
    case boundTask(String)
    /// Seals or opens a file in a separate process.
    case sealFile([String])
  }

  package init() {}

  package init(_ arguments: [String]) throws(OptionsFailure) {
    var rest = arguments[...]
    while let option = rest.popFirst() { try take(option, from: &rest) }
  }

  private mutating func take(
    _ option: String, from rest: inout ArraySlice<String>
  ) throws(OptionsFailure) {
    switch option {
    case "--help", "-h": showsHelp = true
    case "--quick": extent = .quick
    case "--full": extent = .full
    case "--scale": extent = .scale
    case "--list": lists = true
    case "--no-memory": measuresMemory = false
    case "--no-times": comparesTimes = false
    case "--instructions": countsInstructions = true
    case "--filter": filters.append(try Self.value(of: option, from: &rest))
    case "--json": jsonPath = try Self.value(of: option, from: &rest)
    case "--html": htmlPath = try Self.value(of: option, from: &rest)
    case "--charts": chartDirectory = try Self.value(of: option, from: &rest)
    case "--markdown": markdownPath = try Self.value(of: option, from: &rest)
    case "--baseline": baselinePath = try Self.value(of: option, from: &rest)
    case "--record": recordPath = try Self.value(of: option, from: &rest)
    case "--threshold":
      guard let percent = Double(try Self.value(of: option, from: &rest)), percent >= 0,
        percent.isFinite
      else { throw OptionsFailure("--threshold needs a number of percent, such as 10.") }
      threshold = percent
    case "--samples":
      guard let count = Int(try Self.value(of: option, from: &rest)), count > 0 else {
        throw OptionsFailure("--samples needs a positive number.")
      }
      minimumSamples = count
    case "--subtask-memory": subtask = .memory(of: try Self.value(of: option, from: &rest))
    case "--subtask-instructions":
      subtask = .instructions(of: try Self.value(of: option, from: &rest))
    case "--subtask-bound-task": subtask = .boundTask(try Self.value(of: option, from: &rest))
    case "--subtask-seal":
      subtask = .sealFile(Array(rest))
      rest = []
    default: throw OptionsFailure("There is no option \(option).")
    }
  }

  /// True when a benchmark with this name is selected.
  package func includes(_ name: String) -> Bool {
    filters.isEmpty
      || filters.contains { filter in
        filter.split(separator: " ").allSatisfy { name.contains($0) }
      }
  }

  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws(OptionsFailure) -> String {
    guard let value = rest.popFirst(), !value.hasPrefix("--") else {
      throw OptionsFailure("\(option) needs a value.")
    }
    return value
  }
}

/// A command line that cannot be understood.
package struct OptionsFailure: Error, Equatable, CustomStringConvertible {
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { "\(reason)\n\(Options.usage)" }
}

extension Options {
  package static let usage = """
    usage: swift run bench [options]
      --quick              small sizes and few samples: sizes, allocations and round trips
      --full               every size, more samples
      --scale              ten million objects and an archive of 20 GB, by streams and at random, and nothing
                           else; needs 50 GB of disk and half an hour
      --filter TEXT        only benchmarks whose name contains TEXT; several words must all be in it;
                           given several times, those that match one of them
      --list               print the names of the benchmarks and stop
      --samples COUNT      at least COUNT samples of each benchmark
      --no-memory          leave out peak memory, which needs a process for each benchmark
      --peers all          more rivals: GRDB, SQLCipher, swift-crypto, msgpack, cbor, and sizes after zstd; builds for
                           some minutes more, and needs libraries of the system (see Benchmarks/README.md)
      --json FILE          write the figures to FILE as well
      --html FILE          write a page with charts to FILE
      --charts DIRECTORY   write the charts to DIRECTORY as SVG
      --markdown FILE      write the main figures to FILE as tables
      --baseline FILE      compare with the figures that --json wrote to FILE; exit 1 on a regression
      --threshold PERCENT  how much worse is a regression (default 10)
      --no-times           compare sizes and allocations only
      --instructions       count instructions with valgrind instead of measuring times; with --baseline
                           and --record, which then mean a file of counts, Keepsake's rows only
      --record FILE        write Keepsake's sizes and allocations to FILE, as a baseline without times
    """
}
