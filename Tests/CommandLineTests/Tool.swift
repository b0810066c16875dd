import Foundation
import Testing

/// The built `keepsake` tool, run as a process.
struct Tool {
  struct Result {
    let exitCode: Int32
    let output: String
    let error: String
  }

  static var url: URL {
    get throws { try executable("keepsake") }
  }

  /// A program of this package, which lies beside the one that runs the tests.
  static func executable(_ name: String) throws -> URL {
    let directory = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let candidates = [directory, directory.deletingLastPathComponent()]
      .map { $0.appendingPathComponent(name) }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "\(name) was not built beside \(directory.path).")
  }

  /// Runs the tool, or the tool under another command, and waits for its end.
  @discardableResult
  static func run(_ arguments: String..., under prefix: [String] = []) throws -> Result {
    try run(program: "keepsake", arguments, under: prefix)
  }

  /// Runs a program of this package, or the program under another command, and waits for its end.
  static func run(
    program: String, _ arguments: [String], under prefix: [String] = []
  ) throws -> Result {
    let process = Process()
    let command = prefix + [try executable(program).path] + arguments
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Standard error holds one sentence, which fits into the pipe while standard output is read.
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let errorData = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      exitCode: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      error: String(decoding: errorData, as: UTF8.self))
  }
}

/// A directory of a test's own, removed after it.
func withTemporaryDirectory<T>(_ body: (URL) throws -> T) throws -> T {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("keepsake-tests-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url)
}
