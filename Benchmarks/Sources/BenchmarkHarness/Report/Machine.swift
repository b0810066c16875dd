import Foundation

/// The facts about a machine that a reader needs to compare figures.
package struct Machine: Equatable, Sendable, CustomStringConvertible {
  package var processor: String
  package var cores: Int
  package var memory: Int
  package var system: String
  package var compiler: String
  package var date: String
  /// The average number of threads that wanted to run in the last minute.
  package var load: Double?

  package init(
    processor: String, cores: Int, memory: Int, system: String, compiler: String, date: String,
    load: Double? = nil
  ) {
    self.processor = processor
    self.cores = cores
    self.memory = memory
    self.system = system
    self.compiler = compiler
    self.date = date
    self.load = load
  }

  /// The machine that this process runs on, at this time.
  package static func current(compiler: String) -> Machine {
    let information = ProcessInfo.processInfo
    return Machine(
      processor: processorName(), cores: information.activeProcessorCount,
      memory: Int(clamping: information.physicalMemory),
      system: information.operatingSystemVersionString, compiler: compiler,
      date: Date.now.formatted(.iso8601), load: currentLoad())
  }

  package var description: String {
    let load = load.map { "; load \(Figures.significant($0))" } ?? ""
    return "\(processor), \(cores) cores, \(Figures.bytes(memory)); \(system); \(compiler), release"
      + "\(load); \(date)"
  }

  /// A warning when other programs use the machine so much that times mean little.
  package var warning: String? {
    guard let load, load > Double(cores) / 2 else { return nil }
    return
      "The machine is busy: load \(Figures.significant(load)) on \(cores) cores. Times are too "
      + "long, and ratios of long to short ones too large; sizes and allocations are right."
  }

  private static func currentLoad() -> Double? {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    return text.split(separator: " ").first.flatMap { Double($0) }
  }

  private static func processorName() -> String {
    let table = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    for line in table.split(separator: "\n") where line.hasPrefix("model name") {
      return line.drop { $0 != ":" }.dropFirst(2).description
    }
    return "unknown processor"
  }
}
