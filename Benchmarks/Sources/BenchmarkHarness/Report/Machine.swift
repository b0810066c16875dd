import Foundation

/// What a reader must know to compare figures.
package struct Machine: Equatable, Sendable, CustomStringConvertible {
  package var processor: String
  package var cores: Int
  package var memory: Int
  package var system: String
  package var compiler: String
  package var date: String

  package init(
    processor: String, cores: Int, memory: Int, system: String, compiler: String, date: String
  ) {
    self.processor = processor
    self.cores = cores
    self.memory = memory
    self.system = system
    self.compiler = compiler
    self.date = date
  }

  /// The machine that this process runs on, at this time.
  package static func current(compiler: String) -> Machine {
    let information = ProcessInfo.processInfo
    return Machine(
      processor: processorName(), cores: information.activeProcessorCount,
      memory: Int(clamping: information.physicalMemory),
      system: information.operatingSystemVersionString, compiler: compiler,
      date: Date.now.formatted(.iso8601))
  }

  package var description: String {
    "\(processor), \(cores) cores, \(Figures.bytes(memory)); \(system); \(compiler), release; \(date)"
  }

  private static func processorName() -> String {
    let table = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    for line in table.split(separator: "\n") where line.hasPrefix("model name") {
      return line.drop { $0 != ":" }.dropFirst(2).description
    }
    return "unknown processor"
  }
}
