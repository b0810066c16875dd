import AsyncHTTPClient
import Foundation
import Keepsake
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import KeepsakeRemote

@Suite(.enabled(if: Servers.radosgw != nil)) struct `Objects of a radosgw` {
  @Test func `An object is written, read and deleted`() async throws {
    let object = try Servers.store().object(Servers.freshKey("ü +%25?&=#.txt"))
    #expect(try await object.get() == nil)
    let version = try await object.put(Array("one".utf8))
    let content = try #require(try await object.get())
    #expect(content.bytes == Array("one".utf8) && content.version == version)
    try await object.put([])
    #expect(try await object.get()?.bytes == [])
    try await object.delete()
    try await object.delete()
    #expect(try await object.get() == nil)
  }

  @Test func `A condition that does not hold changes nothing`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    let first = try await object.put([1], if: .absent)
    #expect(await remoteError { try await object.put([2], if: .absent) }?.code == .changedMeanwhile)
    let second = try await object.put([3], if: .version(first))
    let lost = await remoteError { try await object.put([4], if: .version(first)) }
    #expect(lost?.code == .changedMeanwhile && lost?.status == 412)
    #expect(try await object.get()?.bytes == [3])
    try await object.delete()
    #expect(
      await remoteError { try await object.put([5], if: .version(second)) }?.code
        == .changedMeanwhile)
    #expect(try await object.get() == nil)
  }

  @Test func `One of eight writers of the same version wins`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    var version = try await object.put([0])
    for round in 0..<10 {
      let expected = version
      let winners = try await withThrowingTaskGroup(of: (UInt8, ObjectVersion)?.self) { group in
        for writer in UInt8(0)..<8 {
          group.addTask {
            do throws(RemoteError) {
              let bytes = [writer, UInt8(round)]
              return (writer, try await object.put(bytes, if: .version(expected)))
            } catch {
              if error.code == .changedMeanwhile { return nil }
              throw error
            }
          }
        }
        return try await group.reduce(into: [(UInt8, ObjectVersion)]()) {
          if let winner = $1 { $0.append(winner) }
        }
      }
      let winner = try #require(winners.first)
      #expect(winners.count == 1)
      #expect(try await object.get()?.bytes == [winner.0, UInt8(round)])
      version = winner.1
    }
  }

  @Test func `The probe finds that conditions hold, and leaves nothing behind`() async throws {
    let store = try Servers.store()
    let folder = UUID().uuidString + "/"
    #expect(try await store.probe(prefix: folder).allowsSeveralWriters)
    #expect(try await store.list(prefix: folder) == [])
  }

  @Test func `A list has all pages in order`() async throws {
    let store = try Servers.store()
    let folder = UUID().uuidString + "/"
    let keys = ["a&b", "b<c>", "d \"e\"", "ö"].map { folder + $0 }
    for (index, key) in keys.enumerated() {
      try await store.object(key).put([UInt8](repeating: 0, count: index))
    }
    let found = try await store.list(prefix: folder)
    #expect(found.map(\.key) == keys && found.map(\.byteCount) == [0, 1, 2, 3])
    #expect(try await store.list(prefix: folder, limit: 2).count == 2)
    #expect(try await found[1].version == store.object(keys[1]).get()?.version)
  }

  @Test func `A wrong secret is refused and is in no message`() async throws {
    let store = try Servers.store(secret: "another-secret")
    let error = await remoteError { _ = try await store.object("x").get() }
    #expect(error?.code == .accessDenied && error?.status == 403)
    #expect(error?.request == "GET s3://keepsake-tests/x")
    #expect(error?.description.contains("SignatureDoesNotMatch") == true)
    #expect(error?.description.contains("another-secret") == false)
  }

  @Test func `An object that is longer than the limit is refused`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put([1, 2, 3])
    #expect(try await object.get(upTo: 3)?.bytes == [1, 2, 3])
    #expect(await remoteError { _ = try await object.get(upTo: 2) }?.code == .answerTooLarge)
  }

  @Test func `A server that cannot be reached is an error that names the request`() async throws {
    let store = try ObjectStore(
      bucket: "bucket", at: "http://127.0.0.1:1", credentials: Servers.credentials(),
      settings: Servers.settings(attempts: 2))
    let error = await remoteError { _ = try await store.object("key").get() }
    #expect(error?.code == .unreachable && error?.request == "GET s3://bucket/key")
    #expect(error?.description.contains("It was sent 2 times.") == true)
  }

  @Test func `A signed request for a bucket in the name of the host is accepted`() async throws {
    let key = Servers.freshKey("ü 1.txt")
    let object = try Servers.store().object(key)
    let server = try #require(Servers.radosgw)
    let store = try ObjectStore(
      bucket: Servers.bucket, at: server.replacing("127.0.0.1", with: "localhost"),
      addressing: .virtualHost, credentials: Servers.credentials(), settings: Servers.settings())
    // Few systems know the address of such a host, so the request is sent to that of the server.
    func send(_ method: HTTPMethod, _ body: [UInt8], query: [(String, String)] = []) throws
      -> RemoteAnswer
    {
      var request = store.request(method, key: query.isEmpty ? key : "", query: query)
      request.body = body
      let host = "http://\(Servers.bucket).localhost:"
      #expect(request.url.hasPrefix(host))
      request.url = request.url.replacing(host, with: "http://127.0.0.1:")
      return try store.send(
        request, key: query.isEmpty ? key : "", query: query, cancellation: Cancellation())
    }
    #expect(try send(.PUT, [1, 2]).isSuccess)
    #expect(try await object.get()?.bytes == [1, 2])
    #expect(try send(.GET, []).body == [1, 2])
    let list = try send(.GET, [], query: [("list-type", "2"), ("prefix", key)])
    #expect(AnswerElement(parsing: list.body)?["KeyCount"] == "1")
  }

  @Test(.enabled(if: Servers.certificate != nil))
  func `The error names the host if a trusted certificate is for another host`() async throws {
    let endpoint = try #require(Servers.untrusted)
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .file(try #require(Servers.certificate))
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
    configuration.connectionPool.retryConnectionEstablishment = false
    let client = HTTPClient(configuration: configuration)
    let transport = RemoteTransport(settings: RemoteSettings(), cancellation: Cancellation())
    var error: RemoteError?
    do {
      _ = try await client.get(url: endpoint).get()
    } catch let failure {
      // The name of the host is the only fault, since the certificate itself is trusted.
      #expect("\(failure)".contains("failedToValidateHostname"))
      error = transport.translated(
        failure, of: RemoteRequest(method: .GET, url: endpoint, name: "GET \(endpoint)"))
    }
    try await client.shutdown()
    #expect(error?.code == .certificateUntrusted)
    #expect(error?.description.contains("The certificate of 127.0.0.1") == true)
  }

  @Test(.enabled(if: Servers.untrusted != nil))
  func `A certificate that is not trusted is an error at once, with the name of the host`()
    async throws
  {
    let endpoint = try #require(Servers.untrusted)
    let store = try ObjectStore(
      bucket: "bucket", at: endpoint, credentials: Servers.credentials(),
      settings: Servers.settings())
    let stored = await remoteError { try await store.object("key").put([1], if: .absent) }
    let read = await remoteError { _ = try await RemoteObject(url: endpoint + "/file").get() }
    for error in [stored, read] {
      #expect(error?.code == .certificateUntrusted)
      #expect(error?.description.contains("The certificate of 127.0.0.1") == true)
      #expect(error?.description.contains("handshake") == false)
      #expect(error?.description.contains("It was sent") == false)
    }
  }
}
