import Foundation
import Synchronization
import Testing

@testable import Keepsake

// Every message about a lost key advises a reset, so a reset must work in every situation.
@MainActor
@Suite struct `A reset` {
  /// A key store whose key cannot be set aside while it is stuck.
  private final class StuckKeyStore: KeyStore {
    let files: KeyFileStore
    let isStuck = Mutex(true)

    init(path: String) { files = KeyFileStore(path: path) }

    func existingKey() throws(KeepsakeError) -> SealKey { try files.existingKey() }
    func existingOrNewKey() throws(KeepsakeError) -> SealKey { try files.existingOrNewKey() }
    func belongs(to directory: StateDirectory) -> Bool { files.belongs(to: directory) }
    func setKeyAside() throws(KeepsakeError) {
      if isStuck.withLock({ $0 }) {
        throw KeepsakeError(.storeUnavailable, "There is no space left for the key.")
      }
      try files.setKeyAside()
    }
  }

  private func make(_ kind: String, at path: String) throws {
    let files = FileManager.default
    switch kind {
    case "link": try files.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
    case "pipe":
      try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: ["mkfifo", path])
        .waitUntilExit()
    case "directory":
      try files.createDirectory(atPath: path + "/with something", withIntermediateDirectories: true)
    default: try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  @Test(
    arguments: ["link", "pipe", "directory", "nonsense"], ["key", "state.keepsake", "restoring"])
  func `A reset replaces anything that has the name of a file of the state`(
    kind: String, name: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let path = directory.state.path + "/" + name
      try? FileManager.default.removeItem(atPath: path)
      try make(kind, at: path)
      let store = SealedStateStore(directory: directory.state)
      try await store.reset()
      let names = try directory.names()
      #expect(!names.contains { ["key", "state.keepsake", "restoring"].contains($0) }, "\(names)")
      #expect(names.contains("state.keepsake.set-aside-1") && names.contains("key.set-aside-1"))
      try await store.save([2], previous: .replace)
      #expect(
        try await SealedStateStore(directory: directory.state).load()
          == .archive([2], failedLaunchCount: 0))
    }
  }

  @Test func `A reset that fails half-way says what it has done, and another one completes it`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let keyStore = StuckKeyStore(path: directory.state.keyPath)
      let store = SealedStateStore(directory: directory.state, keyStore: keyStore)
      try await store.save([1], previous: .replace)
      try store.beginRestoration(attempt: 1)
      let error = await #expect(throws: RestorationError.self) { try await store.reset() }
      let asidePath = directory.state.archivePath + ".set-aside-1"
      #expect(error?.code == .storeUnavailable)
      #expect(
        error?.message
          == "The reset of \(directory.state.path) is not complete. These files stay set aside: "
          + "\(asidePath). But this failed: There is no space left for the key. "
          + "Reset again to continue.")
      #expect(try directory.names() == ["key", "restoring", "state.keepsake.set-aside-1"])
      keyStore.isStuck.withLock { $0 = false }
      try await store.reset()
      #expect(try directory.names() == ["key.set-aside-1", "state.keepsake.set-aside-1"])
      let key = try SealKey.read(at: directory.state.keyPath + ".set-aside-1")
      #expect(try directory.opened(asidePath, with: key).read() == [1])
    }
  }

  @Test
  func `A reset of sessions continues past a key that is stuck, and reports it`() async throws {
    try await TemporaryDirectory.with { directory in
      let keyStore = StuckKeyStore(path: directory.state.sessionsPath + "/key")
      let name = try await directory.save("state")
      let sessions = StateSessions(in: directory.state, keyStore: keyStore)
      let archive = directory.path("state.keepsake", of: name)
      for _ in 0..<2 {
        let error = await thrownError { try await sessions.reset() }
        #expect(error?.message.contains("There is no space left for the key.") == true)
      }
      #expect(directory.exists(archive + ".set-aside-1") && !directory.exists(archive))
      keyStore.isStuck.withLock { $0 = false }
      try await sessions.reset()
      #expect(directory.exists(keyStore.files.path + ".set-aside-1"))
      try await directory.save("new")
    }
  }

  // Without the key the remaining archive could not be opened.
  @Test func `A reset of sessions keeps the app's key as long as it may be needed`() async throws {
    try await TemporaryDirectory.with { directory in
      let (stuck, free) = (try await directory.save("stuck"), try await directory.save("free"))
      let folder = directory.path("", of: stuck)
      let names = (1...65_537).map { "\(folder)f\($0)" }
      for name in names { try directory.write(Data(), to: name) }
      let error = await thrownError { try await directory.sessions.reset() }
      #expect(error?.message.contains("more than 65536 names") == true)
      // Only files that were set aside are listed, and not the folder that could not be read.
      let aside = ["state.keepsake", "key"].map { directory.path($0 + ".set-aside-1", of: free) }
      #expect(
        error?.message.contains(
          "stay set aside: \(aside.joined(separator: ", ")). But this failed: ") == true)
      for name in names { try FileManager.default.removeItem(atPath: name) }
      #expect(directory.exists(directory.path("key", of: stuck)))
      #expect(directory.exists(directory.state.sessionsPath + "/key"))
      let session = try await directory.sessions.open(stuck)
      #expect(try await directory.text(in: session) == "stuck")
    }
  }

  @Test(arguments: ["key", "state.keepsake", "lock"])
  func `A reset of sessions replaces anything that has the name of a file of a session`(
    name: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let (odd, good) = (try await directory.save("odd"), try await directory.save("good"))
      let path = directory.path(name, of: odd)
      try? FileManager.default.removeItem(atPath: path)
      try make("pipe", at: path)
      try await directory.sessions.reset()
      for session in [odd, good] {
        for file in ["key", "state.keepsake"] {
          #expect(directory.exists(directory.path(file + ".set-aside-1", of: session)))
        }
      }
      try await directory.save("new")
    }
  }

  // The numbers tell which key opens which archive.
  @Test func `A reset gives an archive and its key the same number, higher than all earlier ones`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let store = SealedStateStore(directory: directory.state)
      for byte: UInt8 in 1...3 {
        try await store.save([byte], previous: .replace)
        if byte == 2 { try await store.save([22], previous: .setAside) }
        try await store.reset()
      }
      #expect(
        try directory.names() == [
          "key.set-aside-1", "key.set-aside-3", "key.set-aside-4",
          "state.keepsake.damaged-2", "state.keepsake.set-aside-1", "state.keepsake.set-aside-3",
          "state.keepsake.set-aside-4",
        ])
      for (number, bytes) in [(1, [1]), (3, [22]), (4, [3])] as [(Int, [UInt8])] {
        let key = try SealKey.read(at: directory.state.keyPath + ".set-aside-\(number)")
        let path = directory.state.archivePath + ".set-aside-\(number)"
        #expect(try directory.opened(path, with: key).read() == bytes)
      }
    }
  }

  @Test func `A name that only looks like a set-aside name has no number`() {
    for name in [
      "state.keepsake", "state.keepsake.damaged", "state.keepsake.damaged-", "damaged-1",
      "state.keepsake.damaged-01", "state.keepsake.damaged-0", "state.keepsake.damaged-+1",
      "state.keepsake.damaged--1", ".damaged-1", "a.-1", "a.damaged-1000000000", "a-1.b", "a.pem-1",
    ] {
      #expect(SetAsideName(name) == nil, "\(name)")
    }
    let name = SetAsideName("state.keepsake.set-aside-999999999")
    #expect(name?.original == "state.keepsake" && name?.reason == "set-aside")
    #expect(name?.number == 999_999_999)
  }

  @Test func `A set-aside file is a key or an archive only if its whole name says so`() {
    #expect(SetAsideName("key.set-aside-1")?.isKey == true)
    #expect(SetAsideName("state.keepsake.damaged-1")?.isArchive == true)
    for name in ["keys.set-aside-1", "key.damaged-1", "ke.set-aside-1", "state.set-aside-1"] {
      let found = SetAsideName(name)
      #expect(found != nil && found?.isKey == false && found?.isArchive == false, "\(name)")
    }
  }
}
