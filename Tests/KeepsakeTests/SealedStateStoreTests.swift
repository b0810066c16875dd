import Foundation
import Keepsake
import Testing

@MainActor
@Suite struct `The sealed state store` {
  private static let archive = Array("an archive's bytes".utf8)

  private func store(_ directory: TemporaryDirectory) -> SealedStateStore {
    SealedStateStore(directory: directory.state)
  }

  private func saved(
    _ body: @MainActor (TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try await store(directory).save(Self.archive, previous: .replace)
      try await body(directory)
    }
  }

  /// Loads with a new store, as a new launch does, and returns the error.
  private func loadError(_ directory: TemporaryDirectory) async -> RestorationError? {
    do throws(RestorationError) {
      _ = try await store(directory).load()
      return nil
    } catch {
      return error
    }
  }

  @Test
  func `A state is loaded as it was saved, from files that only the owner can read`() async throws {
    try await saved { directory in
      guard case .archive(let archive, 0) = try await store(directory).load() else {
        Issue.record("nothing was loaded")
        return
      }
      #expect(archive == Self.archive)
      #expect(try directory.names() == ["key", "state.keepsake"])
      for path in [directory.state.archivePath, directory.state.keyPath] {
        #expect(try directory.permissions(path) == 0o600)
      }
      #expect(try directory.permissions(directory.state.path) == 0o700)
      let bytes = try directory.contents(directory.state.archivePath)
      #expect(bytes.range(of: Data(Self.archive)) == nil)
    }
  }

  @Test func `A state is absent before the first save, and a load makes no files`() async throws {
    try await TemporaryDirectory.with { directory in
      guard case .absent = try await store(directory).load() else {
        Issue.record("something was loaded")
        return
      }
      #expect(!FileManager.default.fileExists(atPath: directory.state.path))
    }
  }

  @Test func `A state that is absent is removed and reset without a file`() async throws {
    try await TemporaryDirectory.with { directory in
      try await store(directory).remove()
      try await store(directory).reset()
      #expect(!FileManager.default.fileExists(atPath: directory.state.path))
    }
  }

  @Test func `Each save has the next generation and writes other bytes`() async throws {
    try await saved { directory in
      let first = try directory.contents(directory.state.archivePath)
      let store = store(directory)
      _ = try await store.load()
      try await store.save(Self.archive, previous: .replace)
      #expect(try directory.contents(directory.state.archivePath) != first)
      let key = try SealKey.read(at: directory.state.keyPath)
      #expect(try directory.opened(with: key).generation == 2)
    }
  }

  @Test(arguments: ["missing", "wrong length", "open permissions", "of another archive"])
  func `A store names a fault of the key, overwrites nothing and makes no key`(
    fault: String
  ) async throws {
    try await saved { directory in
      let path = directory.state.keyPath
      switch fault {
      case "missing": try FileManager.default.removeItem(atPath: path)
      case "wrong length": try directory.write(try directory.contents(path) + [0], to: path)
      case "open permissions":
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      default:
        try FileManager.default.removeItem(atPath: path)
        _ = try SealKey.create(at: path)
      }
      let (names, before) = (
        try directory.names(), try directory.contents(directory.state.archivePath)
      )
      let error = try #require(await loadError(directory))
      #expect(error.code == .keyUnavailable)
      let named = fault == "of another archive" ? directory.state.archivePath : path
      #expect(error.message.contains(named) && error.message.hasSuffix("."), "\(error.message)")

      let coordinator = RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
      await coordinator.launch(NotesApp())
      let refused = await #expect(throws: RestorationError.self) {
        try await coordinator.save(NotesApp())
      }
      #expect(refused?.code == .saveRefused)
      #expect(try directory.names() == names)
      #expect(try directory.contents(directory.state.archivePath) == before)
    }
  }

  // Row 33.
  @Test(arguments: ["empty", "cut short", "another kind of file", "one byte flipped"])
  func `A damaged archive is reported, and the next save keeps it under another name`(
    fault: String
  ) async throws {
    try await saved { directory in
      let path = directory.state.archivePath
      var bytes = try directory.contents(path)
      switch fault {
      case "empty": bytes = Data()
      case "cut short": bytes.removeLast(5)
      case "another kind of file": bytes = Data("{\"json\": true}".utf8)
      default: bytes[bytes.count - 1] ^= 1
      }
      try directory.write(bytes, to: path)
      let error = try #require(await loadError(directory))
      #expect(error.code == .damaged && error.message.contains(path), "\(error.message)")

      let coordinator = RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
      await coordinator.launch(NotesApp())
      #expect(try directory.contents(path) == bytes)
      for _ in 0..<2 { try await coordinator.save(NotesApp()) }
      #expect(try directory.names() == ["key", "state.keepsake", "state.keepsake.damaged-1"])
      #expect(try directory.contents(path + ".damaged-1") == bytes)
      #expect(await loadError(directory) == nil)
    }
  }

  @Test(arguments: ["directory", "symbolic link"])
  func `A store refuses an archive that is not a regular file`(kind: String) async throws {
    try await saved { directory in
      let path = directory.state.archivePath
      try FileManager.default.moveItem(atPath: path, toPath: path + ".elsewhere")
      if kind == "directory" {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      } else {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: path + ".elsewhere")
      }
      let error = try #require(await loadError(directory))
      #expect(error.code == .storeUnavailable && error.message.contains(path), "\(error.message)")
      let refused = await #expect(throws: RestorationError.self) {
        try await store(directory).save(Self.archive, previous: .replace)
      }
      #expect(refused?.code == .storeUnavailable && refused?.message.contains(path) == true)
    }
  }

  @Test func `A store counts launches whose restore did not end, and sets the archive aside`()
    async throws
  {
    try await saved { directory in
      let bytes = try directory.contents(directory.state.archivePath)
      for attempt in 1...3 {
        try store(directory).beginRestoration(attempt: attempt)
        let state = try await store(directory).load()
        #expect(state == .archive(Self.archive, failedLaunchCount: attempt))
      }
      try directory.write(Data("nonsense".utf8), to: directory.state.restorationMarkPath)
      let unclear = try await store(directory).load()
      #expect(unclear == .archive(Self.archive, failedLaunchCount: 1))
      let asidePath = try await store(directory).setAside()
      #expect(asidePath == directory.state.archivePath + ".interrupted-1")
      #expect(try directory.contents(asidePath) == bytes)
      #expect(try directory.names() == ["key", "state.keepsake.interrupted-1"])
    }
  }

  // Spec/state.md, section 1, rule 6.
  @Test(arguments: [
    "long", "too large a number", "pipe", "dangling link", "link", "socket", "directory",
    "directory with something in it",
  ])
  func `Anything that has the name of the mark counts as one attempt, and is replaced`(
    kind: String
  ) async throws {
    try await saved { directory in
      let path = directory.state.restorationMarkPath
      let target = directory.url.appendingPathComponent("target").path
      try directory.write(Data("5\n".utf8), to: target)
      switch kind {
      case "long": try directory.write(Data(repeating: 0x31, count: 65), to: path)
      case "too large a number": try directory.write(Data("99999999999999999999\n".utf8), to: path)
      case "pipe": try run("mkfifo", path)
      case "dangling link": try run("ln", "-s", "/nowhere at all", path)
      case "link": try run("ln", "-s", target, path)
      case "socket":
        try run(
          "perl", "-MIO::Socket::UNIX", "-e", "IO::Socket::UNIX->new(Local => $ARGV[0]) or die",
          path)
      case "directory": try run("mkdir", path)
      default: try run("mkdir", "-p", path + "/something in it")
      }
      let first = store(directory)
      #expect(try await first.load() == .archive(Self.archive, failedLaunchCount: 1))
      try first.beginRestoration(attempt: 2)
      let second = store(directory)
      #expect(try await second.load() == .archive(Self.archive, failedLaunchCount: 2))
      try second.endRestoration()
      try await second.save(Self.archive, previous: .replace)
      let kept = kind.hasSuffix("in it") ? ["restoring.set-aside-1"] : []
      #expect(try directory.names() == ["key"] + kept + ["state.keepsake"])
      #expect(try directory.contents(target) == Data("5\n".utf8))
    }
  }

  private func run(_ arguments: String...) throws {
    let process = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"), arguments: arguments)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test(arguments: [63, 64, 65])
  func `A mark of up to 64 bytes is read, and a longer one counts as one attempt`(count: Int)
    async throws
  {
    try await saved { directory in
      let mark = Data("7".utf8) + Data(repeating: UInt8(ascii: "\n"), count: count - 1)
      try directory.write(mark, to: directory.state.restorationMarkPath)
      #expect(
        try await store(directory).load()
          == .archive(Self.archive, failedLaunchCount: count <= 64 ? 7 : 1))
    }
  }

  @Test func `A store may begin and end a restoration twice, and leaves no mark`() async throws {
    try await saved { directory in
      let store = store(directory)
      for _ in 0..<2 { try store.beginRestoration(attempt: 1) }
      for _ in 0..<2 { try store.endRestoration() }
      #expect(try directory.names() == ["key", "state.keepsake"])
    }
  }

  @Test func `A store makes a new key only after a reset, which deletes nothing`() async throws {
    try await saved { directory in
      let (archive, key) = (
        try directory.contents(directory.state.archivePath),
        try directory.contents(directory.state.keyPath)
      )
      let store = store(directory)
      for _ in 0..<2 { try await store.reset() }
      let names = ["key.set-aside-1", "state.keepsake.set-aside-1"]
      #expect(try directory.names() == names)
      #expect(try directory.contents(directory.state.keyPath + ".set-aside-1") == key)
      #expect(try directory.contents(directory.state.archivePath + ".set-aside-1") == archive)
      try await store.save(Self.archive, previous: .replace)
      #expect(try directory.contents(directory.state.keyPath) != key)
      #expect(await loadError(directory) == nil)
    }
  }

  @Test func `A removal removes the archive and keeps the key`() async throws {
    try await saved { directory in
      let store = store(directory)
      for _ in 0..<2 { try await store.remove() }
      #expect(try directory.names() == ["key"])
    }
  }
}
