#if Remote
  import Foundation
  import Keepsake
  import NIOHTTP1
  import Synchronization

  /// A bucket of an object store that speaks the S3 protocol.
  ///
  /// ```swift
  /// let profile = try ObjectStoreProfile.current()
  /// let store = try ObjectStore(
  ///   bucket: "states", at: "https://objects.example.com",
  ///   credentials: profile.credentials)
  /// ```
  public struct ObjectStore: Sendable {
    /// The place of the bucket's name in an address.
    public enum Addressing: Sendable {
      /// The path begins with it: `https://host/bucket/key`.
      case path
      /// The name of the host begins with it: `https://bucket.host/key`.
      case virtualHost
    }

    /// The name of the bucket.
    public let bucket: String
    /// The region for which requests are signed.
    public let region: String
    let credentials: ObjectStoreCredentials?
    let settings: RemoteSettings
    /// The findings about the store, which all copies of this value share.
    let findings = StoreFindings()
    private let scheme: String
    /// The host, with its port where that is not the default one.
    private let host: String
    /// The path before each key, without a slash at its end.
    private let basePath: String

    /// Creates the value for a bucket; no request is sent.
    ///
    /// - Parameters:
    ///   - bucket: The name of the bucket.
    ///   - endpoint: The address of the server, `https://` or `http://` with a host and, if needed, a port.
    ///   - region: The region for which requests are signed; many servers ignore it.
    ///   - addressing: The place of the bucket's name in an address.
    ///   - credentials: The key that signs the requests; nil for requests without a signature.
    ///   - settings: Time limits, retries and memory.
    /// - Throws: ``RemoteError`` with `invalidAddress`.
    public init(
      bucket: String, at endpoint: String, region: String = "us-east-1",
      addressing: Addressing = .path, credentials: ObjectStoreCredentials?,
      settings: RemoteSettings = RemoteSettings()
    ) throws(RemoteError) {
      guard let parts = URLComponents(string: endpoint), let scheme = parts.scheme?.lowercased(),
        ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
        parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
        parts.path.isEmpty || parts.path == "/"
      else {
        throw RemoteError(
          .invalidAddress,
          "The endpoint has to be an address such as https://objects.example.com, without a path and without a password."
        )
      }
      guard !bucket.contains("@"), !bucket.contains(":") else {
        throw RemoteError(
          .invalidAddress,
          "The name of a bucket must not have a password. Credentials belong in the environment or in ~/.aws/credentials."
        )
      }
      guard (3...63).contains(bucket.utf8.count),
        bucket.utf8.allSatisfy({
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            || $0 == UInt8(ascii: ".")
        })
      else {
        throw RemoteError(
          .invalidAddress,
          "\"\(bucket)\" is not the name of a bucket: 3 to 63 small letters, digits, dots and hyphens."
        )
      }
      let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
      self.scheme = scheme
      self.host = (addressing == .virtualHost ? "\(bucket)." : "") + host.lowercased() + port
      basePath = addressing == .virtualHost ? "" : "/\(bucket)"
      self.bucket = bucket
      self.region = region
      self.credentials = credentials
      self.settings = settings
    }

    /// The object with a key of 1 to 1024 bytes of UTF-8; no request is sent.
    ///
    /// - Throws: ``RemoteError`` with `invalidAddress`.
    public func object(_ key: String) throws(RemoteError) -> RemoteObject {
      guard (1...1024).contains(key.utf8.count), !key.utf8.contains(0) else {
        throw RemoteError(
          .invalidAddress, "The key of an object has 1 to 1024 bytes and no zero byte.")
      }
      return RemoteObject(place: .stored(self, key: key), settings: settings)
    }

    /// A request for a key, or for the bucket where the key is empty.
    func request(
      _ method: HTTPMethod, key: String, query: [(String, String)] = []
    ) -> RemoteRequest {
      let query = Self.encoded(query)
      return RemoteRequest(
        method: method,
        url: "\(scheme)://\(host)\(path(of: key))" + (query.isEmpty ? "" : "?\(query)"),
        name: "\(method.rawValue) s3://\(bucket)/\(key)")
    }

    /// Sends a request with a signature for the time of each attempt.
    func send(
      _ request: RemoteRequest, key: String, query: [(String, String)] = [],
      cancellation: Cancellation
    ) throws(RemoteError) -> RemoteAnswer {
      let (path, query) = (path(of: key), Self.encoded(query))
      return try RemoteTransport(settings: settings, cancellation: cancellation).send(request) {
        request throws(RemoteError) in
        guard let credentials else { return request }
        let signature = RequestSignature(
          credentials: credentials, region: region, time: Int(Date.now.timeIntervalSince1970))
        return try signature.signed(request, host: host, path: path, query: query)
      }
    }

    private func path(of key: String) -> String {
      key.isEmpty
        ? (basePath.isEmpty ? "/" : basePath) : "\(basePath)/\(key.percentEncoded(keeping: "/"))"
    }

    private static func encoded(_ query: [(String, String)]) -> String {
      query.map { ($0.percentEncoded(), $1.percentEncoded()) }.sorted { $0 < $1 }
        .map { "\($0)=\($1)" }.joined(separator: "&")
    }
  }

  /// The findings about the conditional writes of a store.
  final class StoreFindings: Sendable {
    /// The form in which a store accepts an entity tag as a condition.
    enum TagForm { case quoted, bare }

    private struct State {
      /// The form that the store has accepted; nil before the first write that succeeds.
      var tagForm: TagForm?
      var keepsConditions = false
    }

    private let state = Mutex(State())

    /// The form to send first: RFC 9110 requires quotation marks.
    var tagForm: TagForm { state.withLock { $0.tagForm ?? .quoted } }

    /// True when a probe has found that the store keeps conditions.
    var keepsConditions: Bool { state.withLock { $0.keepsConditions } }

    /// Remembers a form that the store has accepted.
    ///
    /// The standard form stays: a store that accepted it once is never sent a bare tag first.
    func note(_ form: TagForm) {
      state.withLock { if $0.tagForm != .quoted { $0.tagForm = form } }
    }

    /// Remembers that the store keeps conditions.
    func noteConditions() { state.withLock { $0.keepsConditions = true } }
  }

  // Listing.
  extension ObjectStore {
    /// A listed object.
    public struct Entry: Sendable, Hashable {
      /// The key.
      public let key: String
      /// The size in bytes.
      public let byteCount: Int
      /// The version.
      public let version: ObjectVersion
    }

    /// Lists the objects whose keys start with a prefix, in the order of the bytes of their keys.
    ///
    /// Each request lists up to 1000 objects. If there are more than `limit` objects, the first ones are returned.
    ///
    /// - Throws: ``RemoteError``: `malformedAnswer` when a server announces more objects, but does not send them.
    public func list(prefix: String, limit: Int = .max) async throws(RemoteError) -> [Entry] {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try listNow(prefix: prefix, limit: limit, cancellation)
      }
    }

    func listNow(
      prefix: String, limit: Int, _ cancellation: Cancellation
    ) throws(RemoteError) -> [Entry] {
      var entries: [Entry] = []
      var token: String?
      while true {
        var query = [("list-type", "2"), ("prefix", prefix)]
        if let token { query.append(("continuation-token", token)) }
        var request = request(.GET, key: "", query: query)
        request.bodyLimit = 4 << 20
        let answer = try send(request, key: "", query: query, cancellation: cancellation)
        guard answer.isSuccess else { throw answer.refusal(of: request) }
        func malformed(_ message: String) -> RemoteError {
          RemoteError(.malformedAnswer, message, request: request.name, status: answer.status)
        }
        guard let list = AnswerElement(parsing: answer.body), list.name == "ListBucketResult" else {
          throw malformed("The answer is not a list of objects.")
        }
        for element in list.children where element.name == "Contents" {
          guard entries.count < limit else { return entries }
          guard let key = element["Key"],
            let size = element["Size"].flatMap({ Int($0) }), size >= 0
          else {
            throw malformed("The list has an object without a key or a size.")
          }
          entries.append(
            Entry(key: key, byteCount: size, version: ObjectVersion(header: element["ETag"] ?? "")))
        }
        guard entries.count < limit, list["IsTruncated"] == "true" else { return entries }
        // Without this check a server that repeats a token would be asked forever.
        guard let next = list["NextContinuationToken"], next != token else {
          throw malformed("There are more objects, and the answer does not say how to get them.")
        }
        token = next
      }
    }
  }
#endif
