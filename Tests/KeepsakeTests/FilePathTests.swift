import Foundation
import Keepsake
import TestSupport
import Testing

private struct Entry: Codable, Sendable, Equatable { var text = "" }

/// Each call that takes a path takes a `URL` as well; other tests pass strings.
@Suite struct `A path` {
  private let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)

  @Test func `A URL names the files of keys, identities and signing keys`() throws {
    try withTemporaryDirectory { folder in
      func url(_ name: String) -> URL { URL(fileURLWithPath: folder + "/" + name) }
      let key = try SealKey.create(at: url("key"))
      #expect(try SealKey.read(at: url("key")).isEqual(to: key))
      try key.write(to: url("copy"))
      #expect(try SealKey.read(at: folder + "/copy").isEqual(to: key))

      let (old, new) = (try SealPassphrase("old"), try SealPassphrase("new"))
      let locked = try SealKey.create(at: url("locked"), passphrase: old, cost: cost)
      #expect(try SealKey.passphraseCost(at: url("locked")) == cost)
      try SealKey.changePassphrase(at: url("locked"), from: old, to: new, cost: cost)
      #expect(try SealKey.read(at: url("locked"), passphrase: new).isEqual(to: locked))
      try key.write(to: url("locked copy"), passphrase: new, cost: cost)

      let identity = try X25519Identity.create(at: url("identity"))
      #expect(try X25519Identity.read(at: url("identity")).recipient == identity.recipient)
      try identity.write(to: url("identity copy"))
      let signer = try SealSigningKey.create(at: url("signer"))
      #expect(try SealSigningKey.read(at: url("signer")).signer == signer.signer)
      try signer.write(to: url("signer copy"))
    }
  }

  @Test func `A URL names a sealed file in each call`() throws {
    try withTemporaryDirectory { folder in
      let (file, plain) = (
        URL(fileURLWithPath: folder + "/a file"), URL(fileURLWithPath: folder + "/plain")
      )
      let key = try SealKey.generate()
      let (recipients, identities) = ([SealRecipient.key(key)], [SealIdentity.key(key)])
      try SealedFile.seal([1, 2, 3].span, to: file, for: recipients)
      #expect(try SealedFile.open(folder + "/a file", with: identities).plaintextLength == 3)
      try SealedFile.seal([1, 2].span, to: file, for: recipients)
      try SealedFile.seal(Data([1]).span, to: file, for: recipients)
      #expect(try SealedFile.inspect(file).slotTypes == [.rawKey])
      let opened = try SealedFile.open(file, with: identities)
      #expect(opened.plaintextLength == 1)
      try opened.extract(to: plain)
      try SealedFile.seal(contentsOf: plain, to: file, for: recipients)
      try SealedFile.reseal(file, with: identities, for: recipients)
      let other = try SealKey.generate()
      try SealedFile.rewrap(file, with: identities, adding: [.key(other)])
      try SealedFile.replaceContent(
        of: file, with: identities, for: recipients, dropsOthers: true
      ) { content in (content + [7], ()) }
      var salvaged: [UInt8] = []
      let lost = try SealedFile.salvage(file, with: identities) { _, bytes in
        for index in bytes.indices { salvaged.append(bytes[index]) }
      }
      #expect(lost.isEmpty && salvaged == [1, 7])
      let writer = try SealedFileWriter(to: file, for: recipients)
      try writer.write([4, 5].span)
      try writer.finish()
      #expect(try SealedFile.open(file, with: identities).read() == [4, 5])
    }
  }

  @Test func `A URL names a durable file, a directory and a lock`() throws {
    try withTemporaryDirectory { folder in
      func url(_ name: String) -> URL { URL(fileURLWithPath: folder + "/sub/" + name) }
      try DurableFile.createDirectory(at: URL(fileURLWithPath: folder + "/sub"))
      try DurableFile.createExclusively(at: url("a"), with: [1].span)
      try DurableFile.replace(at: url("a"), with: [2].span)
      try DurableFile.preserve(url("a"), as: url("b"))
      try DurableFile.move(from: url("b"), to: folder + "/sub/c")
      #expect(try DurableFile.read(at: url("c"), upTo: 10) == [2])
      try DurableFile.remove(at: url("a"))
      #expect(try DurableFile.erase(at: url("c")) == 0)
      let lock = try FileLock(at: url("lock"))
      let error = #expect(throws: FileError.self) { _ = try FileLock(at: folder + "/sub/lock") }
      #expect(error?.code == .fileLocked)
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `A URL names a journal, the directory of pins, and the files of a rotation`()
    async throws
  {
    try await withTemporaryDirectory { folder in
      let url = URL(fileURLWithPath: folder + "/journal")
      let key = try SealKey.generate()
      let keys = JournalKeys.key(key)
      let journal = try await Journal<Entry>.open(at: url, for: keys)
      try await journal.append(Entry(text: "first"))
      try journal.close()
      #expect(try JournalDirectory(url, with: keys).files().count == 1)
      #expect(FileFreshnessStore(path: url).path == folder + "/journal")
      let rotation = KeyRotation(keyPath: url, files: [url, folder])
      #expect(rotation.keyPath == folder + "/journal")
      #expect(rotation.files == [folder + "/journal", folder])
    }
  }

  @Test func `A URL names the file, or the directory, of a migration`() throws {
    try withTemporaryDirectory { folder in
      let file = URL(fileURLWithPath: folder + "/a file.keepsake")
      let (key, plan) = (try SealKey.generate(), try SealedArchive.plan())
      let (identities, recipients) = ([SealIdentity.key(key)], [SealRecipient.key(key)])
      try SealedArchive().seal(to: folder + "/a file.keepsake", keys: [key])
      let dryRun = try plan.migrateFile(at: file, keys: [key], isDryRun: true)
      #expect(dryRun.steps[0].changedCount == 2)
      #expect(
        try plan.migrateFile(at: file, with: identities, for: recipients, isDryRun: true)
          .steps.count == 1)
      let outcomes = try plan.migrateFiles(
        inDirectory: URL(fileURLWithPath: folder), isDryRun: true
      ) { path in
        path.hasSuffix("/a file.keepsake") ? [key] : []
      }
      #expect(outcomes.count == 1)
      #expect(try plan.migrateFile(at: file, with: identities, for: recipients).isRewritten)
      #expect(try plan.migrateFile(at: file, keys: [key]).isRewritten == false)
      let archive = try Archive(SealedFile.open(file, with: identities).read())
      #expect(archive.reserved.bundleVersion == "11")

      let other = try #require(URL(string: "https://example.com/a"))
      let error = #expect(throws: KeepsakeError.self) {
        try plan.migrateFile(at: other, keys: [key])
      }
      #expect((error?.underlyingError as? SealError)?.code == .invalidPath)
    }
  }

  @Test func `A URL of another scheme names no file for any module`() throws {
    let url = try #require(URL(string: "https://example.com/a"))
    let key = try SealKey.generate()
    func code(_ body: () throws(SealError) -> Void) -> SealError.Code? {
      do throws(SealError) {
        try body()
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code { () throws(SealError) in try key.write(to: url) } == .invalidPath)
    #expect(
      code { () throws(SealError) in try SealedFile.seal([1].span, to: url, for: [.key(key)]) }
        == .invalidPath)
    #expect(
      code { () throws(SealError) in _ = try SealedFile.open(url, with: [.key(key)]) }
        == .invalidPath)
    let error = #expect(throws: FileError.self) { try DurableFile.remove(at: url) }
    #expect(error?.code == .invalidPath)
  }
}
