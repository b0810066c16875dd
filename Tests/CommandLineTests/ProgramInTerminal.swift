import Foundation
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips tests that use a terminal if tmux is not installed.
  ///
  /// `.ci/run` installs it; `.ci/quick` does not.
  static var needsTerminal: Self {
    .enabled(if: ProgramInTerminal.isAvailable, "tmux is not installed")
  }
}

/// A program in a terminal of tmux, which takes keys and gives screens.
class ProgramInTerminal {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest wait; even a busy machine exceeds it only if something hangs.
  private static let patience = Duration.seconds(600)
  private let socket: String
  private let command: [String]
  private let server = Process()

  static let isAvailable: Bool = {
    let process = Process()
    return (try? launch(process, ["-V"])).map {
      process.waitUntilExit()
      return process.terminationStatus == 0
    } ?? false
  }()

  /// Starts a program.
  init(_ command: [String], width: Int = 80, height: Int = 24) throws {
    let own = FileManager.default.temporaryDirectory.appendingPathComponent(
      "t-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    socket = own.appendingPathComponent("s").path
    let settings = own.appendingPathComponent("tmux.conf")
    try Data("set -g remain-on-exit on\nset -sg escape-time 0\n".utf8).write(to: settings)
    self.command = command
    // The server stays a child of this process: a detached one would keep inherited descriptors, and Foundation would
    // wait for them to be closed.
    // The server passes its signals on to the program.
    try Self.launch(
      server, ["-S", socket, "-f", settings.path, "-D"], under: withDefaultSignals)
    let deadline = ContinuousClock.now + Self.patience
    while true {
      do {
        try tmux(["new-session", "-d", "-x", "\(width)", "-y", "\(height)"] + command)
        return
      } catch {
        // The server may not accept connections yet.
        guard server.isRunning, ContinuousClock.now < deadline else { throw error }
      }
    }
  }

  deinit {
    _ = try? tmux(["kill-server"])
    server.terminate()
    server.waitUntilExit()
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: socket).deletingLastPathComponent())
  }

  private static func launch(
    _ process: Process, _ arguments: [String], under prefix: [String] = [],
    output: Any = FileHandle.nullDevice
  ) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["LC_ALL=C.UTF-8"] + prefix + ["tmux", "-u"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    try Self.launch(process, ["-N", "-S", socket] + arguments, output: output)
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "tmux \(arguments) ended with \(process.terminationStatus).")
    }
    return text
  }

  /// Presses keys, by their names in tmux.
  func press(_ keys: [String]) throws {
    if !keys.isEmpty { try tmux(["send-keys"] + keys) }
  }

  func press(_ keys: String...) throws { try press(keys) }

  /// Types characters.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// The lines of the screen, from the first to the last.
  func screen() throws -> [String] {
    try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// Waits for the expected screen.
  @discardableResult
  func screen(when isExpected: ([String]) -> Bool) throws -> [String] {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let screen = try screen()
      if isExpected(screen) { return screen }
      guard ContinuousClock.now < deadline else {
        throw Failure(
          description: "The screen did not become what it should:\n"
            + screen.joined(separator: "\n"))
      }
    }
  }

  func resize(width: Int, height: Int) throws {
    try tmux(["resize-window", "-x", "\(width)", "-y", "\(height)"])
  }

  func signal(_ number: Int32) throws {
    let identifier = try tmux(["display-message", "-p", "#{pane_pid}"])
    let process = try #require(Int32(identifier.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(process, number) == 0)
  }

  /// Kills the app with SIGKILL, and waits for its end.
  func kill9() throws {
    try signal(SIGKILL)
    try waitForEnd()
  }

  func waitForEnd() throws {
    let deadline = ContinuousClock.now + Self.patience
    while try tmux(["display-message", "-p", "#{pane_dead}"]) != "1\n" {
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "The app did not end.")
      }
    }
  }

  /// Starts the app again in the same terminal.
  func start() throws { try tmux(["respawn-pane"] + command) }
}
