import Foundation
import Testing

@testable import Keepsake

// Spec/state.md, section 2.1.
@MainActor
@Suite struct `The windows that are open` {
  /// Opens the windows of the last launch, as a new process does.
  private func resumed(
    _ directory: TemporaryDirectory, then use: @MainActor ([StateSession]) async throws -> Void
  ) async throws -> [String] {
    let sessions = try await directory.sessions.resumeAll()
    try await use(sessions)
    return sessions.map(\.identifier.text)
  }

  private func resumed(_ directory: TemporaryDirectory) async throws -> [String] {
    try await resumed(directory) { _ in }
  }

  private func save(_ names: [String], in directory: TemporaryDirectory) async throws {
    for name in names { try await directory.save(name, in: try SessionIdentifier(name)) }
  }

  private func list(of directory: TemporaryDirectory) throws -> String {
    let path = directory.state.sessionsPath + "/windows"
    #expect(try directory.permissions(path) == 0o600)
    return String(decoding: try directory.contents(path), as: UTF8.self)
  }

  private func write(_ text: String, in directory: TemporaryDirectory) throws {
    try directory.write(Data(text.utf8), to: directory.state.sessionsPath + "/windows")
  }

  @Test
  func `All windows come back in their order, and not in the order of their saves`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b", "c"], in: directory)
      try await directory.save("newer", in: try SessionIdentifier("b"))
      #expect(try await resumed(directory) == ["a", "b", "c"])
      #expect(try list(of: directory) == "keepsake windows 0\na\nb\nc\n")
      #expect(try await directory.sessions.resumeAll().map(\.reason) == [.crash, .crash, .crash])
    }
  }

  @Test func `The window that is brought to the front is the last one`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b", "c"], in: directory)
      _ = try await resumed(directory) { sessions in
        try await sessions[0].bringToFront()
        try await sessions[0].bringToFront()
      }
      #expect(try await resumed(directory) == ["b", "c", "a"])
    }
  }

  @Test
  func `A window that the user closed does not come back, and one that ended with the app does`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b", "c"], in: directory)
      _ = try await resumed(directory) { sessions in
        try await sessions[1].close()
        for session in [sessions[0], sessions[2]] { try await session.end(.userQuit) }
      }
      #expect(try await resumed(directory) == ["a", "c"])
      // The user opens the closed window again.
      let again = try await directory.sessions.open(try SessionIdentifier("b"))
      #expect(again.reason == .userQuit)
      #expect(try await directory.text(in: again) == "b")
    }
  }

  @Test func `A closed window is listed again when its session is opened again`() async throws {
    try await TemporaryDirectory.with { directory in
      let (sessions, name) = (directory.sessions, try SessionIdentifier("a"))
      let session = try await sessions.open(name)
      try await session.save([1], previous: .replace)
      try await session.close()
      #expect(try list(of: directory) == "keepsake windows 0\n")
      #expect(try await sessions.open(name) === session)
      #expect(try list(of: directory) == "keepsake windows 0\na\n")
      #expect(SessionRecord(at: directory.path("session", of: name))?.use == .active)
    }
  }

  @Test func `No window comes back when the user has closed or discarded all`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b"], in: directory)
      _ = try await resumed(directory) { sessions in
        try await sessions[0].close()
        try await sessions[1].discard()
      }
      #expect(try list(of: directory) == "keepsake windows 0\n")
      #expect(try await resumed(directory) == [])
      // The closed session is the last saved one.
      #expect(try await directory.sessions.resume().identifier.text == "a")
    }
  }

  @Test func `Windows that other processes use, or that have no state, are skipped`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b", "c"], in: directory)
      _ = try await directory.sessions.open(try SessionIdentifier("empty"))
      let other = try OtherProcess(locking: directory.path("lock", of: SessionIdentifier("b")))
      #expect(try await resumed(directory) == ["a", "c"])
      other.kill()
      #expect(try await resumed(directory) == ["a", "b", "c"])
    }
  }

  @Test
  func `An expired window is skipped, and comes back when sessions do not expire`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b"], in: directory)
      try await directory.save("old", in: try SessionIdentifier("a"), age: 40 * 24 * 60 * 60)
      #expect(try await resumed(directory) == ["b"])
      let patient = StateSessions(in: directory.state, policy: SessionPolicy(expiry: nil))
      #expect(try await patient.resumeAll().map(\.identifier.text) == ["a", "b"])
    }
  }

  @Test(arguments: [
    "", "keepsake windows 1\na\n", "keepsake windows 0", "keepsake windows 0\na",
    "keepsake windows 0\n../a\n", "keepsake windows 0\n\n", "keepsake windows 0\r\na\r\n",
    "keepsake windows 0\n" + String(repeating: "a\n", count: 1 << 19),
  ])
  func `Only the session that was saved last comes back if the list cannot be read`(text: String)
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b"], in: directory)
      try await directory.save("older", in: try SessionIdentifier("b"), age: 60)
      try write(text, in: directory)
      #expect(try await resumed(directory) == ["a"])
      // The session that was opened begins a new list.
      #expect(try list(of: directory) == "keepsake windows 0\na\n")
    }
  }

  @Test func `A name is listed once, and a name without a session is left out`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a", "b"], in: directory)
      try write("keepsake windows 0\nb\ngone\na\nb\n", in: directory)
      #expect(try await resumed(directory) { try await $0[0].bringToFront() } == ["b", "a"])
      #expect(try list(of: directory) == "keepsake windows 0\na\nb\n")
    }
  }

  @Test func `A list has at most 10,000 names, and leaves out those farthest back`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save(["a"], in: directory)
      let folder = directory.state.sessionsPath
      for number in 0..<10_000 {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(number).session", withIntermediateDirectories: false)
      }
      let names = (0..<10_000).map { "\($0)\n" }.joined()
      try write("keepsake windows 0\na\n" + names, in: directory)
      var windows = OpenWindows(in: StateDirectory(path: folder))
      #expect(windows.identifiers?.count == 10_001)
      try windows.bringToFront(try SessionIdentifier("0"))
      let listed = try #require(OpenWindows(in: StateDirectory(path: folder)).identifiers)
      #expect(listed.count == 10_000 && listed.first?.text == "1" && listed.last?.text == "0")
    }
  }

  @Test func `The record of a closed window has the form of version 0.1.0`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await save(["a"], in: directory)
      _ = try await resumed(directory) { try await $0[0].close() }
      let record = try directory.contents(directory.path("session", of: SessionIdentifier("a")))
      let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
      #expect(lines.prefix(2) == ["keepsake session 0", "userQuit"])
    }
  }
}
