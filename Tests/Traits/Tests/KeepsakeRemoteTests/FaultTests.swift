import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

/// Each test sets the faults of the one proxy, so they run one after the other.
@Suite(.serialized, .enabled(if: Servers.proxy != nil)) struct `Requests with faults` {
  private func object(
    attempts: Int = 3, timeout: Duration = .seconds(30), _ name: String = "object"
  ) throws -> RemoteObject {
    try Servers.store(
      through: Servers.proxy, settings: Servers.settings(attempts: attempts, timeout: timeout)
    ).object(Servers.freshKey(name))
  }

  @Test(
    arguments: [
      Fault(kind: "refuse"), Fault(kind: "drop"), Fault(kind: "cut"),
      Fault(kind: "status", status: 500), Fault(kind: "status", status: 503),
      Fault(kind: "status", status: 429, headers: ["Retry-After": "0"]),
      Fault(kind: "truncate", range: true),
    ])
  func `A read continues after a fault, and fails after the last request it may send`(
    fault: Fault
  ) async throws {
    let key = try SealKey.generate()
    let object = try object()
    let plaintext = Samples.noise(of: 9, count: 300_000)
    try await Proxy.set([])
    try await object.put(Samples.sealed(plaintext, for: key))
    let source = try await RemoteSource.open(object)
    try await Proxy.set([fault, fault])
    let read: @Sendable (RemoteSource) throws -> [UInt8] = { source in
      try SealedFile.open(source: source, with: [.key(key)]).read(200_000..<250_000)
    }
    #expect(try await source.perform(read) == Array(plaintext[200_000..<250_000]))
    #expect(try await Proxy.log().count == 3)

    let other = try await RemoteSource.open(object)
    try await Proxy.set([fault, fault, fault])
    let error = await remoteError { _ = try await other.perform(read) }
    #expect(error?.isTransient == true && error?.request?.hasPrefix("GET s3://") == true)
    #expect(error?.description.contains("sent 3 times") == true)
    #expect(try await other.perform(read) == Array(plaintext[200_000..<250_000]))
  }

  @Test(
    arguments: [
      ("whole", RemoteError.Code.rangeRefused), ("shift", .rangeRefused), ("claim", .rangeRefused),
      ("etag", .changedMeanwhile), ("noetag", .changedMeanwhile),
    ])
  func `A wrong answer to a range is refused at once`(
    kind: String, code: RemoteError.Code
  ) async throws {
    let key = try SealKey.generate()
    // Requests to a web server have no signature, so the proxy can change their headers.
    let (proxy, name) = (try #require(Servers.webProxy), UUID().uuidString)
    try Data(Samples.sealed(Samples.noise(of: 9, count: 300_000), for: key))
      .write(to: URL(fileURLWithPath: #require(Servers.webFolder) + "/" + name))
    try await Proxy.set([], of: proxy)
    let source = try await RemoteSource.open(RemoteObject(url: "\(proxy)/\(name)"))
    try await Proxy.set([Fault(kind: kind)], of: proxy)
    let error = await remoteError {
      _ = try await source.perform { source in
        try SealedFile.open(source: source, with: [.key(key)]).read(200_000..<250_000)
      }
    }
    #expect(error?.code == code && error?.request?.contains("bytes") == true)
    #expect(try await Proxy.log(of: proxy).count == 1)
  }

  @Test func `An answer that does not arrive in time is an error`() async throws {
    let object = try object(attempts: 1, timeout: .milliseconds(200))
    try await Proxy.set([Fault(kind: "delay", seconds: 5)])
    let error = await remoteError { _ = try await object.get() }
    #expect(error?.code == .timedOut)
  }

  @Test func `A cancelled read ends, and its source refuses further reads`() async throws {
    let object = try object()
    try await Proxy.set([])
    try await object.put(Samples.noise(of: 1, count: 300_000))
    let source = try await RemoteSource.open(object)
    try await Proxy.set([Fault(kind: "delay", seconds: 20)])
    let task = Task { try await source.perform { try $0.read(200_000..<200_001) } }
    while try await Proxy.log().isEmpty { await Task.yield() }
    task.cancel()
    #expect(await remoteError { _ = try await task.value }?.code == .cancelled)
    #expect(
      await remoteError { _ = try await source.perform { try $0.read(100_000..<100_001) } }?.code
        == .cancelled)
  }

  @Test(arguments: ["drop", "status", "cut", "delay"])
  func `A write succeeds even if its answer was lost`(kind: String) async throws {
    let object = try object(timeout: kind == "delay" ? .milliseconds(500) : .seconds(30))
    let lost = Fault(
      kind: kind, method: "PUT", status: 500, executes: true, succeeds: true, seconds: 5)
    try await Proxy.set([lost])
    let first = try await object.put([1], if: .absent)
    try await Proxy.set([lost])
    let second = try await object.put([2], if: .version(first))
    #expect(try await object.get()?.bytes == [2])
    #expect(try await object.get()?.version == second)
    // The first request is executed, and no request is answered.
    let unanswered = Fault(kind: kind, method: "PUT", status: 500, executes: true, seconds: 5)
    try await Proxy.set([lost, unanswered, unanswered])
    let third = try await object.put([3], if: .version(second))
    #expect(try await object.get()?.version == third)
  }

  @Test func `A write whose answer has no version does not take the version of another writer`()
    async throws
  {
    let object = try object()
    let lost = Fault(kind: "noetag", method: "PUT")
    try await Proxy.set([lost])
    let first = try await object.put([1])
    #expect(try await object.version() == first)
    // Another writer has replaced the object before it is read back.
    let other = Fault(
      kind: "status", method: "GET", status: 200, headers: ["ETag": "\"0123\""], body: "x")
    try await Proxy.set([lost, other])
    #expect(try await object.put([2]).tag.isEmpty)
    #expect(try await object.get()?.bytes == [2])
  }

  @Test func `A write is refused if the last answer had a foreign version`() async throws {
    let object = try object()
    try await Proxy.set([Fault(kind: "etag", method: "PUT")])
    let foreign = try await object.put([1])
    let error = await remoteError { try await object.put([2], if: .version(foreign)) }
    #expect(error?.code == .changedMeanwhile)
    #expect(try await object.get()?.bytes == [1])
  }

  @Test(
    arguments: [
      Fault(kind: "refuse", stays: true), Fault(kind: "cut", stays: true),
      Fault(kind: "status", status: 503, stays: true),
      Fault(kind: "status", status: 403, code: "SignatureDoesNotMatch", stays: true),
    ])
  func `No part of an error has the secret key`(fault: Fault) async throws {
    let object = try object()
    try await Proxy.set([fault])
    let found = await remoteError { try await object.put([1], if: .absent) }
    try await Proxy.set([])
    let error = try #require(found)
    var text = "\(error)"
    dump(error, to: &text)
    #expect(text.contains("PUT s3://") && !text.contains("testsecret"))
  }

  @Test func `A store remembers in which form its server accepts tags`() async throws {
    let store = try Servers.store(through: Servers.proxy, settings: Servers.settings())
    let object = try store.object(Servers.freshKey())
    try await Proxy.set([])
    let first = try await object.put([1])
    let second = try await object.put([2], if: .version(first))
    let learning = try await Proxy.log()
    let taken = try #require(learning.last)
    #expect(taken.method == "PUT" && taken.match.contains(first.tag))
    // Another object of the same store, and a second replacement, take one request each.
    let other = try store.object(Servers.freshKey())
    let otherFirst = try await other.put([1])
    try await Proxy.set([])
    let third = try await object.put([3], if: .version(second))
    _ = try await other.put([2], if: .version(otherFirst))
    let log = try await Proxy.log()
    #expect(log.map(\.method) == ["PUT", "PUT"])
    #expect(log.allSatisfy { $0.match.hasPrefix("\"") == taken.match.hasPrefix("\"") })
    // A version that is gone is still refused.
    #expect(
      await remoteError { try await object.put([4], if: .version(second)) }?.code
        == .changedMeanwhile)
    #expect(try await object.get()?.version == third)
  }

  @Test func `A write that was lost before the server is not reported as done`() async throws {
    let object = try object()
    try await Proxy.set([])
    let first = try await object.put([1])
    let refuse = Fault(kind: "refuse", method: "PUT")
    try await Proxy.set([refuse, refuse, refuse])
    let error = await remoteError { try await object.put([2], if: .version(first)) }
    #expect(error?.code == .unreachable)
    #expect(try await object.get()?.bytes == [1])
    let all = Fault(kind: "refuse", stays: true)
    try await Proxy.set([all])
    let unknown = await remoteError { try await object.put([2], if: .version(first)) }
    #expect(unknown?.code == .outcomeUnknown)
  }

  @Test func `A list has the objects of all answers, and an incomplete answer is an error`()
    async throws
  {
    func answer(_ key: String, _ token: String) -> Fault {
      let body = """
        <ListBucketResult><Contents><Key>\(key)</Key><Size>1</Size></Contents>
        <IsTruncated>\(key != "c")</IsTruncated>\(token)</ListBucketResult>
        """
      return Fault(kind: "status", method: "GET", status: 200, body: body)
    }
    func next(_ token: String) -> String {
      "<NextContinuationToken>\(token)</NextContinuationToken>"
    }
    let store = try Servers.store(through: Servers.proxy)
    try await Proxy.set([answer("a", next("1")), answer("b", next("2")), answer("c", "")])
    #expect(try await store.list(prefix: "").map(\.key) == ["a", "b", "c"])
    #expect(try await Proxy.log().last?.path.contains("continuation-token=2") == true)
    for last in ["", next("1")] {
      try await Proxy.set([answer("a", next("1")), answer("b", last)])
      let error = await remoteError { _ = try await store.list(prefix: "") }
      #expect(error?.code == .malformedAnswer)
    }
  }

  @Test func `A journal of very many files is listed in several answers`() async throws {
    let pageCount = 101
    let pages = (0..<pageCount).map { page in
      let objects = (0..<1000).map {
        "<Contents><Key>log/\(page)-\($0)</Key><Size>1</Size></Contents>"
      }
      let end =
        "<IsTruncated>\(page + 1 < pageCount)</IsTruncated>"
        + "<NextContinuationToken>\(page)</NextContinuationToken>"
      return Fault(
        kind: "status", method: "GET", status: 200,
        body: "<ListBucketResult>\(objects.joined())\(end)</ListBucketResult>")
    }
    try await Proxy.set(pages)
    let files = try RemoteJournalStorage(
      Servers.store(through: Servers.proxy), prefix: "log", Cancellation())
    #expect(files.entries.count == pageCount * 1000)
  }

  @Test func `A change by another writer between two attempts is not overwritten`() async throws {
    let object = try object()
    try await Proxy.set([])
    let first = try await object.put([1])
    let direct = try Servers.store().object(object.key)
    try await direct.put([7], if: .version(first))
    try await Proxy.set([Fault(kind: "status", method: "PUT", status: 503)])
    let error = await remoteError { try await object.put([2], if: .version(first)) }
    #expect(error?.code == .changedMeanwhile)
    #expect(try await object.get()?.bytes == [7])
  }
}

extension `Requests with faults` {
  @Test(arguments: ["drop", "status"])
  func `An upload whose answer was lost is no conflict at the next launch`(kind: String)
    async throws
  {
    try await withFolder { folder in
      let identity = try X25519Identity.generate()
      let key = Servers.freshKey("state")
      func launch(_ endpoint: String?) throws -> RemoteStateStore {
        try RemoteStateStore(
          directory: StateDirectory(path: folder + "/state", application: "notes"),
          in: Servers.store(through: endpoint, settings: Servers.settings()), key: key,
          for: [.x25519(identity.recipient)], identities: [.x25519(identity)])
      }
      try await Proxy.set([])
      let store = try launch(Servers.proxy)
      _ = try await store.load()
      try await store.save([1], previous: .replace)
      #expect(store.status.isCurrent)
      // The upload is executed, and neither its answer nor the answer of reading it back arrives.
      let lost = Fault(kind: kind, method: "PUT", status: 500, executes: true, succeeds: true)
      let unread = Fault(kind: "refuse", method: "GET")
      try await Proxy.set([lost, unread, unread, unread])
      try await store.save([2], previous: .replace)
      guard case .unsent(let error?) = store.status else {
        Issue.record("\(store.status)")
        return
      }
      #expect(error.code == .outcomeUnknown)
      await store.local.suspend()
      do {
        // The next save is made before another exchange, and differs from the bytes that were sent.
        let offline = try launch("http://127.0.0.1:1")
        _ = try await offline.load()
        try await offline.save([3], previous: .replace)
        await offline.local.suspend()
      }
      let again = try launch(Servers.radosgw)
      #expect(try await again.load() == .archive([3], failedLaunchCount: 0))
      #expect(try await again.synchronize().isCurrent)
    }
  }

  @Test func `A store that ignores conditions gets no state unless one machine writes`()
    async throws
  {
    try await withFolder { folder in
      let identity = try X25519Identity.generate()
      func launch(_ name: String, _ writers: RemoteStateStore.Writers) throws -> RemoteStateStore {
        try RemoteStateStore(
          directory: StateDirectory(path: folder + "/" + name, application: "notes"),
          in: Servers.publicStore(through: Servers.proxy), key: Servers.freshKey("state"),
          for: [.x25519(identity.recipient)], identities: [.x25519(identity)], writers: writers)
      }
      try await Proxy.set([Fault(kind: "unconditional", stays: true)])
      let several = try launch("several", .several)
      _ = try await several.load()
      try await several.save([1], previous: .replace)
      guard case .refused(let error) = several.status else {
        Issue.record("\(several.status)")
        return
      }
      #expect(error.code == .conditionsUnsupported && error.description.contains("Writers.one"))
      #expect(try await several.object.get() == nil)
      let one = try launch("one", .one)
      _ = try await one.load()
      try await one.save([1], previous: .replace)
      #expect(one.status.isCurrent)
      try await Proxy.set([])
    }
  }
}
