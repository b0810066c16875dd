/// What the command line asks for.
package struct Options: Equatable, Sendable {
  /// How much is measured.
  package enum Extent: String, Sendable {
    case quick, standard, full
  }

  package var extent = Extent.standard
  package var lists = false
  package var showsHelp = false
  package var filter = ""
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
  /// Whether instructions are counted instead of times measured.
  package var countsInstructions = false
  /// What this process measures for another one of the same program.
  package var errand: Errand?

  /// What a process of this program does for another one.
  package enum Errand: Equatable, Sendable {
    /// Runs one benchmark once and prints its memory.
    case memory(of: String)
    /// Runs one benchmark once under a counter of instructions, and prints its bytes.
    case instructions(of: String)
    /// Measures one task, bound to one core, and prints its rows.
    case boundTask(String)
    /// Seals or opens a file as a process of its own.
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
    case "--list": lists = true
    case "--no-memory": measuresMemory = false
    case "--no-times": comparesTimes = false
    case "--instructions": countsInstructions = true
    case "--filter": filter = try Self.value(of: option, from: &rest)
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
    case "--errand-memory": errand = .memory(of: try Self.value(of: option, from: &rest))
    case "--errand-instructions":
      errand = .instructions(of: try Self.value(of: option, from: &rest))
    case "--errand-bound-task": errand = .boundTask(try Self.value(of: option, from: &rest))
    case "--errand-seal":
      errand = .sealFile(Array(rest))
      rest = []
    default: throw OptionsFailure("There is no option \(option).")
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
