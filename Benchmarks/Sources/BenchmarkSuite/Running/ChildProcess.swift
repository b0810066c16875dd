import BenchmarkHarness
import Foundation

/// Another process of this program, or of another one.
struct ChildProcess {
  private let process = Process()
  private let output = Pipe()

  /// Starts this program with arguments.
  init(_ arguments: [String]) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    try start()
  }

  /// Starts another program from the search path, with variables in addition to those of this process.
  init(command: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try start()
  }

  private func start() throws {
    process.standardOutput = output
    try process.run()
  }

  /// Waits for the end, and returns the standard output.
  func wait() throws -> Data {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try check(
      process.terminationReason == .exit && process.terminationStatus == 0,
      "A process of the benchmarks ended with status \(process.terminationStatus).")
    return data
  }
}

extension Options.Extent {
  /// The arguments that select the same list of benchmarks.
  var arguments: [String] {
    switch self {
    case .quick: ["--quick"]
    case .standard: []
    case .full: ["--full"]
    case .scale: ["--scale"]
    }
  }
}
