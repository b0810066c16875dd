import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

private struct Settings: Codable, Sendable, Equatable {
  var color = "blue"
  var count = 0
}

private struct Wider: Codable, Sendable, Equatable {
  var color = "blue"
  var count = 0
  var size = 12
}

/// The error that work throws; nil if it throws none.
private func valueError(_ work: () async throws(KeepsakeError) -> Void) async -> KeepsakeError? {
  do throws(KeepsakeError) {
    try await work()
    return nil
  } catch {
    return error
  }
}

private func store(
  _ object: RemoteObject, key: SealKey, writers: RemoteStateStore.Writers = .several
) -> RemoteValueStore<Settings> {
  RemoteValueStore(object: object, key: .key(key), default: Settings(), writers: writers)
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `A value in a radosgw` {
  @Test func `A value is saved, loaded elsewhere, changed and deleted`() async throws {
    let (key, name) = (try SealKey.generate(), Servers.freshKey("settings"))
    let first = store(try Servers.store().object(name), key: key)
    #expect(try await first.load() == Settings())
    try await first.save(Settings(color: "red"))
    try await first.save(Settings(color: "green", count: 1))
    let second = store(try Servers.store().object(name), key: key)
    #expect(try await second.load() == Settings(color: "green", count: 1))
    #expect(try await second.update { $0.count += 1 }.count == 2)
    #expect(try await first.load().count == 2)
    try await first.delete()
    #expect(try await second.load() == Settings())
    try await first.save(Settings(color: "white"))
    #expect(try await second.load().color == "white")
  }

  @Test func `A save that lost a race is refused until the value is loaded`() async throws {
    let (key, object) = (try SealKey.generate(), try Servers.store().object(Servers.freshKey()))
    let (first, second) = (store(object, key: key), store(object, key: key))
    try await first.save(Settings(color: "red"))
    // This store has never read the value.
    let unread = await valueError { () throws(KeepsakeError) in try await second.save(Settings()) }
    #expect(unread?.code == .valueChanged)
    _ = try await second.load()
    try await first.update { $0.count = 5 }
    for _ in 0..<2 {
      let lost = await valueError { () throws(KeepsakeError) in
        try await second.save(Settings(color: "black"))
      }
      #expect(lost?.code == .valueChanged)
      #expect((lost?.underlyingError as? RemoteError)?.code == .changedMeanwhile)
    }
    #expect(try await second.load() == Settings(color: "red", count: 5))
    try await second.save(Settings(color: "black"))
    #expect(try await first.load().color == "black")
  }

  @Test func `Updates of several machines are all kept`() async throws {
    let (key, name) = (try SealKey.generate(), Servers.freshKey())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let machine = store(try Servers.store().object(name), key: key)
        group.addTask {
          for _ in 0..<3 { try await machine.update { $0.count += 1 } }
        }
      }
      try await group.waitForAll()
    }
    let last = store(try Servers.store().object(name), key: key)
    #expect(try await last.load().count == 12)
  }

  @Test func `Another key, another purpose and damage are refused and change nothing`()
    async throws
  {
    let (key, object) = (try SealKey.generate(), try Servers.store().object(Servers.freshKey()))
    try await store(object, key: key).save(Settings(color: "red"))
    let bytes = try await object.content()
    let stranger = store(object, key: try SealKey.generate())
    let purpose = RemoteValueStore(
      object: object, key: .key(key).forPurpose("other"), default: Settings())
    for (store, code) in [(stranger, KeepsakeError.Code.keyWrong), (purpose, .wrongPurpose)] {
      let error = await valueError { () throws(KeepsakeError) in _ = try await store.load() }
      #expect(error?.code == code && error?.description.contains("s3://") == true)
      #expect(
        await valueError { () throws(KeepsakeError) in try await store.save(Settings()) }?.code
          == .valueChanged)
    }
    #expect(try await object.content() == bytes)
    var changed = bytes
    changed[changed.count - 1] ^= 1
    try await object.put(changed)
    let damaged = await valueError { () throws(KeepsakeError) in
      try await store(object, key: key).update { $0.count = 1 }
    }
    #expect(damaged?.code == .damaged)
    #expect(try await object.content() == changed)
  }

  @Test func `Keys of a newer program stay in the value`() async throws {
    let (key, object) = (try SealKey.generate(), try Servers.store().object(Servers.freshKey()))
    let newer = RemoteValueStore(object: object, key: .key(key), default: Wider())
    try await newer.save(Wider(color: "red", count: 1, size: 40))
    let older = store(object, key: key)
    try await older.update { $0.count = 2 }
    #expect(older.unknownKeyReport.kept == ["size"])
    #expect(try await newer.load() == Wider(color: "red", count: 2, size: 40))
  }

  @Test func `A store that cannot be reached is an error with a cause`() async throws {
    let bucket = try ObjectStore(
      bucket: "bucket", at: "http://127.0.0.1:1", credentials: Servers.credentials(),
      settings: Servers.settings(attempts: 1))
    let store = store(try bucket.object("settings"), key: try SealKey.generate())
    let error = await valueError { () throws(KeepsakeError) in _ = try await store.load() }
    #expect(error?.code == .storeUnavailable)
    #expect((error?.underlyingError as? RemoteError)?.code == .unreachable)
  }
}

extension `Requests with faults` {
  @Test func `The next load settles a save whose outcome is unknown`() async throws {
    let key = try SealKey.generate()
    let bucket = try Servers.store(through: Servers.proxy, settings: Servers.settings())
    let store = store(try bucket.object(Servers.freshKey()), key: key)
    try await Proxy.set([])
    try await store.save(Settings(color: "red"))
    let lost = Fault(kind: "drop", method: "PUT", succeeds: true)
    let unread = Fault(kind: "refuse", method: "GET")
    try await Proxy.set([lost, unread, unread, unread])
    let unknown = await valueError { () throws(KeepsakeError) in
      try await store.save(Settings(color: "green"))
    }
    #expect((unknown?.underlyingError as? RemoteError)?.code == .outcomeUnknown)
    let blind = await valueError { () throws(KeepsakeError) in try await store.save(Settings()) }
    #expect(blind?.code == .valueChanged)
    #expect(try await store.load().color == "green")
    try await store.save(Settings(color: "white"))
    #expect(try await store.load().color == "white")
  }

  @Test func `A store that ignores conditions gets no value unless one machine writes`()
    async throws
  {
    let key = try SealKey.generate()
    try await Proxy.set([Fault(kind: "unconditional", stays: true)])
    let bucket = try Servers.publicStore(through: Servers.proxy)
    let several = store(try bucket.object(Servers.freshKey()), key: key)
    let error = await valueError { () throws(KeepsakeError) in
      try await several.save(Settings())
    }
    #expect((error?.underlyingError as? RemoteError)?.code == .conditionsUnsupported)
    #expect(try await several.object.get() == nil)
    let one = store(try bucket.object(Servers.freshKey()), key: key, writers: .one)
    try await one.save(Settings(color: "red"))
    try await Proxy.set([])
  }

  @Test func `A tag without quotation marks is not sent to a store that ignores it`() async throws {
    let object = try Servers.store(through: Servers.proxy, settings: Servers.settings())
      .object(Servers.freshKey())
    try await Proxy.set([])
    let version = try await object.put([1])
    // The store reports success for each write with such a tag, as if it ignored the tag.
    try await Proxy.set([Fault(kind: "status", method: "PUT", bare: true, status: 200, stays: true)]
    )
    let error = await remoteError { try await object.put([2], if: .version(version)) }
    #expect(error?.code == .changedMeanwhile)
    let writes = try await Proxy.log().filter { $0.method == "PUT" && $0.path.hasSuffix("/object") }
    #expect(writes.map(\.match) == ["\"\(version.tag)\""])
    try await Proxy.set([])
    #expect(try await object.get()?.bytes == [1])
  }
}
