import Foundation
import Testing

@testable import Keepsake

// Spec/state.md, section 1.
@MainActor
@Suite struct `The lock of a state` {
  private func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  private func bytes(_ directory: TemporaryDirectory) async throws -> StoredState {
    try await SealedStateStore(directory: directory.state).load()
  }

  /// True when another process can have the lock.
  private func isFree(_ directory: TemporaryDirectory) throws -> Bool {
    let process = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["flock", "--nonblock", directory.state.lockPath, "true"])
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(arguments: [0o777, 0o770, 0o702, 0o1777])
  func `The lock is not taken in a directory that others can write`(mode: Int) async throws {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      try await directory.save("session")
      let before = try directory.contents(directory.state.archivePath)
      for path in [directory.state.path, directory.state.sessionsPath] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      let store = SealedStateStore(directory: directory.state)
      let works: [(String, @MainActor () async throws -> Void)] = [
        ("load", { _ = try await store.load() }),
        ("save", { try await store.save([2], previous: .replace) }),
        ("remove", { try await store.remove() }), ("reset", { try await store.reset() }),
        ("set aside", { _ = try await store.setAside() }),
        ("mark", { try store.beginRestoration(attempt: 1) }),
        ("sessions", { _ = try await directory.sessions.list() }),
        (
          "migrate",
          {
            try SealedArchive.plan().migrateFile(
              at: directory.state.archivePath, keys: [try SealKey.generate()])
          }
        ),
      ]
      for (name, work) in works {
        let error = await #expect(throws: (any Error).self) { try await work() }
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("chmod go-w '\(directory.state.path)"), "\(name): \(text)")
        #expect(text.contains("mode 0\(String(mode, radix: 8))"), "\(name): \(text)")
      }
      #expect(try directory.contents(directory.state.archivePath) == before)
      #expect(try directory.names() == ["key", "sessions", "state.keepsake"])
    }
  }

  @Test func `The lock is released when the process is suspended, and taken again`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      #expect(try !isFree(directory))
      await store.suspend()
      #expect(try isFree(directory))
      try await store.save([2], previous: .replace)
      #expect(try !isFree(directory))
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))
      await store.suspend()
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))

      await store.suspend()
      let other = try OtherProcess(locking: directory.state.lockPath)
      let error = await thrownError { try store.saveNow([3], previous: .replace) }
      #expect(error?.code == .stateInUse)
      other.kill()
      try await store.save([3], previous: .replace)
      #expect(try await bytes(directory) == .archive([3], failedLaunchCount: 0))
    }
  }

  @Test
  func `A state that was saved while the lock was released is not overwritten`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      await store.suspend()
      // This process acts as another one, with its own store.
      try await SealedStateStore(directory: directory.state).save([2], previous: .replace)
      let works: [@MainActor () async throws -> Void] = [
        { try store.saveNow([3], previous: .replace) },
        { try store.saveNow([3], previous: .setAside) },
        { try store.removeNow() },
      ]
      for work in works {
        let error = await thrownError(work)
        #expect(error?.code == .stateChanged)
        #expect(error?.message.contains(directory.state.path) == true)
      }
      #expect(await restorationCode { try await store.setAside() } == .storeUnavailable)
      #expect(try directory.names() == ["key", "state.keepsake"])
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))
      try await store.save([3], previous: .replace)
      #expect(try await bytes(directory) == .archive([3], failedLaunchCount: 0))
    }
  }

  @Test func `Archives that others set aside while the lock was released count towards the limit`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      await store.suspend()
      for number in 1...SealedStateStore.setAsideLimit + 2 {
        let path = directory.state.archivePath + ".set-aside-\(number)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
      }
      try await store.save([2], previous: .replace)
      let names = try directory.names().filter { $0.contains(".set-aside-") }
      #expect(names.count == SealedStateStore.setAsideLimit)
      #expect(!names.contains("state.keepsake.set-aside-2"))
    }
  }

  @Test func `A store notices that its directory was replaced, and saves only after a new load`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      try await store.save([1], previous: .replace)
      let moved = directory.url.appendingPathComponent("moved").path
      try move(directory.state.path, to: moved)
      try await SealedStateStore(directory: directory.state).save([2], previous: .replace)
      let error = await thrownError { try store.saveNow([3], previous: .replace) }
      #expect(error?.code == .stateChanged)
      #expect(try await bytes(directory) == .archive([2], failedLaunchCount: 0))
      let other = SealedStateStore(directory: StateDirectory(path: moved))
      #expect(try await other.load() == .archive([1], failedLaunchCount: 0))
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))
      try await store.save([3], previous: .replace)
      #expect(try await bytes(directory) == .archive([3], failedLaunchCount: 0))
    }
  }

  @Test
  func `The lock is taken again when its file or the whole directory was removed`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      for (byte, path) in [(2, directory.state.lockPath), (3, directory.state.path)] {
        try await store.save([1], previous: .replace)
        try FileManager.default.removeItem(atPath: path)
        try await store.save([UInt8(byte)], previous: .replace)
        #expect(try !isFree(directory))
        #expect(try await bytes(directory) == .archive([UInt8(byte)], failedLaunchCount: 0))
      }
    }
  }

  @Test func `A session notices changes that were made while its lock was released`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("old")
      let session = try await directory.sessions.open(name)
      await session.suspend()
      do {
        let other = try await directory.sessions.open(name)
        #expect(try await directory.text(in: other) == "old")
        try await other.save(Array("new".utf8), previous: .replace)
        try await other.end(.userQuit)
      }
      #expect(
        await restorationCode { try await session.save([1], previous: .replace) }
          == .storeUnavailable)
      #expect(await restorationCode { try await session.remove() } == .storeUnavailable)
      #expect(await code { try await session.discard() } == .stateChanged)
      let again = try await directory.sessions.open(name)
      #expect(try await directory.text(in: again) == "new")
    }
  }

  @Test func `The file of the lock gets its mode back after another process has changed it`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      for mode in [0o000, 0o644, 0o666] {
        let lock = directory.state.lockPath
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: lock)
        #expect(try await bytes(directory) == .archive([1], failedLaunchCount: 0))
        #expect(try directory.permissions(lock) == 0o600)
      }
    }
  }

  // The error names the cause, which is not a missing file.
  @Test func `The error of a save says that the directory cannot be made`() async throws {
    let store = SealedStateStore(directory: StateDirectory(path: "/proc/keepsake/state"))
    let error = await #expect(throws: RestorationError.self) {
      try await store.save([1], previous: .replace)
    }
    #expect(error?.message.contains("the directory cannot be created there") == true)
    #expect(error?.message.contains("There is no file") == false)
  }
}
