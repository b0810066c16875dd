import Foundation
import Keepsake
import Synchronization
import TestSupport
import Testing

@Suite struct `The article on encrypted settings` {
  @Test func `The example saves with a passphrase, and says what is wrong`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/settings"
      #expect(settingsOrReason(from: path, passphrase: "sesame").1 == "These are the defaults.")
      let settings = ReaderSettings(fontSize: 20, theme: "dark")
      try saveSettings(settings, to: path, passphrase: "sesame")
      #expect(try loadReaderSettings(from: path, passphrase: "sesame") == settings)
      #expect(settingsOrReason(from: path, passphrase: "sesame").0 == settings)
      let wrong = settingsOrReason(from: path, passphrase: "Sesame")
      #expect(wrong.0 == nil && wrong.1.contains("not the passphrase"))
    }
  }

  @Test func `The example reports keys that its type does not know`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/settings", try SealKey.generate())
      try SealedValue.save(["fontSize": 14, "goal": 42], to: path, for: .key(key))
      let reports = Mutex<[UnknownKeyReport]>([])
      let store = makeWatchfulStore(at: path, key: key) { report in
        reports.withLock { $0.append(report) }
      }
      #expect(try store.load() == ReaderSettings(fontSize: 14))
      #expect(reports.withLock { $0.flatMap { $0.kept + $0.lost } } == ["goal"])
    }
  }

  @Test func `The example keeps a store, with a key file or under a passphrase`() async throws {
    try await withTemporaryDirectory { folder in
      let store = makeSettingsStore(in: folder)
      let first = try await enlargeText(in: store)
      let second = try await enlargeText(in: makeSettingsStore(in: folder))
      #expect(first == 14 && second == 16)
    }
    try await withTemporaryDirectory { folder in
      let store = makeSettingsStore(in: folder)
      var seen: [Int] = []
      let (sizes, continuation) = AsyncStream<Int>.makeStream()
      let task = Task { try await follow(store) { continuation.yield($0.fontSize) } }
      for await size in sizes {
        seen.append(size)
        if size == 14 { break }
        let enlarged = try await enlargeTextAtOnce(in: store)
        #expect(enlarged == 14)
      }
      task.cancel()
      #expect(seen == [12, 14])
    }
    try await withTemporaryDirectory { folder in
      let store = try await openProtectedSettings(in: folder, typed: "sesame")
      _ = try await enlargeText(in: store)
      let again = try await openProtectedSettings(in: folder, typed: "sesame").load()
      #expect(again.fontSize == 14)
      let error = await #expect(throws: KeepsakeError.self) {
        try await openProtectedSettings(in: folder, typed: "Sesame")
      }
      #expect(error?.code == .keyWrong)
    }
  }
}

private struct OldLibrary: Codable, Sendable {
  struct OldBookmark: Codable { var page = 7 }
  var bookmarks = ["Emma": [OldBookmark()]]
}

extension `The article on encrypted settings` {
  @Test func `The example adds a property to elements of arrays in a dictionary`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/library", SealedValueKey.key(try SealKey.generate()))
      try SealedValueStore(path: path, key: key, default: OldLibrary()).save(OldLibrary())
      let library = try SealedValueStore(path: path, key: key, default: Library()).load()
      #expect(library == Library(bookmarks: ["Emma": [Bookmark(page: 7)]]))
    }
  }
}

@Suite struct `The article on migration` {
  @Test func `The example migrates a Codable value`() async throws {
    try await withTemporaryDirectory { folder in
      let (path, key) = (folder + "/theme", try SealKey.generate())
      let old = SealedValueStore(path: path, key: .key(key), default: OldTheme())
      try await old.save(OldTheme())
      let store = makeThemeStore(at: path, key: key)
      #expect(store.version == 3)
      let theme = try await store.load()
      #expect(theme == Theme(name: "Plain", accentColor: "red", margins: 20))
    }
  }

  @Test func `The example migrates by keys and by an old type alike`() throws {
    for migration in [byKeys, byType] {
      try withTemporaryDirectory { folder in
        let (path, key) = (folder + "/book", SealedValueKey.key(try SealKey.generate()))
        try SealedValueStore(path: path, key: key, default: BookV1()).save(BookV1())
        let store = SealedValueStore(
          path: path, key: key, default: Book(), migrations: [migration])
        #expect(try store.load() == Book())
      }
    }
  }

  @Test func `The example migrates objects, and reports what it changed`() async throws {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
    try writer.writeObject(ArchiveObjectID(1), typeName: "Contact") { coder in
      coder.encode("Ada", forKey: "nm")
    }
    let old = try writer.finish(root: ArchiveObjectID(1))
    let contact = try openContacts(old)
    #expect(contact.givenName == "Ada" && contact.email == "unknown@example.com")
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/contacts", try SealKey.generate())
      try SealedFile.seal(old.span, to: path, for: [.key(key)])
      let report = try migrateContacts(at: path, key: key)
      #expect("\(report.fromVersion) \(report.toVersion)" == "1.0 2.0" && report.isRewritten)
    }
  }
}

@Suite struct `The article on keys` {
  @Test func `The examples recover, rotate and share a file`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/file"
      let (key, next) = (try SealKey.generate(), try SealKey.generate())
      let recovery = try makeRecoveryIdentity(at: folder + "/recovery")
      try sealWithRecovery([1, 2, 3], to: path, key: key, recovery: recovery)
      #expect(try recover(path, identityPath: folder + "/recovery") == [1, 2, 3])

      try rotate(path, from: key, to: next, others: [recovery])
      let error = #expect(throws: SealError.self) { try SealedFile.open(path, with: [.key(key)]) }
      #expect(error?.code == .noMatchingKey)
      let friend = try X25519Identity.generate()
      try addReader(path, key: next, reader: friend.recipient, others: [recovery])
      #expect(try SealedFile.open(path, with: [.key(next)]).read() == [1, 2, 3])
      #expect(try SealedFile.open(path, with: [.x25519(friend)]).read() == [1, 2, 3])
      #expect(try recover(path, identityPath: folder + "/recovery") == [1, 2, 3])
    }
  }

  @Test func `The example recovers from a printed identity, and finds a typing error`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/file", try SealKey.generate())
      let recovery = try makeRecoveryIdentity(at: folder + "/printed")
      try sealWithRecovery([1, 2, 3], to: path, key: key, recovery: recovery)
      let lines = try String(contentsOfFile: folder + "/printed", encoding: .utf8)
        .split(separator: "\n")
      #expect(lines.count == 2 && lines[0] == "# recipient: \(recovery)")
      func retyped(_ text: String) throws -> [UInt8] {
        let identityPath = folder + "/retyped"
        try? FileManager.default.removeItem(atPath: identityPath)
        try DurableFile.replace(at: identityPath, with: Array(text.utf8).span)
        return try recover(path, identityPath: identityPath)
      }
      #expect(try retyped("  " + lines[1].lowercased() + " \r\n") == [1, 2, 3])
      for place in [25, 40, lines[1].count - 1] {
        var wrong = Array(lines[1])
        wrong[place] = wrong[place] == "Q" ? "P" : "Q"
        let error = #expect(throws: SealError.self) { try retyped(String(wrong)) }
        #expect(error?.code == .invalidIdentity)
      }
    }
  }

  @Test func `The example shares a file between devices, and removes a lost one`() throws {
    try withTemporaryDirectory { folder in
      let path = folder + "/file"
      let (laptop, phone, tablet) = (
        try X25519Identity.generate(), try X25519Identity.generate(),
        try X25519Identity.generate()
      )
      func opens(_ device: X25519Identity) -> Bool {
        (try? SealedFile.open(path, with: [.x25519(device)]).read()) == [1, 2, 3]
      }
      try sealForDevices([laptop.recipient, phone.recipient], [1, 2, 3], to: path)
      #expect(opens(laptop) && opens(phone) && !opens(tablet))
      try addDevice(tablet.recipient, to: path, from: laptop, others: [phone.recipient])
      #expect(opens(laptop) && opens(phone) && opens(tablet))
      try removeDevice(
        phone.recipient, from: path, by: tablet, others: [laptop.recipient])
      #expect(opens(laptop) && !opens(phone) && opens(tablet))
    }
  }

  @Test func `The example changes a passphrase`() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/key"
      let keys = PassphraseKeyStore(path: path)
      try await keys.unlock(with: SealPassphrase(copying: Array("old".utf8).span))
      let key = try keys.existingOrNewKey()
      try await changePassphrase(ofKeyAt: path, from: "old", to: "new")
      let later = PassphraseKeyStore(path: path)
      try await later.unlock(with: SealPassphrase(copying: Array("new".utf8).span))
      #expect(try later.existingKey().isEqual(to: key))
    }
  }
}

@Suite struct `The article on processes and threads` {
  @Test func `The example loses no increment`() async throws {
    try await withTemporaryDirectory { folder in
      let (path, key) = (folder + "/tally", try SealKey.generate())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...4 {
          group.addTask {
            let store = SealedValueStore(path: path, key: .key(key), default: Tally())
            _ = try await countVisit(in: store)
          }
        }
        try await group.waitForAll()
      }
      let count = try await Visits(path: path, key: key).record()
      #expect(count == 5)
      let film = folder + "/film"
      #expect(try await sealFilm(path, to: film, key: key) > 0)
      let copied = try SealedFile.open(film, with: [.key(key)]).read()
      #expect(try Data(copied) == Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let length = try await longestName(in: archiveFamily())
    #expect(length == 3)
  }

  @MainActor
  @Test func `The example reports a second copy of an app`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = StateDirectory(path: folder + "/state")
      func isHeld() -> Bool {
        do throws(FileError) {
          _ = try FileLock(at: directory.lockPath)
          return false
        } catch {
          return error.code == .fileLocked
        }
      }
      // Where nothing was ever saved, the first save takes the lock of the state.
      let app = TodoApp()
      do {
        let (coordinator, refusal) = try await launchOnce(app, in: directory)
        #expect(refusal == nil)
        #expect(!isHeld())
        try await coordinator.save(app)
        #expect(isHeld())
        withExtendedLifetime(coordinator) {}
      }
      #expect(!isHeld())
      do {
        let (coordinator, refusal) = try await launchOnce(TodoApp(), in: directory)
        #expect(refusal == nil)
        #expect(isHeld())
        withExtendedLifetime(coordinator) {}
      }
      // This lock acts as another process's: a coordinator's own lock does not keep out its process.
      let lock = try FileLock(at: directory.lockPath)
      let refusal = try await launchOnce(TodoApp(), in: directory).refusal
      #expect(refusal?.contains("in use by another process") == true, "\(refusal ?? "none")")
      withExtendedLifetime(lock) {}
    }
  }
}

@Suite struct `The article on moving in` {
  @Test func `The example takes over defaults, a JSON file and a table`() throws {
    try withTemporaryDirectory { folder in
      let key = try SealKey.generate()
      let preferences = Preferences(userName: "Ada", isSoundOn: false, recentFiles: ["a"])
      let name = "keepsake-articles-\(UUID().uuidString)"
      let defaults = try #require(UserDefaults(suiteName: name))
      defer { defaults.removePersistentDomain(forName: name) }
      defaults.set("Ada", forKey: "userName")
      defaults.set(false, forKey: "isSoundOn")
      defaults.set(["a"], forKey: "recentFiles")
      let store = SealedValueStore(
        path: folder + "/preferences", key: .key(key), default: Preferences())
      #expect(try moveIn(from: defaults, to: store) == preferences)
      #expect(defaults.object(forKey: "userName") == nil)
      #expect(try moveIn(from: defaults, to: store) == preferences)

      let json = URL(fileURLWithPath: folder + "/preferences.json")
      try JSONEncoder().encode(preferences).write(to: json)
      #expect(try moveIn(fromJSON: json, to: folder + "/sealed", key: key) == preferences)
      #expect(!FileManager.default.fileExists(atPath: json.path))

      let rows = (0..<1_000).map { Message(sender: "\($0)", text: "Hello") }
      #expect(try moveIn(rows: rows, to: folder + "/messages", key: key) == 1_000)
      var read: [Message] = []
      try readMessages(from: folder + "/messages", key: key) { read.append($0) }
      #expect(read == rows)
    }
  }
}
