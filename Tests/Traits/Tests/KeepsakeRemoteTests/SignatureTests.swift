import Foundation
import NIOHTTP1
import Testing

@testable import KeepsakeRemote

/// The examples of the documentation of Signature Version 4 for S3.
@Suite struct `A signature` {
  private func signature(
    _ method: HTTPMethod, path: String, query: String = "", headers: [(String, String)] = [],
    body: String = ""
  ) throws -> String {
    let credentials = try ObjectStoreCredentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    var request = RemoteRequest(method: method, url: "", name: "")
    request.headers = headers.map { (name: $0.0, value: $0.1) }
    request.body = Array(body.utf8)
    let signed = try RequestSignature(
      credentials: credentials, region: "us-east-1", time: 1_369_353_600
    ).signed(request, host: "examplebucket.s3.amazonaws.com", path: path, query: query)
    let value = signed.headers.first { $0.name == "Authorization" }?.value ?? ""
    return String(value.split(separator: "=").last ?? "")
  }

  @Test func `Reading a range has the documented signature`() throws {
    #expect(
      try signature(.GET, path: "/test.txt", headers: [("Range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `Writing an object has the documented signature`() throws {
    #expect(
      try signature(
        .PUT, path: "/test%24file.text",
        headers: [
          ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ], body: "Welcome to Amazon S3.")
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `A query has the documented signature`() throws {
    #expect(
      try signature(.GET, path: "/", query: "lifecycle=")
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      try signature(.GET, path: "/", query: "max-keys=2&prefix=J")
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func `A session token is sent and signed`() throws {
    let credentials = try ObjectStoreCredentials(
      accessKey: "A", secretKey: "B", sessionToken: "token/1")
    let signed = try RequestSignature(credentials: credentials, region: "here", time: 0).signed(
      RemoteRequest(method: .GET, url: "", name: ""), host: "h", path: "/", query: "")
    #expect(signed.headers.contains { $0.name == "x-amz-security-token" && $0.value == "token/1" })
    #expect(
      signed.headers.contains {
        $0.name == "Authorization" && $0.value.contains("x-amz-date;x-amz-security-token")
      })
  }

  @Test func `Addresses have the bucket in the path or in the host`() throws {
    func url(_ addressing: ObjectStore.Addressing, _ endpoint: String) throws -> String {
      try ObjectStore(bucket: "photos", at: endpoint, addressing: addressing, credentials: nil)
        .request(.GET, key: "a b/ü+%?.sealed", query: [("x", "1&2")]).url
    }
    #expect(
      try url(.path, "https://store.example:443/")
        == "https://store.example/photos/a%20b/%C3%BC%2B%25%3F.sealed?x=1%262")
    #expect(
      try url(.virtualHost, "http://Store.example:8080")
        == "http://photos.store.example:8080/a%20b/%C3%BC%2B%25%3F.sealed?x=1%262")
  }

  @Test(
    arguments: [
      ("photos", "store.example"), ("photos", "ftp://store.example"), ("photos", "https://"),
      ("photos", "https://a:b@store.example"), ("photos", "https://store.example/path"),
      ("Photos", "https://store.example"), ("a/b", "https://store.example"),
    ])
  func `An address that cannot be used is refused`(bucket: String, endpoint: String) {
    let error = #expect(throws: RemoteError.self) {
      try ObjectStore(bucket: bucket, at: endpoint, credentials: nil)
    }
    #expect(error?.code == .invalidAddress)
    #expect(error?.description.contains("a:b") == false)
  }
}

@Suite struct `Credentials in the environment and in files` {
  private func profile(
    _ environment: [String: String], credentials: String = "", config: String = ""
  ) async throws -> ObjectStoreProfile {
    try await withFolder { folder in
      try Data(credentials.utf8).write(to: URL(fileURLWithPath: folder + "/credentials"))
      try Data(config.utf8).write(to: URL(fileURLWithPath: folder + "/config"))
      return try ObjectStoreProfile.current(
        environment: environment.merging([
          "AWS_SHARED_CREDENTIALS_FILE": folder + "/credentials",
          "AWS_CONFIG_FILE": folder + "/config", "HOME": folder,
        ]) { first, _ in first })
    }
  }

  private let files = """
    # made by hand
    [default]
    aws_access_key_id = FIRST
    aws_secret_access_key=one=1
    [work]
    AWS_ACCESS_KEY_ID = SECOND
    aws_secret_access_key = two
    aws_session_token = token

    """

  @Test func `Variables of the environment have precedence over the files`() async throws {
    let found = try await profile(
      [
        "AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "north",
        "AWS_ENDPOINT_URL": "https://a.example",
      ], credentials: files)
    #expect(found.credentials?.accessKey == "KEY" && found.credentials?.sessionToken == nil)
    #expect(found.region == "north" && found.endpoint == "https://a.example")
  }

  @Test func `A profile is read from both files`() async throws {
    let config = """
      [profile work]
      region = south
      endpoint_url = https://b.example
      s3 =
        addressing_style = path
        region = wrong
      """
    let work = try await profile(["AWS_PROFILE": "work"], credentials: files, config: config)
    #expect(work.credentials?.accessKey == "SECOND" && work.credentials?.sessionToken == "token")
    #expect(work.region == "south" && work.endpoint == "https://b.example")
    let first = try await profile([:], credentials: files, config: config)
    #expect(first.credentials?.accessKey == "FIRST" && first.region == nil)
    // The token in one file does not belong to the key in the other.
    let mixed = try await profile(
      [:], credentials: files, config: "[default]\naws_session_token = other\n")
    #expect(mixed.credentials?.accessKey == "FIRST" && mixed.credentials?.sessionToken == nil)
  }

  @Test func `The default profile may be named as such, in files of the home directory`()
    async throws
  {
    let home = ["AWS_SHARED_CREDENTIALS_FILE": "~/credentials", "AWS_CONFIG_FILE": "~/config"]
    for config in ["[profile default]\nregion = east", "[default]\nregion = east"] {
      let found = try await profile(home, credentials: files, config: config)
      #expect(found.credentials?.accessKey == "FIRST" && found.region == "east")
    }
  }

  @Test func `A profile that does not exist and a key without its secret are errors`() async throws
  {
    let absent = await remoteError { _ = try await profile(["AWS_PROFILE": "home"]) }
    #expect(absent?.code == .credentialsAbsent && absent?.description.contains("home") == true)
    let half = await remoteError { _ = try await profile(["AWS_ACCESS_KEY_ID": "KEY"]) }
    #expect(half?.code == .credentialsAbsent)
    #expect(try await profile([:]).credentials == nil)
  }

  @Test func `No description shows a secret`() throws {
    let credentials = try ObjectStoreCredentials(
      accessKey: "KEY", secretKey: "hidden1", sessionToken: "hidden2")
    for text in ["\(credentials)", String(reflecting: credentials)] {
      #expect(!text.contains("hidden"))
    }
    var dumped = ""
    dump(credentials, to: &dumped)
    #expect(!dumped.contains("hidden"))
    let object = try RemoteObject(url: "https://a.example/b?X-Amz-Signature=hidden3#x")
    #expect("\(object)" == "https://a.example/b")
  }
}

@Suite struct `Parts of an answer` {
  @Test(
    arguments: [
      ("bytes 0-9/10", 0..<10, 10), ("bytes 5-5/*", 5..<6, nil), ("BYTES */7", nil, 7),
    ] as [(String, Range<Int>?, Int?)])
  func `A stated range is read`(text: String, range: Range<Int>?, total: Int?) throws {
    let found = try #require(ContentRange(text))
    #expect(found.range == range && found.total == total)
  }

  @Test(
    arguments: [
      "", "bytes", "bytes 1-0/3", "bytes -1-2/3", "bytes +1-2/3", "lines 0-1/2", "bytes 0-1",
      "bytes 0-9223372036854775807/9223372036854775807", "bytes 0-1/x", "bytes 0-1-2/3",
      "bytes 0-99999999999999999999/3",
    ])
  func `A malformed range is refused`(text: String) { #expect(ContentRange(text) == nil) }

  @Test func `XML that is too deep or has too many elements is refused`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    #expect(AnswerElement(parsing: nested(AnswerElement.depthLimit)) != nil)
    #expect(AnswerElement(parsing: nested(AnswerElement.depthLimit + 1)) == nil)
    let many = "<l>" + String(repeating: "<a/>", count: AnswerElement.countLimit - 1) + "</l>"
    #expect(AnswerElement(parsing: Array(many.utf8)) != nil)
    let more = "<l>" + String(repeating: "<a/>", count: AnswerElement.countLimit) + "</l>"
    #expect(AnswerElement(parsing: Array(more.utf8)) == nil)
    #expect(AnswerElement(parsing: Array("<a><b></a>".utf8)) == nil)
  }

  @Test func `The code of an error is kept and its message is not`() {
    let body = "<Error><Code>SignatureDoesNotMatch</Code><Message>hidden</Message></Error>"
    let answer = RemoteAnswer(status: 403, headers: [:], body: Array(body.utf8))
    let error = answer.refusal(of: RemoteRequest(method: .GET, url: "", name: "GET s3://b/k"))
    #expect(error.code == .accessDenied && error.status == 403)
    #expect(
      error.description.hasPrefix("GET s3://b/k: The server answered 403 (SignatureDoesNotMatch)."))
    #expect(!error.description.contains("hidden"))
    let control = "<Error><Code>a&#10;b</Code></Error>"
    #expect(RemoteAnswer(status: 400, headers: [:], body: Array(control.utf8)).errorCode == nil)
  }

  @Test func `Pauses between attempts grow up to a limit, and the server can set them within it`() {
    let settings = RemoteSettings(backoff: .milliseconds(100), longestBackoff: .seconds(1))
    for _ in 0..<100 {
      #expect(
        (.milliseconds(100)...(.milliseconds(200))).contains(
          settings.pause(after: 1, requested: nil)))
      #expect(
        (.milliseconds(400)...(.milliseconds(800))).contains(
          settings.pause(after: 3, requested: nil)))
      #expect(
        (.milliseconds(500)...(.seconds(1))).contains(settings.pause(after: 60, requested: nil)))
    }
    #expect(settings.pause(after: 1, requested: .seconds(9)) == .seconds(1))
    #expect(settings.pause(after: 1, requested: .milliseconds(900)) == .milliseconds(900))
  }
}

extension PageCache {
  /// Claims pages without those nearby.
  fileprivate mutating func claim(_ wanted: [Int]) -> [Int] {
    claim(wanted, nearby: (wanted.first ?? 0)..<(wanted.last ?? 0) + 1)
  }
}

@Suite struct `The cache of pages` {
  private func cache(pages: Int, cacheBytes: Int = 16 << 20, ahead: Int = 0) -> PageCache {
    PageCache(
      objectByteCount: pages * PageCache.pageLength,
      settings: RemoteSettings(cacheByteCount: cacheBytes, readAheadByteCount: ahead))
  }

  @Test func `A page is claimed once until its fetch ends`() {
    var cache = cache(pages: 8)
    #expect(cache.claim([1, 2]) == [1, 2])
    #expect(cache.claim([2, 3]) == [3])
    cache.finish([1, 2], with: [1: [1]])
    #expect(cache.bytes(of: 1) == [1] && cache.bytes(of: 2) == nil)
    #expect(cache.claim([1, 2]) == [2])
  }

  @Test func `A sequential reader reads ahead and a random one does not`() {
    var cache = cache(pages: 100, ahead: 10 * PageCache.pageLength)
    #expect(cache.claim([0, 1]) == [0, 1])
    #expect(cache.claim([2, 3]) == [2, 3, 4, 5])
    #expect(cache.claim([6]) == Array(6...13))
    #expect(cache.claim([14]) == Array(14...23))
    #expect(cache.claim([50]) == [50])
    #expect(cache.claim([99]) == [99])
  }

  @Test func `Missing pages nearby are claimed with the wanted ones if one request has both`() {
    var cache = cache(pages: 100)
    #expect(cache.claim([10, 11], nearby: 9..<13) == Array(9...12))
    cache.finish(Array(9...12), with: [11: [1]])
    // A request for page 12 too would be a second one, since page 11 is in memory.
    #expect(cache.claim([9, 10, 11], nearby: 8..<13) == [8, 9, 10])
    #expect(cache.claim([7], nearby: 6..<9) == [6, 7])
    #expect(cache.claim([11], nearby: 10..<13) == [])
    #expect(cache.claim([99], nearby: 98..<100) == [98, 99])
  }

  @Test func `The oldest pages are dropped when there are too many`() {
    var cache = cache(pages: 100, cacheBytes: 16 * PageCache.pageLength)
    for page in 0..<16 { cache.finish(cache.claim([page]), with: [page: [UInt8(page)]]) }
    #expect(cache.bytes(of: 0) == [0])
    cache.finish(cache.claim([16]), with: [16: [16]])
    #expect(cache.bytes(of: 0) == [0] && cache.bytes(of: 16) == [16])
    #expect(cache.bytes(of: 1) == nil)
  }
}
