import Foundation
import Keepsake
import TestSupport
import Testing

/// A process whose state is 2 and marked, while 1 is saved (Subject/SaverSubject.swift).
private struct EndingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the program and waits until it is ready.
  init(_ mode: String, in directory: TemporaryDirectory, after prefix: String = "") throws {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [folder, folder.deletingLastPathComponent()].map { $0.path + "/saver-subject" }
        .first(where: FileManager.default.isExecutableFile))
    let command =
      withDefaultSignals
      + ["/bin/sh", "-c", prefix + "exec \"$@\"", "sh", program, directory.state.path, mode]
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // A process that does not end must not block the tests for ever.
    let process = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    #expect(try line() == "ready")
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

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  #if os(Linux)
    /// From now on the process gets no more threads: their stacks, of 256 MiB each, do not fit any more.
    func takeThreadsAway() throws {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmSize:") })
      let kibibytes = try #require(
        line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
      let change = Process()
      change.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
      change.arguments = [
        "--pid", "\(process.processIdentifier)", "--as=\((kibibytes + 64 << 10) << 10)",
      ]
      try change.run()
      change.waitUntilExit()
      try #require(change.terminationStatus == 0)
    }

    /// A command that gives the threads of the process large stacks.
    static let largeStacks = "ulimit -s 262144; "
  #endif

  /// Gives the process a line to read.
  func tell() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("still here\n".utf8))
  }

  /// True when the process still runs after the signals that it was sent.
  func answers(_ answer: String = "still here") throws -> Bool {
    try tell()
    return try line() == answer
  }

  /// The exit code, or the signal as a negative number.
  func status() throws -> Int32 {
    process.waitUntilExit()
    #expect(try line() == nil)
    let isSignal = process.terminationReason == .uncaughtSignal
    return isSignal ? -process.terminationStatus : process.terminationStatus
  }

  /// The number that the next launch finds in the only session, and the reason of the session.
  @MainActor
  static func session(
    in directory: TemporaryDirectory
  ) async throws -> (saved: Int?, reason: RestorationReason?) {
    let session = try await StateSessions(in: directory.state).resume()
    guard case .archive(let bytes, 0) = try await session.load() else {
      return (nil, session.reason)
    }
    let application = try Archive(bytes).object(ArchiveObjectID(1))
    return (try application.decode(Int.self, forKey: "number"), session.reason)
  }

  /// The number that the next launch finds.
  @MainActor
  static func saved(in directory: TemporaryDirectory) async throws -> Int? {
    let store = SealedStateStore(directory: directory.state)
    guard case .archive(let bytes, 0) = try await store.load() else { return nil }
    return try Archive(bytes).object(ArchiveObjectID(1)).decode(Int.self, forKey: "number")
  }
}

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `A process that ends` {
  private func withProcess(
    _ mode: String, after prefix: String = "",
    _ body: @MainActor (EndingProcess) throws -> Void
  ) async throws -> Int? {
    try await TemporaryDirectory.with { directory in
      try body(try EndingProcess(mode, in: directory, after: prefix))
      return try await EndingProcess.saved(in: directory)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `A process saves marked changes before a signal ends it`(
    signal: Int32
  ) async throws {
    let saved = try await withProcess("wait") { process throws in
      process.send(signal)
      #expect(try process.status() == -signal)
    }
    #expect(saved == 2)
  }

  @Test(
    arguments: [
      ("session", SIGTERM, .systemKill), ("session", SIGHUP, .systemKill),
      ("session", SIGINT, .userQuit), ("session", SIGKILL, .crash),
      ("session quit", SIGTERM, .userQuit), ("session background", SIGINT, .systemKill),
    ] as [(String, Int32, RestorationReason)])
  func `A process that a signal ends tells its session the reason, unless the app has done so`(
    mode: String, signal: Int32, reason: RestorationReason
  ) async throws {
    let found = try await TemporaryDirectory.with { directory in
      let process = try EndingProcess(mode, in: directory)
      process.send(signal)
      #expect(try process.status() == -signal)
      return try await EndingProcess.session(in: directory)
    }
    #expect(found.reason == reason && found.saved == (signal == SIGKILL ? 1 : 2))
  }

  @Test(
    arguments: [("return", 0), ("exit", 7), ("exit elsewhere", 7), ("return beside another", 0)]
      as [(String, Int32)])
  func `A process that exits saves marked changes, and keeps its exit status`(
    mode: String, status: Int32
  ) async throws {
    let saved = try await withProcess(mode) { process throws in
      #expect(try process.status() == status)
    }
    #expect(saved == 2)
  }

  @Test func `A process that exits tells its app what could not be saved`() async throws {
    try await TemporaryDirectory.with { directory in
      let process = try EndingProcess("return when told", in: directory)
      // A folder has the name of the archive, so the save fails.
      let path = directory.state.archivePath
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try process.tell()
      let said = try process.line() ?? ""
      #expect(said.hasPrefix("failed ") && said.contains(path), "\(said)")
      #expect(try process.status() == 0)
    }
  }

  @Test func `A process that exits in its first launch saves a property that no save had found`()
    async throws
  {
    let saved = try await withProcess("first launch") { process throws in
      #expect(try process.status() == 0)
    }
    #expect(saved == 2)
  }

  @Test func `SIGKILL leaves the state of the last save`() async throws {
    let saved = try await withProcess("wait") { process throws in
      process.send(SIGKILL)
      #expect(try process.status() == -SIGKILL)
    }
    #expect(saved == 1)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `A save that takes longer than the limit does not keep a signal from ending the process`(
    signal: Int32
  ) async throws {
    let saved = try await withProcess("block") { process throws in
      process.send(signal)
      #expect(try process.status() == -signal)
    }
    #expect(saved == 1)
  }

  @Test func `A signal that the app handles is left to the app`() async throws {
    let saved = try await withProcess("handle") { process throws in
      process.send(SIGTERM)
      #expect(try process.status() == 9)
    }
    #expect(saved == 1)
    // The other signals are not the app's.
    let other = try await withProcess("handle") { process throws in
      process.send(SIGINT)
      #expect(try process.status() == -SIGINT)
    }
    #expect(other == 2)
  }

  @Test func `A signal that was ignored when the process began does not end it`() async throws {
    let saved = try await withProcess("wait", after: "trap '' HUP; ") { process throws in
      process.send(SIGHUP)
      #expect(try process.answers())
      process.send(SIGTERM)
      #expect(try process.status() == -SIGTERM)
    }
    #expect(saved == 2)
  }

  #if os(Linux)
    @Test
    func `An app gets an error when no thread can be made to wait for signals`() async throws {
      let saved = try await withProcess("late", after: EndingProcess.largeStacks) {
        process throws in
        try process.takeThreadsAway()
        #expect(try process.answers("refused storeUnavailable"))
        #expect(try process.status() == 0)
      }
      #expect(saved == 1)
    }
  #endif

  @Test
  func `A shutdown releases the app, and a later signal ends the process at once`() async throws {
    let saved = try await withProcess("shut down") { process throws in
      #expect(try process.line() == "released")
      process.send(SIGTERM)
      #expect(try process.status() == -SIGTERM)
    }
    #expect(saved == 2)
  }
}
