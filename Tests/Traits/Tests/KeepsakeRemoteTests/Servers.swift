import Foundation
import Keepsake
import NIOHTTP1
import Testing

@testable import KeepsakeRemote

/// The servers that `Tests/Traits/run` has started; tests that need one are skipped without it.
enum Servers {
  static let environment = ProcessInfo.processInfo.environment
  static let radosgw = environment["KEEPSAKE_S3"]
  static let proxy = environment["KEEPSAKE_S3_PROXY"]
  static let web = environment["KEEPSAKE_WEB"]
  static let webProxy = environment["KEEPSAKE_WEB_PROXY"]
  static let webFolder = environment["KEEPSAKE_WEB_FOLDER"]
  /// A web server with a certificate that no authority has signed.
  static let untrusted = environment["KEEPSAKE_WEB_UNTRUSTED"]
  /// The file of that certificate, which is for another host.
  static let certificate = environment["KEEPSAKE_WEB_CERTIFICATE"]
  /// An OpenStack Swift, which `Tests/Traits/run --openstack` starts.
  static let openStack = environment["KEEPSAKE_OPENSTACK"]

  static let bucket = "keepsake-tests"

  /// Settings that repeat without a noticeable pause.
  static func settings(
    attempts: Int = 3, timeout: Duration = .seconds(30), readAhead: Int = 4 << 20
  ) -> RemoteSettings {
    RemoteSettings(
      attemptCount: attempts, backoff: .milliseconds(1), longestBackoff: .milliseconds(2),
      timeout: timeout, readAheadByteCount: readAhead)
  }

  static func credentials(secret: String = "testsecret") throws -> ObjectStoreCredentials {
    try ObjectStoreCredentials(accessKey: "TESTKEY", secretKey: secret)
  }

  /// A bucket that everyone may write into and list, made on first use.
  ///
  /// Its requests have no signature, so the proxy can change their headers. Reading an object gets 403: the permission
  /// of the bucket does not cover what is in its objects.
  static func publicStore(
    through endpoint: String? = radosgw, settings: RemoteSettings = settings()
  ) throws -> ObjectStore {
    let bucket = bucket + "-public"
    let direct = try ObjectStore(
      bucket: bucket, at: #require(radosgw), credentials: credentials(),
      settings: RemoteSettings())
    var request = direct.request(.PUT, key: "")
    request.headers.append(("x-amz-acl", "public-read-write"))
    _ = try direct.send(request, key: "", cancellation: Cancellation())
    return try ObjectStore(
      bucket: bucket, at: #require(endpoint), credentials: nil, settings: settings)
  }

  /// The bucket of the tests, made on first use.
  static func store(
    through endpoint: String? = radosgw, settings: RemoteSettings = settings(),
    secret: String = "testsecret"
  ) throws -> ObjectStore {
    let direct = try ObjectStore(
      bucket: bucket, at: #require(radosgw), credentials: credentials(),
      settings: RemoteSettings())
    let request = direct.request(.PUT, key: "")
    _ = try direct.send(request, key: "", cancellation: Cancellation())
    return try ObjectStore(
      bucket: bucket, at: #require(endpoint), credentials: credentials(secret: secret),
      settings: settings)
  }

  /// The number of uploads in parts that were neither completed nor aborted.
  static func openUploadCount(of object: RemoteObject) throws -> Int {
    let (store, query) = (try store(), [("uploads", ""), ("prefix", object.key)])
    let request = store.request(.GET, key: "", query: query)
    let answer = try store.send(request, key: "", query: query, cancellation: Cancellation())
    let list = try #require(AnswerElement(parsing: answer.body))
    #expect(list.name == "ListMultipartUploadsResult")
    return list.children.count { $0.name == "Upload" }
  }

  /// A key that no other test uses.
  static func freshKey(_ name: String = "object") -> String { "\(UUID().uuidString)/\(name)" }
}

/// A directory that is removed at the end.
func withFolder<T>(_ body: (String) async throws -> T) async throws -> T {
  let folder = NSTemporaryDirectory() + "keepsake-remote-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// The error that work throws; nil if it throws none.
func remoteError(_ work: () async throws -> Void) async -> RemoteError? {
  do {
    try await work()
    return nil
  } catch let error as RemoteError {
    return error
  } catch let error as SealError {
    return error.underlyingError as? RemoteError
  } catch {
    Issue.record("another error: \(error)")
    return nil
  }
}

/// A fault of the proxy, as `Servers/proxy.py` describes it.
struct Fault: Encodable {
  var kind: String
  var method: String?
  var range: Bool?
  var path: String?
  /// True for requests with a tag without quotation marks.
  var bare: Bool?
  var status: Int?
  var executes: Bool?
  var succeeds: Bool?
  var code: String?
  var seconds: Double?
  var stays: Bool?
  var headers: [String: String]?
  var body: String?
}

extension RemoteObject {
  /// The bytes of an object that exists.
  func content() async throws -> [UInt8] {
    let found = try await get()
    return try #require(found).bytes
  }
}

/// A request that the proxy has received.
struct LoggedRequest: Decodable {
  let method: String
  let path: String
  let range: String
  /// The value of the header `If-Match`; empty without one.
  let match: String
  /// The number of requests that were under way when this one arrived.
  let running: Int
}

enum Proxy {
  static func set(
    _ faults: [Fault], of proxy: String? = Servers.proxy
  ) async throws {
    let control = try RemoteObject(url: #require(proxy) + "/__faults")
    try await control.put(Array(JSONEncoder().encode(faults)))
  }

  static func log(of proxy: String? = Servers.proxy) async throws -> [LoggedRequest] {
    let control = try RemoteObject(url: #require(proxy) + "/__log")
    return try await JSONDecoder().decode([LoggedRequest].self, from: Data(control.content()))
  }
}
