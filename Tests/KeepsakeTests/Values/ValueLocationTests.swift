import Foundation
import TestSupport
import Testing

@testable import Keepsake

private struct Settings: Codable, Equatable {
  var count = 0
}

@Suite struct `The place and the key of a stored value` {
  private func failure(_ body: () throws -> Void) -> KeepsakeError? {
    do {
      try body()
      return nil
    } catch {
      return error as? KeepsakeError
    }
  }

  private func store(_ path: String, _ key: SealedValueKey) -> SealedValueStore<Settings> {
    SealedValueStore(path: path, key: key, default: Settings())
  }

  @Test func `A store makes its directory with its first file, for its user alone`() throws {
    try withTemporaryDirectory { folder in
      let directory = folder + "/a/b"
      let store = store(directory + "/settings", .keyStore(KeyFileStore(path: directory + "/key")))
      #expect(try store.load() == Settings())
      #expect(!FileManager.default.fileExists(atPath: folder + "/a"))
      try store.update { $0.count = 1 }
      #expect(try permissions(of: directory) == 0o700 && permissions(of: folder + "/a") == 0o700)
      #expect(try store.load().count == 1)
    }
  }

  @Test func `Values in the home of a user share a key, and have purposes of their own`() throws {
    try withTemporaryDirectory { folder in
      let directory = StateDirectory(path: folder + "/app", application: "com.example.app")
      func place(_ name: String) throws -> ValuePlaceInHome {
        try ValuePlaceInHome(directory: directory, name: name)
      }
      let (one, two) = (try place("settings"), try place("window"))
      #expect(one.path == folder + "/app/values/settings")
      try store(one.path, one.key).save(Settings(count: 1))
      try store(two.path, two.key).save(Settings(count: 2))
      #expect(try names(in: folder + "/app/values").contains("key"))
      #expect(failure { _ = try store(one.path, two.key).load() }?.code == .wrongPurpose)
      for name in ["", ".x", "a/b", "key", "a.lock", "a\0"] {
        #expect(failure { _ = try place(name) }?.code == .storeUnavailable)
      }
      // Only the whole name is that of the key or of a lock.
      for name in ["keys", "key.x", "ke", "a.locks", "lock", "a.x"] {
        #expect(try place(name).path == folder + "/app/values/" + name)
      }
      #expect(
        failure { _ = try SealedValueStore.user("a/b", default: Settings()) }?.code
          == .storeUnavailable)
    }
  }

  @Test func `The error of a value whose key is gone does not advise a reset`() throws {
    try withTemporaryDirectory { folder in
      let store = store(folder + "/settings", .keyStore(KeyFileStore(path: folder + "/key")))
      try store.save(Settings(count: 1))
      let bytes = try contents(of: folder + "/settings")
      try FileManager.default.removeItem(atPath: folder + "/key")
      let calls: [() throws -> Void] = [
        { try store.save(Settings()) }, { _ = try store.load() },
      ]
      for call in calls {
        let error = failure(call)
        #expect(error?.code == .keyAbsent)
        #expect(error?.message.contains("reset") == false)
        #expect(error?.message.contains("move that file away") == true)
      }
      #expect(try contents(of: folder + "/settings") == bytes)
    }
  }

  @Test func `An error says that a value was sealed for a passphrase, or for a key`() throws {
    try withTemporaryDirectory { folder in
      let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
      let passphrase = SealedValueKey.passphrase("sesame", cost: cost)
      let stored = SealedValueKey.keyStore(KeyFileStore(path: folder + "/key"))
      try store(folder + "/a", passphrase).save(Settings())
      let absent = failure { _ = try store(folder + "/a", stored).load() }
      #expect(absent?.code == .keyAbsent)
      #expect(absent?.message.contains("sealed for a passphrase") == true)
      let key = SealedValueKey.key(try SealKey.generate())
      let wrong = failure { _ = try store(folder + "/a", key).load() }
      #expect(wrong?.code == .keyWrong)
      #expect(wrong?.message.contains("sealed for a passphrase") == true)
      try store(folder + "/b", key).save(Settings())
      let other = failure { _ = try store(folder + "/b", passphrase).load() }
      #expect(other?.code == .keyWrong && other?.message.contains("sealed for a key") == true)
    }
  }

  @Test func `A URL names the file of a value, of a key and of a state`() throws {
    try withTemporaryDirectory { folder in
      let url = URL(fileURLWithPath: folder + "/a value")
      let keys = KeyFileStore(path: URL(fileURLWithPath: folder + "/key"))
      let store = SealedValueStore(path: url, key: .keyStore(keys), default: Settings())
      try store.save(Settings(count: 1))
      #expect(store.path == folder + "/a value" && keys.path == folder + "/key")
      #expect(try SealedValue.load(Settings.self, from: url, with: .keyStore(keys)).count == 1)
      try SealedValue.save(Settings(count: 2), to: url, for: .keyStore(keys))
      #expect(try self.store(folder + "/a value", .keyStore(keys)).load().count == 2)
      let directory = StateDirectory(path: URL(fileURLWithPath: "/a/b"))
      #expect(directory.archivePath == "/a/b/state.keepsake")
    }
  }

  @Test func `A URL of another scheme names no file`() throws {
    let url = try #require(URL(string: "https://example.com/settings"))
    let key = SealedValueKey.key(try SealKey.generate())
    #expect(failure { try SealedValue.save(1, to: url, for: key) }?.code == .storeUnavailable)
    let store = SealedValueStore(path: url, key: key, default: Settings())
    #expect(failure { _ = try store.load() }?.code == .storeUnavailable)
    #expect(failure { try store.save(Settings()) }?.code == .storeUnavailable)
  }
}
