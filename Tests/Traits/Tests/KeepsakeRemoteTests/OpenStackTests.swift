import Foundation
import Keepsake
import NIOHTTP1
import Testing

@testable import KeepsakeRemote

/// A bucket of an OpenStack Swift, which checks `If-None-Match` before it writes, and knows no `If-Match`.
@Suite(.serialized, .enabled(if: Servers.openStack != nil))
struct `A store without atomic conditions` {
  private func store() throws -> ObjectStore {
    let store = try ObjectStore(
      bucket: "keepsake-tests", at: #require(Servers.openStack),
      credentials: ObjectStoreCredentials(accessKey: "test:tester", secretKey: "testing"),
      settings: Servers.settings())
    _ = try store.send(store.request(.PUT, key: ""), key: "", cancellation: Cancellation())
    return store
  }

  @Test func `The probe finds that two machines could overwrite each other's changes`() async throws
  {
    let behaviour = try await store().probe(prefix: Servers.freshKey("probe/"))
    #expect(!behaviour.createsOnce && !behaviour.replacesOnce)
  }

  @Test func `A state is uploaded only by a machine that is told to be the only writer`()
    async throws
  {
    try await withFolder { folder in
      let (bucket, key) = (try store(), Servers.freshKey("state.keepsake"))
      let identity = try X25519Identity.generate()
      func launch(_ writers: RemoteStateStore.Writers) throws -> RemoteStateStore {
        try RemoteStateStore(
          directory: StateDirectory(path: folder, application: "notes"), in: bucket, key: key,
          for: [.x25519(identity.recipient)], identities: [.x25519(identity)], writers: writers)
      }
      let object = try bucket.object(key)
      do {
        let several = try launch(.several)
        _ = try await several.load()
        try await several.save([1], previous: .replace)
        guard case .refused(let error) = several.status else {
          Issue.record("The state is \(several.status).")
          return
        }
        #expect(error.code == .conditionsUnsupported)
        #expect(try await object.get() == nil)
      }
      let one = try launch(.one)
      guard case .archive([1], _) = try await one.load() else {
        Issue.record("The local copy is gone.")
        return
      }
      for value: [UInt8] in [[2], [3]] {
        try await one.save(value, previous: .replace)
        #expect(one.status.isCurrent)
      }
      let content = try await object.content()
      #expect(try SealedFile.inspect(bytes: content).statePurpose?.application == "notes")
    }
  }

  @Test func `A value and the files of a journal need one writer too`() async throws {
    let bucket = try store()
    let value = RemoteValueStore(
      object: try bucket.object(Servers.freshKey("value")),
      key: .recipients([.key(try SealKey.generate())], identities: []), default: 0)
    _ = try await value.load()
    let refusal = await #expect(throws: KeepsakeError.self) { try await value.save(1) }
    #expect((refusal?.underlyingError as? RemoteError)?.code == .conditionsUnsupported)
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      let journal = log.journal.directory
      let error = await remoteError {
        try await JournalUploader(journal, to: bucket, prefix: log.prefix).upload()
      }
      #expect(error?.code == .conditionsUnsupported)
      let uploader = JournalUploader(journal, to: bucket, prefix: log.prefix, writers: .one)
      #expect(try await uploader.upload() == [1])
      let object = try bucket.object("\(log.prefix)/\(log.name(1))")
      #expect(try await object.content() == log.file(1))
    }
  }

  @Test func `A file is sealed into an object by parts, and read back by ranges`() async throws {
    let (object, key) = (try store().object(Servers.freshKey()), try SealKey.generate())
    let plaintext = Samples.noise(of: 5, count: 12 << 20)
    try await object.seal(for: [.key(key)], partByteCount: 5 << 20) { try $0.write(plaintext) }
    let source = try await RemoteSource.open(object)
    let read = try await source.perform { source in
      try SealedFile.open(source: source, with: [.key(key)]).read()
    }
    #expect(read == plaintext)
    try await object.delete()
    #expect(try await object.get() == nil)
  }
}
