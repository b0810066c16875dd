import Foundation
import Testing

@testable import Keepsake

extension TemporaryDirectory {
  var sessions: StateSessions { StateSessions(in: state) }

  /// The path of a file of a session.
  func path(_ name: String, of session: SessionIdentifier) -> String {
    "\(state.sessionsPath)/\(session).session/\(name)"
  }

  /// Saves bytes in a session, as a process that then ends without a reason.
  @MainActor @discardableResult
  func save(
    _ text: String, in identifier: SessionIdentifier = SessionIdentifier(), age: Double = 0,
    then end: @MainActor (StateSession) async throws -> Void = { _ in }
  ) async throws -> SessionIdentifier {
    let session = try await sessions.open(identifier)
    try await session.save(Array(text.utf8), previous: .replace)
    try await end(session)
    let archive = path("state.keepsake", of: identifier)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-age)], ofItemAtPath: archive)
    return identifier
  }

  /// The text that a session has saved.
  @MainActor func text(in session: StateSession) async throws -> String? {
    guard case .archive(let bytes, _) = try await session.load() else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The paths of the folders in which sessions were set aside.
  func expiredFolders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state.sessionsPath)
      .filter { $0.contains(".expired-") }.sorted().map { state.sessionsPath + "/" + $0 }
  }

  func sessionNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state.sessionsPath)
      .filter { $0.hasSuffix(".session") }.map { String($0.dropLast(8)) }.sorted()
  }
}

/// The `KeepsakeError` that `body` throws, or nil when it throws none.
@MainActor
func thrownError(_ body: @MainActor () async throws -> Void) async -> KeepsakeError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? KeepsakeError
  }
}

/// The code of the error that `body` throws, or nil when it throws none.
@MainActor
func code(_ body: @MainActor () async throws -> some Any) async -> KeepsakeError.Code? {
  await thrownError { _ = try await body() }?.code
}

/// The code of the `RestorationError` that `body` throws, or nil when it throws none.
@MainActor
func restorationCode(
  _ body: @MainActor () async throws -> some Any
) async -> RestorationError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? RestorationError)?.code
  }
}

/// The code of the error that the synchronous `body` throws, or nil when it throws none.
func code(_ body: () throws -> Void) -> KeepsakeError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? KeepsakeError)?.code
  }
}

/// Another process that holds the lock of a file until it is killed.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe()

  init(locking path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["flock", "--no-fork", path, "sh", "-c", "echo held; exec cat"]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    _ = try #require(String(data: output.fileHandleForReading.availableData, encoding: .utf8))
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
