import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `The place of a session` {
  @Test func `A session is named by up to 64 letters, digits and hyphens`() throws {
    for text in ["a", "z", "0", "9", "a-", "az09-", String(repeating: "z", count: 64)] {
      #expect(try SessionIdentifier(text).text == text)
    }
    let beyond = ["`", "{", "/", ":", "A", "Z", "-a", "a.", "\u{E9}", ""]
    for text in beyond + [String(repeating: "z", count: 65)] {
      let error = #expect(throws: KeepsakeError.self) { try SessionIdentifier(text) }
      #expect(error?.code == .invalidIdentifier, "\(text)")
    }
  }

  /// Saves in a session and closes it.
  private func save(
    _ bytes: [UInt8], _ name: SessionIdentifier, _ directory: TemporaryDirectory
  ) async throws {
    let session = try await directory.sessions.open(name)
    try await session.save(bytes, previous: .replace)
    await session.suspend()
  }

  @Test func `The folder that was set aside last is opened where there are several`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try SessionIdentifier("main")
      let folder = directory.state.sessionsPath + "/main"
      let files = FileManager.default
      let other = directory.url.appendingPathComponent("other").path
      try await save([1], name, directory)
      try files.moveItem(atPath: folder + ".session", toPath: other)
      try await save([2], name, directory)
      try files.moveItem(atPath: folder + ".session", toPath: folder + ".expired-2000")
      try files.moveItem(atPath: other, toPath: folder + ".expired-1000")
      let session = try await directory.sessions.open(name)
      #expect(try await session.load() == .archive([2], failedLaunchCount: 0))
      #expect(files.fileExists(atPath: folder + ".expired-1000"))
    }
  }

  @Test func `Folders in the folder of a session are ignored`() async throws {
    try await TemporaryDirectory.with { directory in
      try await save([1], try SessionIdentifier("main"), directory)
      let before = try await directory.sessions.list()
      for name in ["0", "kept", "zz"] {
        try FileManager.default.createDirectory(
          atPath: directory.state.sessionsPath + "/main.session/" + name,
          withIntermediateDirectories: false)
      }
      #expect(try await directory.sessions.list() == before)
      #expect(before.count == 1 && before[0].lastSaved != nil)
    }
  }

  #if os(Linux)
    // Spec/state.md, section 2: there may be an archive that the app's key has sealed.
    @Test func `The app gets no new key while a session cannot be inspected`() async throws {
      try await TemporaryDirectory.with { directory in
        // The path is so long that only the archive of the other session exceeds 4095 bytes.
        let top = directory.url.path
        let depth = 4_006 - top.utf8.count
        let folder = "/" + String(repeating: "x", count: 99)
        let last = "/" + String(repeating: "x", count: depth % 100 + 99)
        let state = StateDirectory(
          path: top + String(repeating: folder, count: depth / 100 - 1) + last)
        let other = state.sessionsPath + "/" + String(repeating: "z", count: 64) + ".session"
        try DurableFile.createDirectory(at: other)
        let session = try await StateSessions(in: state).open(try SessionIdentifier("a"))
        #expect(
          await restorationCode { try await session.save([1], previous: .replace) }
            == .keyUnavailable)
        #expect(!directory.exists(state.sessionsPath + "/key"))
        try DurableFile.removeDirectory(at: other)
        try await session.save([1], previous: .replace)
        #expect(try await session.load() == .archive([1], failedLaunchCount: 0))
      }
    }
  #endif

  @Test func `A folder that contains no file of a session is ignored`() async throws {
    try await TemporaryDirectory.with { directory in
      for name in ["b", "d"] { try await save([1], try SessionIdentifier(name), directory) }
      for name in ["a", "c", "e"] {
        let folder = directory.state.sessionsPath + "/\(name).session"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: false)
        try directory.write(Data("mine".utf8), to: folder + "/notes")
      }
      #expect(try await directory.sessions.list().map(\.identifier.text).sorted() == ["b", "d"])
      let policy = SessionPolicy(maximumCount: 0)
      let removals = try await StateSessions(in: directory.state, policy: policy).prune()
      #expect(removals.map(\.identifier.text).sorted() == ["b", "d"])
      #expect(try directory.sessionNames() == ["a", "c", "e"])
    }
  }
}
