import Foundation

/// What a reader must know to compare figures.
struct Machine: Encodable, CustomStringConvertible {
  var processor: String
  var cores: Int
  var system: String
  var compiler: String

  init() {
    let information = ProcessInfo.processInfo
    processor = Self.processorName()
    cores = information.activeProcessorCount
    system = information.operatingSystemVersionString
    #if compiler(>=6.3)
      compiler = "Swift 6.3 or later"
    #else
      compiler = "Swift 6.2"
    #endif
  }

  var description: String {
    "\(processor), \(cores) cores; \(system); \(compiler), release"
  }

  private static func processorName() -> String {
    let table = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    for line in table.split(separator: "\n") where line.hasPrefix("model name") {
      return line.drop { $0 != ":" }.dropFirst(2).description
    }
    return "unknown processor"
  }
}
