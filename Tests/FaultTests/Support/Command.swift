import Foundation

/// A process that was run to its end.
struct Command {
  let output: String
  let error: String
  /// The exit code, or the signal as a negative number.
  let status: Int32

  var wasKilled: Bool { status == -SIGKILL }

  /// Runs a program from the search path and waits for it.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) throws -> Command {
    let files = try OutputFiles()
    defer { files.remove() }
    let process = try start(arguments, environment: environment, files: files, input: input)
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Command(
      output: files.text(of: files.output), error: files.text(of: files.error),
      status: isSignal ? -process.terminationStatus : process.terminationStatus)
  }

  /// Runs a program that has to succeed.
  @discardableResult
  static func succeed(_ arguments: String...) throws -> Command {
    let command = try run(arguments)
    guard command.status == 0 else {
      throw FaultFailure("\(arguments.joined(separator: " ")): \(command.status) \(command.error)")
    }
    return command
  }

  /// Starts a program whose output goes to files, so that no full pipe can stop it.
  static func start(
    _ arguments: [String], environment: [String: String], files: OutputFiles, input: String? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    process.standardOutput = try FileHandle(forWritingTo: files.output)
    process.standardError = try FileHandle(forWritingTo: files.error)
    process.standardInput =
      try input.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: $0)) }
      ?? FileHandle.nullDevice
    try process.run()
    return process
  }
}

/// The files that receive the output of a process.
struct OutputFiles {
  let output: URL
  let error: URL

  init() throws {
    let name = FileManager.default.temporaryDirectory.path + "/keepsake-output-" + UUID().uuidString
    output = URL(fileURLWithPath: name + ".out")
    error = URL(fileURLWithPath: name + ".err")
    for url in [output, error] { try Data().write(to: url) }
  }

  func text(of url: URL) -> String {
    String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
  }

  func remove() {
    for url in [output, error] { try? FileManager.default.removeItem(at: url) }
  }
}

/// The error of a fault test that could not do its work.
struct FaultFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
