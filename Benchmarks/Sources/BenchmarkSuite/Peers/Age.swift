import BenchmarkHarness
import Foundation

/// The `age` command, which is no part of the package and need not be there.
enum Age {
  static let isInstalled = path(of: "age") != nil && path(of: "age-keygen") != nil

  private static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func run(_ name: String, _ arguments: [String]) throws {
    guard let path = path(of: name) else {
      throw CheckFailure(description: "\(name) is not installed.")
    }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try check(process.terminationStatus == 0, "\(name) failed.")
  }
}
