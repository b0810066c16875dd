import Foundation
import Keepsake
import Testing

/// The built `keepsake` tool, run as a process.
struct Tool {
  struct Result {
    let exitCode: Int32
    /// Standard output as text.
    var output: String { String(decoding: data, as: UTF8.self) }
    /// Standard output as bytes.
    let data: Data
    let error: String
  }

  static var url: URL {
    get throws { try executable("keepsake") }
  }

  /// A program of this package, in the folder of the program that runs the tests.
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
    program: String, _ arguments: [String], under prefix: [String] = [], in directory: URL? = nil,
    input: Data? = nil
  ) throws -> Result {
    let process = Process()
    let command = prefix + [try executable(program).path] + arguments
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = directory
    process.standardInput = try input.map(openFile) ?? FileHandle.nullDevice
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Standard error holds one sentence, which fits into the pipe while standard output is read.
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let errorData = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      exitCode: process.terminationStatus, data: outputData,
      error: String(decoding: errorData, as: UTF8.self))
  }

  /// Runs the tool, and returns its result with its peak memory in bytes.
  static func measure(
    _ arguments: [String], in directory: URL? = nil
  ) throws -> (result: Result, memory: Int) {
    // The last line of standard error is the memory in KiB.
    let program = """
      import os, sys
      child = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
      _, status, usage = os.wait4(child, 0)
      print(usage.ru_maxrss, file=sys.stderr)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let result = try run(
      program: "keepsake", arguments, under: ["python3", "-c", program], in: directory)
    let line = try #require(result.error.split(separator: "\n").last)
    return (result, try #require(Int(line)) * 1_024)
  }

  private static func openFile(_ content: Data) throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-input-\(UUID().uuidString)")
    try content.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forReadingFrom: url)
  }
}

/// Runs a test in a directory of its own, which is removed afterwards.
func withTemporaryDirectory<T>(_ body: (URL) throws -> T) throws -> T {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("keepsake-tests-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url)
}

/// A directory for one test, in which the tool runs as a user would run it.
struct Workplace {
  let directory: URL

  /// Makes a directory, and removes it after the test.
  static func with<T>(_ body: (Workplace) throws -> T) throws -> T {
    try withTemporaryDirectory { try body(Workplace(directory: $0)) }
  }

  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  func write(_ name: String, _ content: Data) throws { try content.write(to: url(name)) }

  func write(_ name: String, _ content: String) throws { try write(name, Data(content.utf8)) }

  func read(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// The least cost of a passphrase; the verbs choose one that takes up to a second.
  private static let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)

  /// Makes a key file; one under a passphrase opens at the least cost.
  @discardableResult
  func makeKey(_ name: String, under passphrase: String? = nil) throws -> SealKey {
    guard let passphrase else { return try SealKey.create(at: url(name).path) }
    return try SealKey.create(
      at: url(name).path, passphrase: SealPassphrase(passphrase), cost: Self.cost)
  }

  /// Seals a text under a passphrase, at the least cost.
  func seal(_ text: String, under passphrase: String, as name: String) throws {
    try SealedFile.seal(
      Array(text.utf8).span, to: url(name).path,
      for: [.passphrase(SealPassphrase(passphrase), cost: Self.cost)])
  }

  /// All names in the directory, hidden ones included.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// Runs the tool, and allows every outcome.
  func run(_ arguments: String..., input: Data? = nil) throws -> Tool.Result {
    try Tool.run(program: "keepsake", arguments, in: directory, input: input)
  }

  /// Runs the tool, and expects it to succeed.
  @discardableResult
  func succeed(_ arguments: String..., input: Data? = nil) throws -> Tool.Result {
    let result = try Tool.run(program: "keepsake", arguments, in: directory, input: input)
    #expect(result.exitCode == 0, "\(arguments): \(result.error)")
    #expect(result.error.isEmpty, "\(arguments): \(result.error)")
    return result
  }

  /// Runs the tool, and expects it to fail with an exit code and sentences in one line.
  @discardableResult
  func fail(_ exitCode: Int32, _ arguments: String..., input: Data? = nil) throws -> String {
    let result = try Tool.run(program: "keepsake", arguments, in: directory, input: input)
    #expect(result.exitCode == exitCode, "\(arguments): \(result.error)")
    #expect(
      result.error.hasPrefix("keepsake: ") && result.error.hasSuffix(".\n"), "\(result.error)")
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    return result.error
  }
}
