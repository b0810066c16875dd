import Foundation
import Keepsake
import TestSupport
import Testing

/// A launch in a separate process (Subject/LaunchSubject.swift).
private struct LaunchingProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ mode: String, in directory: TemporaryDirectory) throws {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [folder, folder.deletingLastPathComponent()].map { $0.path + "/saver-subject" }
        .first(where: FileManager.default.isExecutableFile))
    let command = withDefaultSignals + [program, directory.state.path, "launch " + mode]
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    // A process that does not end must not block the tests for ever.
    let process = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
  }

  /// The next line that the process prints; nil at the end.
  func line() throws -> String? {
    var bytes: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Sends a signal when the process waits for one.
  func end(by signal: Int32) throws {
    while let said = try line(), said != "waiting" {}
    kill(process.processIdentifier, signal)
  }

  /// The exit code, or the signal as a negative number.
  func status() -> Int32 {
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return isSignal ? -process.terminationStatus : process.terminationStatus
  }
}

// Row 36: the launches here are real processes.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct `A process that ends while it launches` {
  /// Runs a launch to its end, and returns the line that it prints about its restore.
  private func launch(
    _ mode: String = "", in directory: TemporaryDirectory, status: Int32 = 0
  ) throws -> String {
    let process = try LaunchingProcess(mode, in: directory)
    let line = try process.line() ?? ""
    #expect(process.status() == status, "\(mode): \(line)")
    return line
  }

  /// Saves a state, lets a launch end while it restores the state, and returns the output of the next launch.
  private func afterLaunch(
    _ mode: String, status: Int32, signal: Int32? = nil, inSession: Bool = false,
    changing change: (TemporaryDirectory) throws -> Void = { _ in }
  ) async throws -> String {
    try await TemporaryDirectory.with { directory in
      let suffix = inSession ? " session" : ""
      #expect(try launch("later return" + suffix, in: directory) == "nothing saved")
      if let signal {
        let process = try LaunchingProcess(mode + suffix, in: directory)
        try process.end(by: signal)
        #expect(process.status() == status)
      } else {
        #expect(try launch(mode + suffix, in: directory, status: status) == "restored")
      }
      try change(directory)
      return try launch("later return" + suffix, in: directory)
    }
  }

  private func isSetAside(
    _ mode: String, status: Int32, signal: Int32? = nil, inSession: Bool = false
  ) async throws -> Bool {
    let said = try await afterLaunch(mode, status: status, signal: signal, inSession: inSession)
    return said.hasPrefix("refused: ") && said.contains("ended while restoring the saved state")
      && said.contains("state.keepsake.interrupted-1")
  }

  // Row 36.
  @Test(arguments: ["finish", "frame"], [("kill", -SIGKILL), ("abort", -SIGABRT)])
  func `The state of a launch that crashes is set aside`(
    place: String, end: (String, Int32)
  ) async throws {
    #expect(try await isSetAside("\(place) \(end.0)", status: end.1))
    #expect(try await isSetAside("\(place) \(end.0)", status: end.1, inSession: true))
  }

  @Test(arguments: ["finish", "frame"])
  func `The state of a launch that SIGKILL ends is set aside`(place: String) async throws {
    #expect(try await isSetAside("\(place) wait", status: -SIGKILL, signal: SIGKILL))
  }

  // Row 36.
  @Test(arguments: ["finish", "frame"], [SIGTERM, SIGINT, SIGHUP])
  func `The state of a launch that SIGTERM, SIGINT or SIGHUP ends is restored again`(
    place: String, signal: Int32
  ) async throws {
    let said = try await afterLaunch("\(place) wait", status: -signal, signal: signal)
    #expect(said == "restored")
    let inSession = try await afterLaunch(
      "\(place) wait", status: -signal, signal: signal, inSession: true)
    #expect(inSession == "restored")
  }

  // Row 36.
  @Test(arguments: ["finish", "frame"], ["exit", "elsewhere"])
  func `The state of a launch that exits in order is restored again`(place: String, end: String)
    async throws
  {
    #expect(try await afterLaunch("\(place) \(end)", status: 7) == "restored")
    #expect(try await afterLaunch("\(place) \(end)", status: 7, inSession: true) == "restored")
  }

  // Each store of a process has a mark of its own.
  @Test
  func `An exit in order removes the marks of all stores that are still restoring`() async throws {
    try await TemporaryDirectory.with { directory in
      let said = try launch("stores exit", in: directory, status: 7)
      #expect(said == "marks 2")
      for number in 1...3 {
        let mark = StateDirectory(path: "\(directory.state.path)/\(number)").restorationMarkPath
        #expect(!FileManager.default.fileExists(atPath: mark), "store \(number)")
      }
    }
  }

  @Test
  func `The state of a launch that ends after its first frame is restored again`() async throws {
    #expect(try await afterLaunch("later kill", status: -SIGKILL) == "restored")
  }

  // Row 36.
  @Test func `The state of a launch that ended with the machine is restored again`() async throws {
    let said = try await afterLaunch("finish kill", status: -SIGKILL) { directory in
      let path = directory.state.restorationMarkPath
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.first == "1" && lines.count == 2)
      try directory.write(Data("1\n\(UUID().uuidString.lowercased())\n".utf8), to: path)
    }
    #expect(said == "restored")
  }

  // Spec/state.md, section 2.1.
  @Test func `All windows of a process that SIGKILL ends come back in their order`() async throws {
    try await TemporaryDirectory.with { directory in
      try end(LaunchingProcess("windows open", in: directory))
      for _ in 0..<2 {
        let next = try LaunchingProcess("windows resume", in: directory)
        #expect(try next.line() == "two three one")
        try end(next)
      }
    }
  }

  private func end(_ process: LaunchingProcess) throws {
    try process.end(by: SIGKILL)
    #expect(process.status() == -SIGKILL)
  }

  // Each launch dies once its state is shown; every second launch finds that state set aside and saves another.
  @Test func `A state does not end two launches one after the other`() async throws {
    try await TemporaryDirectory.with { directory in
      #expect(try launch("later return", in: directory) == "nothing saved")
      for number in 0..<5 {
        let dies = number % 2 == 0
        let said = try launch("finish kill", in: directory, status: dies ? -SIGKILL : 0)
        #expect(said.hasPrefix(dies ? "restored" : "refused: "))
      }
    }
  }
}

@MainActor
@Suite struct `The mark in a directory` {
  private nonisolated static let otherBoot = UUID().uuidString.lowercased()

  // Spec/state.md, section 1, rule 12.
  @Test(arguments: [
    ("3\n", 3), ("3\n\(otherBoot)\n", 2), ("1\n\(otherBoot)\n", 0), ("3\n\(otherBoot)", 3),
    ("3\nno identifier\n", 3), ("3\n\n", 3),
  ])
  func `The number in a mark leaves out a launch that ended with the machine`(
    mark: String, count: Int
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      try directory.write(Data(mark.utf8), to: directory.state.restorationMarkPath)
      #expect(try await store.load() == .archive([1], failedLaunchCount: count))
      try store.beginRestoration(attempt: 3)
      #expect(try await store.load() == .archive([1], failedLaunchCount: 3))
      try store.endRestoration()
    }
  }
}
